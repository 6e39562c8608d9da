import CommandLineInterface
import KeyboardHost
import PluginProtocol
import SandboxLaunch
import StrictJSON
import TerminalText
import TextInput

let typeCommand = Command(
  "type",
  abstract: "Type into documents through the enabled keyboard.",
  discussion: [
    "Reads text from the standard input, types it character by character into a document, and "
      + "prints the document's text when the input ends. Notes on the standard error output say "
      + "which keyboard typed, and why it was not another.",
    "With --events the standard input is a script: one JSON event a line, which is taken when "
      + "everything before it was handled. A line that cannot be read may have been about the "
      + "focus: it is given up, and nothing is typed before the next `focus`. Events:",
  ] + ScriptStep.verbs.map { "  \($0.name) \($0.meaning)" } + [
    "A document's text is printed when it is closed, or at the end. With --json each handled "
      + "input is printed as it happens.",
    "The exit code is 0 when all input was typed, and 1 when some was not understood or could "
      + "not be typed. A keyboard that fails is no error: the system keyboard types instead.",
  ],
  options: [
    .value("field", "JSON", "The document's traits, such as {\"keyboardType\":\"URL\"}."),
    .value(
      "field-type", "TYPE", choices: KeyboardType.allCases.map(\.rawValue),
      "The document's keyboard type; a short form of --field."),
    .flag("secure", "The document is a secure field; a short form of --field."),
    .value("app", "ID", "The app the document belongs to."),
    .value(
      "answer", "ANSWER", choices: AppAnswer.allCases.map(\.rawValue),
      "What the app says when asked whether it allows custom keyboards."),
    .value(
      "keyboard", "ID",
      "Type with this enabled keyboard, as if it was the first in the list; `system` is the "
        + "host's own, and with it no other is started unless a script switches."),
    .value("text", "TEXT", "What stands in the document at the start."),
    .flag("events", "The standard input is a script of events."),
    .value(
      "allow-weaker", "LAYER",
      choices: SandboxLayer.allCases.filter { $0 != .seccomp && $0 != .noNewPrivileges }
        .map(\.rawValue), isRepeatable: true,
      "Do without this layer of the sandbox in this run, where it cannot be had."),
    .flag(
      "trace",
      "Show each line between the host and keyboards, with the time since the start in seconds: "
        + "what is typed, in clear. The audit log says that it was done."),
    .value(
      "trace-file", "FILE",
      "Write that to a new file, for the user alone to read, in place of showing it."),
    .value(
      "debug", "ID",
      "Type with this enabled keyboard, which stops before its first instruction and waits for a "
        + "debugger from outside; in its sandbox, but with all the time it takes."),
    .flag("show-output", "Show at the end what keyboards printed, escaped."),
    .json,
  ],
  action: { try TypeSession($0, console: $1).run() })

/// One run of `keyhost type`.
private final class TypeSession {
  private static let document = DocumentID("document")

  private let invocation: Invocation
  private let console: Console
  private let host: LocalHost
  private let debugged: String?
  private var hasFault = false
  private var outputFault: (any Error)?
  private var lastNote: String?
  private var isShutDown = false
  private var prompt: ServicePrompt?

  init(_ invocation: Invocation, console: Console) throws {
    self.invocation = invocation
    self.console = console
    debugged = invocation.value("debug")
    if let wanted = invocation.value("keyboard"), let debugged, wanted != debugged {
      throw UsageError("--keyboard and --debug name two keyboards")
    }
    host = try LocalHost(
      preferring: debugged ?? invocation.value("keyboard"),
      allowWeaker: Set(
        invocation.values("allow-weaker").compactMap { SandboxLayer(rawValue: $0) }),
      debugging: debugged)
  }

  func run() throws -> ExitCode {
    let traits = try FieldOptions.traits(invocation)
    if let wanted = debugged ?? invocation.value("keyboard"),
      wanted != HostSettings.systemKeyboard || debugged != nil, host.choices.keyboard(wanted) == nil
    {
      console.printError("keyhost: \(host.choices.whyNot(wanted))")
      return .failure
    }
    for fault in host.choices.faults { console.printError("keyhost: \(fault)") }
    for layer in invocation.values("allow-weaker") {
      console.printError(
        "keyhost: --allow-weaker \(layer): in this run keyboards are started also where that layer "
          + "of the sandbox cannot be had")
    }
    host.onMessage = { [unowned self] text in console.printError("keyhost: \(text)") }
    let driver = host.driver
    driver.onEffect = { [unowned self] in show($0) }
    driver.onWeakLaunch = { [unowned self] in noteWeakLaunch($0, $1) }
    if invocation.has("show-output") {
      driver.onCapturedOutput = { [unowned self] in showOutput($0, $1, $2) }
    }
    driver.onDebugger = { [unowned self] in noteDebugger($0, $1, $2) }
    host.begin()
    if invocation.has("trace") || invocation.has("trace-file") { try beginTrace() }
    if !invocation.has("events") {
      driver.feed(
        .open(
          Self.document, app: invocation.value("app"), answer: FieldOptions.answer(invocation),
          traits: traits, text: invocation.value("text") ?? ""))
      driver.feed(.focus(Self.document))
    }
    let runner = ScriptRunner(
      driver: driver, descriptor: 0, source: invocation.has("events") ? .events : .text,
      onFault: { [unowned self] in fault($0) })
    if console.isInteractive, !invocation.has("events") {
      driver.core.canAskUser = true
      prompt = ServicePrompt(console: console, host: host, runner: runner)
    }
    // What is printed of the end comes before the texts, which are the last.
    defer { shutDown() }
    try runner.run()
    shutDown()
    try printTexts()
    if let outputFault { throw outputFault }
    return hasFault ? .failure : .success
  }

