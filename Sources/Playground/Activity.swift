import KeyboardHost

/// A line of the live strip: what was decided, what a keyboard tried, what became of it.
public struct Activity: Sendable, Equatable {
  public var text: String
  public var tone: Style.Tone
  /// How often it happened one after the other.
  public var count = 1

  public init(_ text: String, _ tone: Style.Tone = .plain) {
    self.text = text
    self.tone = tone
  }

  /// An event of the audit log in a person's words.
  /// - Parameters:
  ///   - field: the name of a document's field.
  ///   - name: the name of a keyboard.
  public init(
    _ event: AuditEvent, field: (String) -> String, name: (String) -> String
  ) {
    let who = event.keyboard.map(name) ?? ""
    func text(_ field: String) -> String {
      event.fields.first { $0.name == field }?.value.plainText ?? ""
    }
    let isIncognito = !text("incognito").isEmpty
    switch event.kind {
    case .decision:
      let verdict = text("verdict") + (isIncognito ? " incognito" : "")
      let outcome = who.isEmpty ? "the system keyboard serves it" : "\(who) is \(verdict)"
      self.init(
        "\(field(text("document"))): \(outcome) (\(text("reasons")))",
        who.isEmpty ? .plain : verdict.hasPrefix("eligible") ? .allowed : .refused)
    case .launch:
      self.init(
        isIncognito
          ? "\(who) was started incognito: no network, nothing kept"
          : "\(who) was started in its sandbox", .allowed)
    case .launchFailed: self.init("\(who) was not started: \(text("reason"))", .refused)
    case .violation:
      let outcome = text("outcome")
      self.init(
        "\(who) tried \(text("detail")): "
          + (outcome == AuditEvent.leftToFileRules.description
            ? "left to the file rules, by which it has its own files alone" : outcome),
        .refused)
    case .refusal where text("capability") == "network":
      self.init(
        "\(who) asked for a connection to \(text("address")) port \(text("port")): refused, "
          + text("reason"), .refused)
    case .connection:
      self.init(
        "\(who) asked for a connection to \(text("address")) port \(text("port")): "
          + text("outcome"), .network)
    case .lookup:
      self.init("\(who) has the name \(text("name")) looked up: \(text("outcome"))", .network)
    case .service:
      self.init("\(who) was told \(text("answers")) of your \(text("service"))", .network)
    case .freeze: self.init("\(who) is frozen: it cannot even time the keys of this field", .accent)
    case .resume: self.init("\(who) goes on", .accent)
    case .fallback: self.init("the system keyboard typed for \(who): \(text("reason"))", .refused)
    case .exit: self.init("\(who) ended: \(text("reason"))")
    default:
      let fields = event.fields.map { "\($0.name) \($0.value.plainText)" }.joined(separator: ", ")
      self.init([who, event.kind.rawValue, fields].filter { !$0.isEmpty }.joined(separator: " "))
    }
  }
}
