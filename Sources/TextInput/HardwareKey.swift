/// A key of a hardware keyboard.
public struct HardwareKey: Sendable, Equatable {
  /// What holds while a key is pressed.
  public enum Modifier: String, Sendable, Equatable, Hashable, CaseIterable {
    case shift
    case control
    case alt
    case superKey = "super"
    case capsLock
  }

  /// What the key would type by itself; empty for a key that types nothing.
  public var characters: String
  /// The X keysym name of a key that is known by name, such as `Return`, `BackSpace`, `Left`.
  public var name: String?
  /// The modifiers held.
  public var modifiers: Set<Modifier>

  /// Makes a key.
  public init(characters: String, name: String? = nil, modifiers: Set<Modifier> = []) {
    self.characters = characters
    self.name = name
    self.modifiers = modifiers
  }
}
