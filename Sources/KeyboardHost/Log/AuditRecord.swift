import StrictJSON

/// One line of the audit log as it is read back.
public struct AuditRecord: Sendable {
  public var time: AuditTime
  /// The event's name, also one this version does not know.
  public var event: String
  public var keyboard: String?
  public var app: String?
  /// How many events the line stands for.
  public var count: Int
  /// When the first of them was; the same as ``time`` for a line that stands for one.
  public var first: AuditTime
  /// All other members, in their order.
  public var fields: [(key: String, value: JSONValue)]
  /// The line itself, without its newline.
  public var line: [UInt8]

  package init?(line: [UInt8]) {
    let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 16)
    guard let root = try? JSONDocument(parsing: line, limits: limits).root,
      let members = root.members, let text = root["time"]?.string, let time = AuditTime(text),
      let event = root["event"]?.string
    else { return nil }
    self.time = time
    self.event = event
    self.line = line
    keyboard = root["keyboard"]?.string
    app = root["app"]?.string
    count = 1
    first = time
    if let value = root["count"] {
      guard let number = value.int64.flatMap({ Int(exactly: $0) }), number > 0 else { return nil }
      count = number
      if let text = root["first"]?.string {
        guard let time = AuditTime(text) else { return nil }
        first = min(time, self.time)
      }
    }
    fields = members.filter { !["time", "event", "keyboard", "app", "count"].contains($0.key) }
  }
}
