import TextInput

/// What the user chose, as far as the core needs it. A new one may come at any time.
public struct HostConfiguration: Sendable, Equatable {
  /// The enabled keyboards, in the user's order.
  public var keyboards: [KeyboardEntry]
  /// How many of ``keyboards`` stand before the system keyboard in the user's list.
  public var systemPosition: Int
  /// The supplementary lexicon: the user's text replacements, and names that stand for themselves.
  public var lexicon: [LexiconEntry]
  public var environment: LayoutEnvironment
  public var hostVersion: String
  /// What the system keyboard does by itself.
  public var systemKeyboard: SystemKeyboardSettings
  /// The language the user types in, as a BCP 47 tag, unless the settings name another.
  public var language: String?

  /// - Parameter systemPosition: nil stands for the end of the list.
  public init(
    keyboards: [KeyboardEntry] = [], systemPosition: Int? = nil, lexicon: [LexiconEntry] = [],
    environment: LayoutEnvironment = LayoutEnvironment(), hostVersion: String = "0",
    systemKeyboard: SystemKeyboardSettings = SystemKeyboardSettings(), language: String? = nil
  ) {
    self.keyboards = keyboards
    self.systemPosition = min(max(systemPosition ?? keyboards.count, 0), keyboards.count)
    self.lexicon = lexicon
    self.environment = environment
    self.hostVersion = hostVersion
    self.systemKeyboard = systemKeyboard
    self.language = language
  }

  /// The user's list, the system keyboard in its place. Its first entry serves a new document, and
  /// the globe key walks through it.
  public var order: [String] {
    var names = keyboards.map(\.identifier)
    names.insert(HostSettings.systemKeyboard, at: min(systemPosition, names.count))
    return names
  }

  /// The language that the system keyboard types in, as a BCP 47 tag.
  public var typingLanguage: String { systemKeyboard.language ?? language ?? "en" }

  public func keyboard(_ identifier: String) -> KeyboardEntry? {
    keyboards.first { $0.identifier == identifier }
  }
}
