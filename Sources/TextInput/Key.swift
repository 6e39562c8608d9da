/// One key of a keyboard.
public struct Key: Sendable, Equatable {
  /// Names the key in events; unique in its layout.
  public var id: String
  /// What is drawn on the key.
  public var label: String
  /// What the key is for.
  public var role: KeyRole
  /// What the host types for the key when the key's keyboard cannot answer; nil types nothing and
  /// does what the role says.
  public var insertText: String?
  /// The width in key units, where 1 is the width of a letter key.
  public var width: Double
  /// What a long press does, as a hint drawn beside the label; nil when it does nothing of its own.
  public var longPress: String?

  /// Makes a key.
  public init(
    id: String, label: String, role: KeyRole = .character, insertText: String? = nil,
    width: Double = 1, longPress: String? = nil
  ) {
    self.id = id
    self.label = label
    self.role = role
    self.insertText = insertText
    self.width = width
    self.longPress = longPress
  }
}
