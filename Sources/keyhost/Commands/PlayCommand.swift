import CommandLineInterface
import CursesTerminal
import KeyboardHost
import LinuxSystem
import Playground
import TextInput

let playCommand = Command(
  "play",
  abstract: "See the model at work: a full-screen playground in the terminal.",
  discussion: [
    "Shows a few make-believe fields (a comment, a password, a phone number, an address, an app "
      + "that allows no keyboards, the number of a card), the keys of the keyboard that serves the "
      + "field that has focus, why it is that one and why not the others, who has a network, and "
      + "what keyboards try meanwhile. Keys are tapped with the mouse or with the arrows and "
      + "Enter; the hardware keyboard types too. F1 explains the rest.",
    "The keyboards are the user's own, with what was granted to them, and the audit log is written "
      + "as always. What is typed goes nowhere else, and is gone at the end.",
  ],
  options: [
    .value(
      "keyboard", "ID", "Begin with this enabled keyboard, as if it was the first in the list.")
  ],
  action: { try PlaySession($0, console: $1).run() })

/// One run of `keyhost play`: the playground's model between the terminal and a host.
private final class PlaySession {
  private let console: Console
  private let host: LocalHost
  private var model = PlaygroundModel()
  private var wantsToQuit = false
  /// What is said once the terminal is given back.
  private var messages: [String] = []

  init(_ invocation: Invocation, console: Console) throws {
    self.console = console
    let wanted = invocation.value("keyboard")
    host = try LocalHost(preferring: wanted)
    if let wanted, wanted != HostSettings.systemKeyboard, host.choices.keyboard(wanted) == nil {
      throw StoreError(.refused, host.choices.whyNot(wanted))
    }
  }

  func run() throws -> ExitCode {
    guard console.outputIsTerminal, console.inputIsTerminal else {
      throw UsageError(
        "`keyhost play` needs a terminal to draw on and to read from; `keyhost type` does without")
    }
    let driver = host.driver
    host.onMessage = { [unowned self] text in
      messages.append(text)
      model.note(Activity(text, .refused))
    }
    driver.onEffect = { [unowned self] in hear($0) }
    driver.onAudit = { [unowned self] event in
      // The names of keyboards that are just being added come with the next reading.
      refreshKeyboards()
      if let activity = Activity(
        event, name: { self.model.keyboardName($0) },
        isChosen: { id in self.model.keyboards.contains { $0.identifier == id && $0.isChosen } })
      {
        model.note(activity)
      }
    }
    refreshKeyboards()
    host.begin()
    for field in model.fields {
      driver.feed(
        .open(
          field.document, app: field.app, answer: field.answer, traits: field.traits, text: ""))
    }
    driver.feed(.focus(model.fields[model.focused].document))
    let terminal = try CursesTerminal()
    do {
      defer { terminal.end() }
      try serve(terminal)
    }
    driver.shutDown()
    for message in messages { console.printError("keyhost: \(message)") }
    return .success
  }

  private func serve(_ terminal: CursesTerminal) throws {
    let driver = host.driver
    let token = driver.loop.watch(0, for: .input) { [unowned self] events in
      if events.contains(.hangUp) || events.contains(.error) { wantsToQuit = true }
    }
    defer { driver.loop.unwatch(token) }
    while true {
      // All that was typed before the next drawing; a pasted page is drawn once.
      while !wantsToQuit, let input = terminal.read() {
        for action in model.handle(input) { perform(action) }
      }
      guard !wantsToQuit else { return }
      refreshKeyboards()
      var texts: [DocumentID: TextDocument] = [:]
      for field in model.fields { texts[field.document] = driver.core.text(of: field.document) }
      terminal.show(model.draw(size: terminal.size, texts: texts))
      try driver.turn(milliseconds: nil)
    }
  }

  private func perform(_ action: PlayAction) {
    switch action {
    case .user(let input): host.driver.feed(.user(input))
    case .focus(let document): host.driver.feed(.focus(document))
    case .traits(let field): host.driver.feed(.traits(field.document, field.traits))
    case .revoke(let keyboard): revoke(keyboard)
    case .quit: wantsToQuit = true
    }
  }

  /// As `keyhost revoke` does it: the host hears of it as of any change of the settings.
  private func revoke(_ keyboard: String) {
    do {
      let context = try HostContext()
      try context.choices.revokeOpenAccess(keyboard, log: try context.openLog())
      // The line about it comes with the list, as it does when it is taken away elsewhere.
    } catch {
      model.note(Activity("\(error)", .refused))
    }
  }

  private func hear(_ effect: CoreEffect) {
    switch effect {
    case .present(let presentation): model.present(presentation)
    case .rejected(let message): model.note(Activity(message, .refused))
    case .dismissed: model.note(Activity("the keyboard was dismissed", .accent))
    case .handled, .edited, .changed, .dropped, .refused, .closed, .audit, .launch, .send, .freeze,
      .resume, .kill, .format, .click, .ask, .serve, .askUser:
      break
    }
  }

  private func refreshKeyboards() {
    let choices = host.driver.core.choices(for: model.fields[model.focused].document)
    model.adopt(
      choices.map { choice in
        let keyboard = host.choices.keyboard(choice.identifier)
        return PlayKeyboard(
          identifier: choice.identifier,
          name: keyboard == nil ? "System keyboard" : host.displayName(choice.identifier),
          hasOpenAccess: keyboard?.grants.openAccess ?? false, decision: choice.decision,
          isChosen: choice.isSelected)
      })
  }
}
