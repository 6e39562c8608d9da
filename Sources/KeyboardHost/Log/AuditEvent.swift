/// One event for the audit log. It never holds field text: see ``AuditValue``.
public struct AuditEvent: Sendable, Equatable {
  public var kind: AuditKind
  /// The keyboard's id, where the event is about one.
  public var keyboard: String?
  /// The app's id, where the event is about one.
  public var app: String?
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
