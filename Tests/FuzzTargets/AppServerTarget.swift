import AppProtocol
import Glibc
import KeyboardHost
import LinuxSystem
import PluginProtocol
import SandboxLaunch
import TextInput

/// Drives the server of apps, over real sockets and under a virtual clock, with two apps that do
/// whatever the bytes say.
///
/// Each request has one answer; what an app was told adds up to the text that the host has; the
/// keyboard shows in one place; an app that keeps to the protocol is never disconnected, whatever the
/// other one does.
func checkAppServer(_ bytes: [UInt8]) throws(FuzzFinding) {
  let run = AppServerRun(bytes)
  run.play()
  try run.judge()
}

/// The time and the processor's time, as a run has them.
private final class VirtualClock {
  var time = HostTime(nanoseconds: 1_000_000_000)
  /// How much each look at the processor's time takes.
  var pace: UInt64 = 0
  private var processor: UInt64 = 0

  func usedProcessor() -> UInt64 {
    processor += pace
    return processor
  }
}

private final class AppServerRun {
  private static let names = ["a", "b"]
  private static let texts = ["", "a", "é", "👨‍👩‍👧", "x\r\ny", "\u{301}", "नि", "🇨🇭🇨🇭", "omw "]

  private var input: FuzzInput
  private let driver: HostDriver
  private let server: AppServer
  private var apps: [FuzzApp] = []
  private let clock = VirtualClock()

  init(_ bytes: [UInt8]) {
    input = FuzzInput(bytes)
    var typing = SystemKeyboardSettings()
    typing[.keyClicks] = true
    let core = HostCore(
      configuration: HostConfiguration(
        keyboards: [KeyboardEntry(identifier: "one", displayName: "one")], systemPosition: 0,
        lexicon: [LexiconEntry(userInput: "omw", documentText: "on my way")],
        systemKeyboard: typing))
    let clock = clock
    driver = HostDriver(
      core: core, starter: NoStarter(problem: "keyboards are the session target's"), log: nil,
      clock: HostClock(now: { clock.time }, processor: { clock.usedProcessor() }))
    server = AppServer(driver: driver)
    // Both ends are of this process, and nothing may happen at its own time.
    server.relaysApps = false
    for index in 0..<2 { connect(presents: index == 0) }
  }

