import CommandLineInterface
import KeyboardHost
import PluginManifest
import TerminalText

/// Asks the person who types at a terminal about services, without keeping a key waiting: the question
/// stands there, and a line that is an answer is not typed.
///
/// The keyboard chooses when to ask, and it sees what is being typed. So an answer is nothing that
/// anybody types as text: it has a number in it that stands in the question, which the keyboard
/// cannot read.
final class ServicePrompt {
  private let console: Console
  private let host: LocalHost
  private let runner: ScriptRunner
  private var number = 0
  private var waiting: [(keyboard: String, service: KeyboardService)] = []

  init(console: Console, host: LocalHost, runner: ScriptRunner) {
    self.console = console
    self.host = host
    self.runner = runner
  }

  func ask(_ keyboard: String, _ service: KeyboardService) {
    waiting.append((keyboard, service))
    if waiting.count == 1 { showFirst() }
  }

  private func showFirst() {
    guard let (keyboard, service) = waiting.first else {
      runner.takeLine = nil
      return
    }
    let usage =
      host.choices.keyboard(keyboard)?.installed.manifest.usageDescriptions[service] ?? ""
    number = Int.random(in: 1_000...9_999)
    console.printError(
      "\(host.displayName(keyboard)) asks to be told \(service.meaning). It says why: "
        + "\(VisibleText.escape(usage, limit: 400))\nAllow it? A line `yes \(number)` allows it, "
        + "`no \(number)` does not; any other is typed.")
    runner.takeLine = { [unowned self] line in take(line) }
  }

  /// - Parameter line: nil at the end of the input.
  private func take(_ line: String?) -> Bool {
    let isAllowed: Bool
    switch line?.lowercased() {
    case "yes \(number)": isAllowed = true
    case nil, "no \(number)": isAllowed = false
    default: return false
    }
    let (keyboard, service) = waiting.removeFirst()
    if isAllowed { allow(keyboard, service) }
    host.driver.feed(.userDecided(keyboard: keyboard, service))
    showFirst()
    return true
  }

  private func allow(_ keyboard: String, _ service: KeyboardService) {
    do {
      let context = try HostContext()
      try context.choices.grant(service, to: keyboard, log: try context.openLog())
      host.reload()
      console.printError("`keyhost revoke \(keyboard) \(service.rawValue)` takes that back.")
    } catch {
      console.printError("keyhost: \(error)")
    }
  }
}
