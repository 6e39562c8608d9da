import KeyboardHost

/// A line of the live strip: what a keyboard tried, or what became of it.
public struct Activity: Sendable, Equatable {
  /// How something that a keyboard tried ended: the word that its line begins with.
  public enum Outcome: String, Sendable {
    case refused = "REFUSED"
    /// The keyboard was killed for it.
    case killed = "KILLED"
    /// The kernel decided, by rules under which only the keyboard's own files can have been meant.
    case undecided = "TRIED"
    case connected = "CONNECTED"
    /// Allowed, and nothing came of it.
    case failed = "FAILED"
    /// A name was looked up, a service answered.
    case told = "TOLD"
  }

  /// Nil where it is news and nothing that a keyboard tried.
  public var outcome: Outcome?
  public var text: String
  public var tone: Style.Tone
  /// How often it happened.
  public var count = 1

  /// News.
  public init(_ text: String, _ tone: Style.Tone = .plain) {
    self.text = text
    self.tone = tone
  }

  /// Something that a keyboard tried.
  public init(_ outcome: Outcome, _ text: String) {
    self.outcome = outcome
    self.text = text
    switch outcome {
    case .refused, .killed, .undecided: tone = .refused
    case .connected, .failed, .told: tone = .network
    }
  }

  /// What is shown: how it ended stands first, so that no narrow terminal hides it.
  public var line: String {
    guard let outcome else { return count > 1 ? "\(count) times: \(text)" : text }
    return outcome.rawValue + (count > 1 ? " \(count)x" : "") + "  " + text
  }

  /// An event of the audit log in a person's words; nil for a decision, which the facts about the field
  /// tell.
  /// - Parameters:
  ///   - name: the name of a keyboard.
  ///   - isChosen: whether a keyboard is the one for the field that has focus.
  public init?(
    _ event: AuditEvent, name: (String) -> String, isChosen: (String) -> Bool = { _ in false }
  ) {
    let who = event.keyboard.map(name) ?? ""
    func text(_ field: String) -> String {
      event.fields.first { $0.name == field }?.value.plainText ?? ""
    }
    let isIncognito = !text("incognito").isEmpty
    switch event.kind {
    case .decision: return nil
    case .violation, .refusal, .connection, .lookup, .service:
      let attempt = AttemptWords(event.kind, text)
      self.init(attempt.outcome, "\(who): \(attempt.text)")
    case .launch:
      self.init(
        isIncognito
          ? "\(who) was started incognito: no network, nothing kept"
          : "\(who) was started in its sandbox", .allowed)
    case .launchFailed: self.init("\(who) was not started: \(text("reason"))", .refused)
    case .freeze:
      self.init("\(who) is frozen: it cannot tell when you press a key", .accent)
    case .resume:
      self.init(
        isChosen(event.keyboard ?? "")
          ? "\(who) goes on, and serves this field"
          : "\(who) runs again: this field does not freeze it, and gives it no keys", .accent)
    case .fallback: self.init("the system keyboard typed for \(who): \(text("reason"))", .refused)
    case .exit where isIncognito:
      self.init("the incognito \(who) was ended, and all that it kept thrown away")
    case .exit where text("reason") == HandledInput.Reason.grantChanged.description:
      // That it was taken or given is told, and so is the new start.
      return nil
    case .exit: self.init("\(who) ended: \(text("reason"))")
    case .restart:
      self.init("\(who) is tried again in \(text("delayMilliseconds")) milliseconds")
    case .disabled:
      self.init("\(who) failed \(text("failures")) times: it is not started again here", .refused)
    case .protocolError:
      self.init("\(who) broke the protocol, and is ended: \(text("message"))", .refused)
    case .lateAnswer: self.init("\(who) answered too late: its answer is dropped")
    case .staleAnswer: self.init("\(who) answered for a text that has changed: dropped")
    default:
      let fields = event.fields.map { "\($0.name) \($0.value.plainText)" }.joined(separator: ", ")
      self.init([who, event.kind.rawValue, fields].filter { !$0.isEmpty }.joined(separator: " "))
    }
  }
}