  private func connect(presents: Bool) {
    var numbers: [Int32] = [0, 0]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &numbers) == 0 else { return }
    apps.append(FuzzApp(FileDescriptor(owning: numbers[0]), presents: presents))
    try? server.admit(FileDescriptor(owning: numbers[1]))
  }

  func play() {
    for app in apps { initialize(app, asks: input.bool()) }
    turn()
    for _ in 0..<300 where !input.isAtEnd {
      step(apps[input.below(2)])
      if input.below(3) != 0 { turn() }
    }
    // An app that used its share is read again, and every question has run out.
    clock.pace = 0
    for _ in 0..<80 {
      clock.time = clock.time.adding(milliseconds: 500)
      turn()
    }
  }

  func judge() throws(FuzzFinding) {
    for (index, app) in apps.enumerated() {
      if let finding = app.finding { throw FuzzFinding("app \(index): \(finding)") }
      guard !app.isHostile, !app.isEnded else { continue }
      try demand(app.waits == 0, "app \(index) has \(app.waits) requests without an answer")
      for (name, field) in app.fields {
        let text = driver.core.text(of: DocumentID("\(index + 1)/\(name)"))
        var view = String.UnicodeScalarView()
        view.append(contentsOf: field.scalars)
        try demand(
          text?.text.unicodeScalars.elementsEqual(view) == true,
          "app \(index) has \"\(String(view))\" in \(name), and the host \"\(text?.text ?? "")\"")
        try demand(text?.revision == field.revision, "app \(index) has another revision of \(name)")
      }
    }
    try demand(apps.count { $0.isShown && !$0.isEnded } <= 1, "the keyboard shows in two places")
  }

  private func turn() {
    for _ in 0..<3 {
      try? server.turn(milliseconds: 0)
      for app in apps { app.read() }
    }
  }

  // MARK: Steps

  private func initialize(_ app: FuzzApp, asks: Bool) {
    app.request(
      .initialize(
        AppIntroduction(
          appIdentifier: "app", implementsShouldAllowExtensionPoint: asks,
          presentsKeyboard: app.presents)), .initialize)
  }

  private func step(_ app: FuzzApp) {
    guard !app.isEnded else { return }
    let name = input.pick(Self.names)
    switch input.below(20) {
    case 0: open(app, name)
    case 1: app.request(.closeDocument(name), .close(name))
    case 2: app.request(.becomeFirstResponder(name))
    case 3: app.request(.resignFirstResponder)
    case 4: setTraits(app, name)
    case 5: setViews(app, name)
    case 6, 7: edit(app, name)
    case 8: select(app, name)
    case 9: app.request(.listKeyboards(name))
    case 10: app.request(.setScreen(screen()))
    case 11: app.request(.playInputClick(name))
    case 12:
      if input.bool() { app.answer(input.pick([true, false, nil])) } else { app.changeAnswer() }
    case 13: clock.time = clock.time.adding(milliseconds: UInt64(input.below(256)) * 8)
    case 14: clock.pace = UInt64(input.below(8)) * 200_000
    case 15: misbehave(app)
    default: app.request(.event(name, event()))
    }
  }

  private func open(_ app: FuzzApp, _ name: String) {
    let text = input.pick(Self.texts)
    let traits = traits()
    let isOwn = input.below(4) == 0
    app.request(
      .openDocument(
        name,
        DocumentDescription(
          traits: traits, text: text, selection: input.bool() ? range(text) : nil,
          inputViews: InputViews(
            inputViewHeight: isOwn ? 200 : nil, inputAccessoryViewHeight: input.below(60)),
          textInputContextIdentifier: input.bool() ? "context" : nil)),
      .open(
        name,
        FuzzApp.Field(
          scalars: Array(text.unicodeScalars), revision: 0,
          allowsFormat: traits.allowsEditingTextAttributes == .known(true), hasOwnView: isOwn)))
  }

  private func traits() -> TextInputTraits {
    var traits = TextInputTraits()
    switch input.below(6) {
    case 0: traits.isSecureTextEntry = .known(true)
    case 1: traits.keyboardType = .known(.phonePad)
    case 2, 3: traits.allowsEditingTextAttributes = .known(true)
    case 4: traits.textContentType = .unknown("novel")
    default: break
    }
    return traits
  }

  private func setTraits(_ app: FuzzApp, _ name: String) {
    let traits = traits()
    app.request(
      .setTraits(name, traits),
      .traits(name, allowsFormat: traits.allowsEditingTextAttributes == .known(true)))
  }

  private func setViews(_ app: FuzzApp, _ name: String) {
    let isOwn = input.bool()
    app.request(
      .reloadInputViews(
        name,
        InputViews(inputViewHeight: isOwn ? 300 : nil, inputAccessoryViewHeight: input.below(99))),
      .views(name, isOwn: isOwn))
  }

  private func edit(_ app: FuzzApp, _ name: String) {
    let text = input.pick(Self.texts)
    let range = range(app.fields[name].map { String(String.UnicodeScalarView($0.scalars)) } ?? "")
    let base = (app.fields[name]?.revision ?? 0) &+ UInt64(input.below(8) == 0 ? 1 : 0)
    app.request(
      .replaceText(
        name, baseRevision: base, range: range, text: text,
        selection: input.below(4) == 0 ? range : nil), .edit(name, range, text))
  }

  private func select(_ app: FuzzApp, _ name: String) {
    let text = app.fields[name].map { String(String.UnicodeScalarView($0.scalars)) } ?? ""
    app.request(
      .select(name, baseRevision: app.fields[name]?.revision ?? 0, selection: range(text)),
      .select(name))
  }

  /// Mostly within a text.
  private func range(_ text: String) -> Range<Int> {
    let count = text.unicodeScalars.count + (input.below(16) == 0 ? 2 : 0)
    let start = input.below(min(count, 200) + 1)
    return start..<(start + input.below(min(count - start, 200) + 1))
  }

  private func screen() -> Screen {
    Screen(
      width: 1 + input.below(255) * 3, height: 1 + input.below(255) * 3,
      orientation: input.bool() ? .portrait : .landscape)
  }

  private func event() -> AppInput {
    switch input.below(16) {
    case 0: .nextKeyboard
    case 1: .selectKeyboard(input.pick(["one", "system", "nobody"]))
    case 2: .command(.shake)
    case 3: .command(.answerUndo(input.pick(EditingCommand.UndoAnswer.allCases)))
    case 4:
      .command(
        .drag(x: Double(input.below(256)) - 128, y: Double(input.below(256)) - 128))
    case 5: .command(.dragEnded)
    case 6: .command(.format(input.pick(RichTextCommand.allCases)))
    case 7: .event(.suggestion(index: 0, text: input.pick(["on my way", "x"])))
    case 8:
      .event(
        .hardwareKey(
          HardwareKey(
            characters: "", name: input.pick(["Left", "BackSpace", "Delete", "Home", "End", "F1"])))
      )
    case 9: .event(.swipe(input.pick(SwipeDirection.allCases), count: 1 + input.below(9)))
    case 10: .event(.longPress(key: "system.shift"))
    case 11, 12: .character(input.pick(["a", "é", " ", "👨‍👩‍👧", "\"", "-", "\u{301}"]))
    default:
      .event(
        .tap(
          key: input.pick([
            "system.a", "system.o", "system.m", "system.w", "system.space", "system.delete",
            "system.return", "system.shift", "system.plane.numbers", "system.1", "none",
          ])))
    }
  }

  /// What the protocol does not have: a session ends by it, and no other.
  private func misbehave(_ app: FuzzApp) {
    guard input.below(4) == 0 else { return }
    app.isHostile = true
    switch input.below(4) {
    case 0: initialize(app, asks: false)
    case 1: app.write(input.take(input.below(64)) + [0x0A])
    case 2: app.write(Array(#"{"jsonrpc":"2.0","id":9,"result":true}"#.utf8) + [0x0A])
    default: app.write(input.take(input.below(64)))
    }
  }
}