  private func shutDown() {
    guard !isShutDown else { return }
    isShutDown = true
    host.driver.shutDown()
  }

  private func fault(_ message: String) {
    hasFault = true
    console.printError("keyhost: \(VisibleText.escape(message))")
    guard invocation.wantsJSON else { return }
    print {
      $0.member("event", "rejected")
      $0.member("message", message)
    }
  }

  private func noteWeakLaunch(_ keyboard: String, _ layers: [EnforcementReport.Entry]) {
    let names = layers.map { "\($0.layer.rawValue) (\($0.state))" }.joined(separator: ", ")
    console.printError(
      "keyhost: \(host.displayName(keyboard)) runs in a weaker sandbox, as was allowed: without "
        + VisibleText.escape(names))
  }

  // MARK: For authors

  private func beginTrace() throws {
    let trace = try ProtocolTrace(
      path: invocation.value("trace-file"), isJSON: invocation.wantsJSON, console: console
    ) { [unowned self] in print($0) }
    guard host.trace(to: trace.place, hearing: { trace.write($0) }) else {
      throw StoreError(
        .audit, "the audit log cannot say that a trace is made, so that none is made")
    }
    console.printError(
      "keyhost: --trace: what keyboards are told and say goes to \(VisibleText.escape(trace.place)),"
        + " with all that is typed through them, and the lexicon, contacts and places that they are told"
    )
  }

  private func noteDebugger(_ keyboard: String, _ process: Int32, _ state: DebuggerState) {
    let name = host.displayName(keyboard)
    switch state {
    case .awaited:
      // The host's own stop is in the way of the first `continue`, and what is in the sandbox has
      // its place outside too.
      let installed = host.choices.keyboard(keyboard)?.installed
      let program = installed.map { $0.interpreter ?? $0.executablePath } ?? ""
      console.printError(
        "keyhost: \(name) is stopped before its first instruction and waits for a debugger. In another "
          + "terminal:\n  gdb -iex 'set sysroot /' -ex 'handle SIGSTOP nostop noprint nopass' "
          + "-p \(process) '\(VisibleText.escape(program))'")
    case .attached(let debugger):
      console.printError("keyhost: process \(debugger) has \(name): it gets the time it takes")
    case .detached:
      console.printError("keyhost: nobody has \(name) any more: it is held to its deadlines again")
    }
  }

  // MARK: What happens

  private func show(_ effect: CoreEffect) {
    switch effect {
    case .handled(let handled):
      if invocation.wantsJSON { print { handled.encode(into: &$0) } } else { note(handled) }
    case .present(let presentation):
      if invocation.wantsJSON { print { presentation.encode(into: &$0) } }
    case .edited(let document, let keyboard, let revision):
      guard invocation.wantsJSON else { return }
      print {
        $0.member("event", "edited")
        $0.member("document", document.rawValue)
        $0.member("keyboard", keyboard)
        $0.member("revision", revision)
      }
    case .dismissed(let document):
      if invocation.wantsJSON {
        print {
          $0.member("event", "dismissed")
          $0.member("document", document.rawValue)
        }
      } else {
        console.printError("\(VisibleText.escape(document.rawValue)): the keyboard was dismissed")
      }
    case .format(let document, let command):
      if invocation.wantsJSON {
        print {
          $0.member("event", "format")
          $0.member("document", document.rawValue)
          $0.member("format", command.rawValue)
        }
      } else {
        console.printError(
          "\(VisibleText.escape(document.rawValue)): the app is asked for \(command.rawValue) text")
      }
    case .click(let document):
      guard invocation.wantsJSON else { return }
      print {
        $0.member("event", "click")
        $0.member("document", document.rawValue)
      }
    case .closed(let document, let text):
      do { try printText(document, text) } catch { outputFault = outputFault ?? error }
    case .rejected(let message): fault(message)
    case .askUser(let keyboard, let service): prompt?.ask(keyboard, service)
    case .audit, .launch, .send, .freeze, .resume, .kill, .ask, .serve, .changed, .dropped,
      .refused:
      break
    }
  }

