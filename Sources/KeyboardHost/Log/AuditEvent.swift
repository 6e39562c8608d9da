/// One event for the audit log. It never holds field text: see ``AuditValue``.
public struct AuditEvent: Sendable, Equatable {
  public var kind: AuditKind
  /// The keyboard's id, where the event is about one.
  public var keyboard: String?
  /// The app's id, where the event is about one.
  public var app: String?
  /// The outcome of a call that is not the filter's to judge, but Landlock's and the private root's, which
  /// give a keyboard its own files alone. Their answer is not told to the host; here it cannot have been
  /// another.
  public static let refusedByFileRules: StaticString = "refused by file rules"
  /// As ``refusedByFileRules``, of a path that may lead to one of the keyboard's own files.
  public static let decidedByFileRules: StaticString = "decided by file rules"
  /// The field of a launch that comes after failures of the keyboard: how many there were.
  static let afterFailures: StaticString = "afterFailures"

  /// The field that marks what is about an incognito instance, or a field that takes no other.
  static let incognito: StaticString = "incognito"
  /// The field that says who brought it about, where that is not clear.
  static let by: StaticString = "by"
  /// As ``by``: what became of the focus, which is an app's doing and not the keyboard's. An exit of an
  /// instance whose field lost it, or that was not ready when a field got it that refuses keyboards; the
  /// launch behind that; an answer that came after it.
  static let focus: StaticString = "focus"

  /// Whose share of the log it is written from, if whoever causes it can do so as often as he likes.
  var share: LogBudget.Share? {
    LogBudget.Share(
      kind, isAboutKeyboard: keyboard != nil,
      isByFocus: fields.contains { $0.name == "\(Self.by)" && $0.value == .term(Self.focus) },
      isIncognito: fields.contains { $0.name == "\(Self.incognito)" },
      isRestart: fields.contains { $0.name == "\(Self.afterFailures)" }, isConnected: isConnected)
  }

  /// The outcome of a lookup that is about to be made.
  static let asked: StaticString = "asked"
  /// The outcome of a connection that was made.
  static let connected: StaticString = "connected"

  /// Whether it tells of a connection that was made, or of what a service told: what a keyboard was
  /// given.
  var isConnected: Bool {
    kind == .service
      || kind == .connection
        && fields.contains { $0.name == "outcome" && $0.value == .term(Self.connected) }
  }

  /// In the order in which they stand in the line.
  public var fields: [AuditField]

  public init(
    _ kind: AuditKind, keyboard: String? = nil, app: String? = nil, _ fields: [AuditField] = []
  ) {
    self.kind = kind
    self.keyboard = keyboard
    self.app = app
    self.fields = fields
  }
}
