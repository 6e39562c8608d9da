/// A keyboard's whole answer to one event: applied at once and whole, or not at all.
public struct Transaction: Sendable, Equatable {
  /// Edits of the text, in order.
  public var edits: [TextEdit]
  /// What else the host is to do, after the edits.
  public var actions: [KeyboardAction]
  /// The keys to show from now on; nil leaves them as they are.
  public var layout: KeyboardLayout?
  /// The suggestions to show from now on, none to three; nil leaves them as they are.
  public var suggestions: [String]?

  /// Makes a transaction.
  public init(
    edits: [TextEdit] = [], actions: [KeyboardAction] = [], layout: KeyboardLayout? = nil,
    suggestions: [String]? = nil
  ) {
    self.edits = edits
    self.actions = actions
    self.layout = layout
    self.suggestions = suggestions
  }

  /// The answer of a keyboard that does nothing.
  public static let empty = Transaction()
}
