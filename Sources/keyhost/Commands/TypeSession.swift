import CommandLineInterface
import KeyboardHost
import PluginProtocol
import SandboxLaunch
import StrictJSON
import TerminalText
import TextInput

/// One run of `keyhost type`.
final class TypeSession {
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
    if console.isInteractive {
      console.printError(
        invocation.has("events")
          ? "Write events, one a line (`keyhost type --help`); Ctrl-D ends."
          : "Type a text, and Ctrl-D at the end.")
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
