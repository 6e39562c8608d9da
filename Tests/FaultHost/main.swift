import Glibc
import KeyboardHost
import LinuxSystem
import SandboxPolicy
import TextInput

// fault-host LAUNCHER POLICIES
//
// A host put together as `keyhost type` puts it together, but for two things: a keyboard that ends
// is started again at once, and is never given up. Tests let it live through many faults and look
// at it from outside. It takes a command a line and answers with a line:
//
//   cycle N     N times: wait until the keyboard is there, then type "abc"
//   all         start every enabled keyboard, and type "ab" with each
//   secure      a secure field gets the focus, and "12" is typed into it
//   idle N      nothing for N milliseconds; answers how often its wait ended meanwhile
//   end         end as a host ends
//
// The answer of the others has the text of the document and how many of its inputs a keyboard handled.
func say(_ line: String) { _ = try? FileDescriptor.write(Array("\(line)\n".utf8)[...], to: 1) }

let host = try FaultHost(launcher: CommandLine.arguments[1], policies: CommandLine.arguments[2])
say("ready")
while let line = readLine() {
  let words = line.split(separator: " ")
  switch words.first {
  case "cycle": try host.cycle(Int(words[1]) ?? 0)
  case "all": try host.startAll()
  case "secure": try host.typeSecurely()
  case "idle": try host.idle(milliseconds: UInt64(words[1]) ?? 0)
  case "end":
    host.driver.shutDown()
    say("ended")
    exit(0)
  default: say("unknown command")
  }
}

final class FaultHost {
  let driver: HostDriver
  private let configuration: HostConfiguration
  private let document = DocumentID("document")
  private let secret = DocumentID("secret")
  private var handled = 0
  private var byKeyboard = 0
  private var isShown = false

  init(launcher: String, policies: String) throws {
    let paths = try HostPaths(environment: HostPaths.processEnvironment())
    let choices = try UserChoices(paths: paths)
    func load(_ name: String) throws(PolicyError) -> [UInt8] {
      do {
        let file = try FileDescriptor.open("\(policies)/\(name)", .read)
        var bytes: [UInt8] = []
        while case let more = try file.read(upTo: 65_536), !more.isEmpty { bytes += more }
        return bytes
      } catch {
        throw PolicyError("\(name): \(error)")
      }
    }
    let profile = try SandboxProfile(
      parsing: try load("keyboard.json"), file: "keyboard.json", load: load)
    var deadlines = HostDeadlines()
    deadlines.restart = 1
    deadlines.maximumFailures = .max
    // A busy machine starts a Python keyboard slowly.
    deadlines.start = 30_000
    configuration = choices.configuration(hostVersion: "0")
    driver = HostDriver(
      core: HostCore(configuration: configuration, deadlines: deadlines),
      starter: KeyboardStarter(
        paths: paths, choices: choices, launcher: launcher, profile: profile, hostEnvironment: [:]),
      log: try AuditLog(path: paths.auditLog, dailyBudget: .max))
    driver.onEffect = { [unowned self] effect in
      switch effect {
      case .handled(let input):
        handled += 1
        if case .keyboard = input.handler { byKeyboard += 1 }
      case .present(let presentation): isShown = !presentation.layout.isSystem
      default: break
      }
    }
    for id in [document, secret] {
      var traits = TextInputTraits()
      if id == secret { traits.isSecureTextEntry = .known(true) }
      driver.feed(.open(id, app: nil, answer: .notImplemented, traits: traits, text: ""))
    }
    driver.feed(.focus(document))
  }

  func cycle(_ count: Int) throws {
    for _ in 0..<count {
      try wait { isShown }
      try type("abc")
    }
    report(document)
  }

  func startAll() throws {
    for keyboard in configuration.keyboards {
      driver.feed(.user(.selectKeyboard(keyboard.identifier)))
      try wait { isShown }
      try type("ab")
    }
    report(document)
  }

  func typeSecurely() throws {
    driver.feed(.focus(secret))
    try type("12")
    report(secret)
    driver.feed(.focus(document))
  }

  func idle(milliseconds: UInt64) throws {
    let end = MonotonicClock.nanoseconds + milliseconds * 1_000_000
    var turns = 0
    while MonotonicClock.nanoseconds < end {
      try driver.turn(milliseconds: milliseconds)
      turns += 1
    }
    say("\(turns)")
  }

  private func type(_ text: String) throws {
    for character in text {
      let before = handled
      driver.feed(.user(.character(String(character))))
      try wait { handled > before }
    }
  }

  private func report(_ id: DocumentID) {
    say("\(byKeyboard) \(driver.core.text(of: id)?.text ?? "")")
  }

  private func wait(_ condition: () -> Bool) throws {
    let end = MonotonicClock.nanoseconds + 60_000_000_000
    while !condition() {
      guard MonotonicClock.nanoseconds < end else {
        say("waited for a minute in vain")
        exit(1)
      }
      try driver.turn(milliseconds: 1_000)
    }
  }
}
