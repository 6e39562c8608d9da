import TextInput

/// What the user chose, as far as the core needs it. A new one may come at any time.
public struct HostConfiguration: Sendable, Equatable {
  /// The enabled keyboards, in the user's order. The first one serves a new document.
  public var keyboards: [KeyboardEntry]
  /// The supplementary lexicon: the user's text replacements.
  public var lexicon: [LexiconEntry]
  public var environment: LayoutEnvironment
  public var hostVersion: String

  public init(
    keyboards: [KeyboardEntry] = [], lexicon: [LexiconEntry] = [],
    environment: LayoutEnvironment = LayoutEnvironment(), hostVersion: String = "0"
  ) {
    self.keyboards = keyboards
    self.lexicon = lexicon
    self.environment = environment
    self.hostVersion = hostVersion
  }

  public func keyboard(_ identifier: String) -> KeyboardEntry? {
    keyboards.first { $0.identifier == identifier }
  }
}
