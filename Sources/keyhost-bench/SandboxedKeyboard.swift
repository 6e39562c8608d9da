import KeyboardHost
import LinuxSystem
import PluginProtocol
import TextInput

/// The whole product under measurement: the host as `keyhost type` runs it, with one keyboard in
/// its sandbox.
final class SandboxedKeyboard {
  private static let document = DocumentID("document")
  /// Its keyboard is started anew for each focus.
  private static let incognito = DocumentID("incognito")
  /// So long without an answer means that something is wrong, in milliseconds.
  private static let patience = 10_000.0

  private let host: LocalHost
  private let configuration: HostConfiguration
  private var handled: HandledInput?
  private var isShown = false
  private var problem: String?
  /// The bytes of the last event message, newline included: what a raw pipe is given as well.
  private(set) var eventBytes = 0
  private(set) var initializeLine: [UInt8] = []

  /// - Parameter keyboard: an installed and enabled keyboard.
  init(_ keyboard: String) throws {
    do {
      host = try LocalHost(preferring: keyboard)
    } catch {
      throw BenchError("\(error)")
    }
    configuration = host.choices.configuration(hostVersion: HostVersion.current, first: keyboard)
    guard configuration.keyboards.first?.identifier == keyboard else {
      throw BenchError("the keyboard \(keyboard) is not installed and enabled")
    }
    host.onMessage = { [unowned self] in problem = $0 }
    host.driver.onEffect = { [unowned self] effect in
      switch effect {
      case .handled(let input): handled = input
      case .present(let presentation): isShown = !presentation.layout.isSystem
      case .rejected(let message): problem = message
      default: break
      }
    }
    host.driver.onMessage = { [unowned self] _, message in
      switch message {
      case .event: eventBytes = message.encoded().count
      case .initialize: initializeLine = message.encoded()
      default: break
      }
    }
    host.begin()
    host.driver.feed(
      .open(
        Self.document, app: nil, answer: .notImplemented, traits: TextInputTraits(),
        text: String(repeating: "typed before, ", count: 20)))
    var traits = TextInputTraits()
    traits.isPrivate = .known(true)
    host.driver.feed(
      .open(Self.incognito, app: nil, answer: .notImplemented, traits: traits, text: ""))
    host.driver.feed(.focus(Self.document))
    try wait { isShown }
    // Encoding a message a second time is the bench's own work, not the product's.
    _ = try tap("a")
    _ = try tap("delete")
    host.driver.onMessage = nil
  }

  /// Taps a key and waits until its edit is in the document.
  /// - Returns: microseconds.
  func tap(_ key: String) throws -> Double {
    handled = nil
    let duration = try Clock.measure {
      host.driver.feed(.user(.event(.tap(key: key))))
      try wait { handled != nil }
    }
    guard let input = handled, case .keyboard = input.handler, !input.transaction.edits.isEmpty
    else {
      throw BenchError("the keyboard did not handle a key: \(handled?.reason.description ?? "")")
    }
    return duration
  }

  /// Ends the keyboard's process, then starts another and waits until it has shown its keys.
  /// - Returns: microseconds of the start alone.
  func launch() throws -> Double {
    var without = configuration
    without.keyboards = []
    host.driver.feed(.configuration(without))
    try wait { !isShown }
    return try Clock.measure {
      host.driver.feed(.configuration(configuration))
      try wait { isShown }
    }
  }

  /// Gives the focus to an incognito field and waits until the instance that serves it has shown its
  /// keys, then gives it back.
  /// - Returns: microseconds of the first part: the ordinary instance is stopped in it as well.
  func launchIncognito() throws -> Double {
    let duration = try Clock.measure {
      host.driver.feed(.focus(Self.incognito))
      try wait { isShown }
    }
    host.driver.feed(.focus(Self.document))
    try wait { isShown }
    return duration
  }

  /// Handles what is left to do, such as a message that is not part of any answer.
  func settle() throws {
    do { try host.driver.turn(milliseconds: 0) } catch { throw BenchError("\(error)") }
  }

  func end() { host.driver.shutDown() }

  private func wait(_ condition: () -> Bool) throws {
    let start = Clock.now()
    while !condition() {
      if let problem { throw BenchError(problem) }
      if Clock.now() - start > Self.patience * 1000 { throw BenchError("the keyboard hangs") }
      do { try host.driver.turn(milliseconds: 1000) } catch { throw BenchError("\(error)") }
    }
  }
}