  /// Says who types, once for each change.
  private func note(_ handled: HandledInput) {
    // A switch types nothing: who typed then is said of the next input.
    if [.keyboardSelected, .editingCommand, .notPossible].contains(handled.reason) { return }
    let document = VisibleText.escape(handled.document.rawValue)
    let text: String
    switch handled.handler {
    case .keyboard(let id):
      let isIncognito = host.driver.core.choices(for: handled.document).contains {
        $0.isSelected && $0.decision.isIncognito
      }
      text =
        "\(document): typed with \(host.displayName(id))" + (isIncognito ? ", incognito" : "")
    case .system:
      text =
        "\(document): the system keyboard, because \(VisibleText.escape(handled.reason.description))"
        + (handled.reason.isFailure && !invocation.has("show-output")
          ? " (`--show-output` shows what it printed)" : "")
    }
    guard text != lastNote else { return }
    lastNote = text
    console.printError(text)
  }

  private func showOutput(_ keyboard: String, _ tail: [UInt8], _ total: Int) {
    console.printError("\(host.displayName(keyboard)) printed \(total) bytes; the last lines:")
    for line in String(decoding: tail, as: UTF8.self).split(separator: "\n").suffix(40) {
      console.printError("  " + VisibleText.escape(String(line)))
    }
  }

  private func printTexts() throws {
    let core = host.driver.core
    for id in core.openDocuments {
      guard let text = core.text(of: id)?.text else { continue }
      try printText(id, text)
    }
  }

  private func printText(_ id: DocumentID, _ text: String) throws {
    if invocation.wantsJSON {
      print {
        $0.member("event", "text")
        $0.member("document", id.rawValue)
        $0.member("text", text)
      }
    } else if invocation.has("events") {
      try console.print("\(VisibleText.escape(id.rawValue)): \(text)")
    } else {
      let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
      // A program gets the text as it is; a terminal gets nothing it could obey.
      if console.outputIsTerminal {
        try console.print(line)
      } else {
        try console.print(raw: Array(line.utf8) + [0x0A])
      }
    }
  }

  private func print(_ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    body(&writer)
    writer.endObject()
    // A reader that has gone away must not keep the typing from its end.
    do { try console.print(raw: writer.bytes + [0x0A]) } catch {
      outputFault = outputFault ?? error
    }
  }
}

extension HandledInput.Reason {
  /// Whether the keyboard itself went wrong, and may have said why.
  fileprivate var isFailure: Bool {
    switch self {
    case .starting, .disabled, .died, .protocolError, .keyboardReportedError, .editRefused,
      .unresponsive:
      true
    default: false
    }
  }
}

extension HandledInput {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.member("event", "handled")
    writer.member("document", document.rawValue)
    writer.key("input")
    switch input {
    case .event(let event): event.encode(into: &writer)
    case .character(let text):
      writer.beginObject()
      writer.member("type", text)
      writer.endObject()
    case .nextKeyboard:
      writer.beginObject()
      writer.member("nextKeyboard", true)
      writer.endObject()
    case .selectKeyboard(let identifier):
      writer.beginObject()
      writer.member("keyboard", identifier)
      writer.endObject()
    case .command(let command): command.encode(into: &writer)
    }
    switch handler {
    case .system: writer.member("handler", "system")
    case .keyboard(let identifier):
      writer.member("handler", "keyboard")
      writer.member("keyboard", identifier)
    }
    writer.member("reason", reason.code)
    writer.member("detail", reason.description)
    writer.key("transaction")
    transaction.encode(into: &writer)
    writer.member("revision", revision)
  }
}

extension EditingCommand {
  /// As in a script.
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .shake: writer.member("shake", true)
    case .answerUndo(let answer): writer.member("answerUndo", answer.rawValue)
    case .drag(let x, let y):
      writer.key("drag")
      writer.beginArray()
      writer.value(x)
      writer.value(y)
      writer.endArray()
    case .dragEnded:
      writer.key("drag")
      writer.null()
    case .format(let command): writer.member("format", command.rawValue)
    }
    writer.endObject()
  }
}

extension Presentation {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.member("event", "presented")
    writer.member("document", document.rawValue)
    writer.member("keyboard", ifPresent: keyboard)
    writer.key("decision")
    writer.beginObject()
    decision.encodeMembers(into: &writer)
    writer.endObject()
    writer.key("keys")
    writer.beginArray()
    for row in layout.rows {
      writer.beginArray()
      for key in row { writer.value(key.id) }
      writer.endArray()
    }
    writer.endArray()
    writer.key("suggestions")
    writer.beginArray()
    for suggestion in suggestions { writer.value(suggestion) }
    writer.endArray()
    writer.member("showsKeyPreview", showsKeyPreview)
    writer.key("keySpan")
    writer.beginArray()
    writer.value(keySpan.lowerBound)
    writer.value(keySpan.upperBound)
    writer.endArray()
    if let undoPrompt {
      writer.key("undoPrompt")
      writer.beginObject()
      writer.member("canUndo", undoPrompt.canUndo)
      writer.member("canRedo", undoPrompt.canRedo)
      writer.endObject()
    }
  }
}
