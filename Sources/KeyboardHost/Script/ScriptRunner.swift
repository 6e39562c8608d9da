import LinuxSystem
import PluginProtocol
import TerminalText
import TextInput

/// Feeds a host from a descriptor: text that is typed, or a script of events, one a line.
///
/// A line is taken when everything before it has been handled, as if a person had waited to see
/// it; the characters of a text are typed one after another without waiting.
public final class ScriptRunner {
  public enum Source: Sendable { case text, events }

  /// Stops reading while so many inputs wait, so that a fast source costs no memory.
  private static let fullQueue = 256

  private let driver: HostDriver
  private let descriptor: Int32
  private let source: Source
  /// Hears what is wrong with the input and where. The rest is still handled.
  private let onFault: (String) -> Void

  /// Takes the next lines of a text instead of the one that types them, for as long as it is there, and
  /// says whether it took one; what it does not take is typed. Nil stands for the end of the input.
  public var takeLine: ((String?) -> Bool)?
  private var held: [UInt8] = []
  private var typed = TypedText()
  private var characters = Queue<String>()
  private var steps = Queue<ScriptStep>()
  /// Characters whose keys are tapped one by one.
  private var presses = Queue<Character>()
  private var line: [UInt8] = []
  private var isSkippingLine = false
  private var lineNumber = 0
  private var hasEnded = false
  private var token: PollLoop.Token?
  private var waitUntil: HostTime?
  /// Until when an answer about a word is waited for, as a person sees the suggestions before the
  /// next key.
  private var wordDeadline: HostTime?
  /// The longest wait for a word, in milliseconds.
  private static let wordPatience: UInt64 = 2_000

  public init(
    driver: HostDriver, descriptor: Int32, source: Source, onFault: @escaping (String) -> Void
  ) {
    self.driver = driver
    self.descriptor = descriptor
    self.source = source
    self.onFault = onFault
  }

  /// Runs until the source has ended and everything in it has been handled.
  public func run() throws(Errno) {
    while true {
      feed()
      if hasEnded, characters.isEmpty, presses.isEmpty, steps.isEmpty, waitUntil == nil,
        driver.core.pendingInputs == 0
      {
        break
      }
      updateWatch()
      try driver.turn(milliseconds: waitLeft)
    }
    if let token { driver.loop.unwatch(token) }
  }

  private var waitLeft: UInt64? {
    guard let waitUntil = waitUntil ?? wordDeadline else { return nil }
    let now = MonotonicClock.nanoseconds
    return waitUntil.nanoseconds > now ? (waitUntil.nanoseconds - now) / 1_000_000 + 1 : 0
  }

  private func updateWatch() {
    let wants = !hasEnded && characters.count < Self.fullQueue && steps.count < Self.fullQueue
    if wants, token == nil {
      token = driver.loop.watch(descriptor, for: .input) { [unowned self] _ in read() }
    } else if !wants, let token {
      driver.loop.unwatch(token)
      self.token = nil
    }
  }

  private func read() {
    do {
      let bytes = try FileDescriptor.read(from: descriptor, upTo: 16_384)
      if bytes.isEmpty { hasEnded = true }
      switch source {
      case .text: takeText(offering(bytes))
      case .events: takeLines(bytes)
      }
    } catch Errno.wouldBlock {
      return
    } catch {
      onFault("standard input cannot be read: \(error)")
      hasEnded = true
    }
  }

  /// What is left to be typed of what came.
  private func offering(_ bytes: [UInt8]) -> [UInt8] {
    guard takeLine != nil || !held.isEmpty else { return bytes }
    held += bytes
    var rest: [UInt8] = []
    while let takeLine, let end = held.firstIndex(of: UInt8(ascii: "\n")) {
      let line = held[..<end]
      if !takeLine(String(decoding: line, as: UTF8.self)) { rest += held[...end] }
      held.removeSubrange(...end)
    }
    while hasEnded, let takeLine, takeLine(nil) {}
    // A line that goes on without end is no answer.
    if takeLine == nil || hasEnded || held.count > 1024 {
      rest += held
      held = []
    }
    return rest
  }

  private func takeText(_ bytes: [UInt8]) {
    var whole: [String] = []
    do throws(TypedText.Fault) {
      try typed.append(bytes, isLast: hasEnded, into: &whole)
    } catch {
      onFault("standard input, \(error); what stands before it is typed")
      hasEnded = true
    }
    for character in whole { characters.append(character) }
  }

  private func takeLines(_ bytes: [UInt8]) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else if line.count < 1 << 20 {
        line.append(byte)
      } else {
        isSkippingLine = true
      }
    }
    if hasEnded, !line.isEmpty { endLine() }
  }

  private func endLine() {
    lineNumber += 1
    defer {
      line.removeAll(keepingCapacity: true)
      isSkippingLine = false
    }
    if isSkippingLine {
      return loseFocus("it is longer than 1 MiB")
    }
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
    do {
      steps.append(try ScriptStep(decoding: line))
    } catch {
      loseFocus("column \(error.column): \(error.message)")
    }
  }

  /// A line that was not understood may have been about the focus or about what the field is, so
  /// nothing may be typed into the field before it: that could be a secret for another.
  private func loseFocus(_ fault: String) {
    onFault(
      "standard input, line \(lineNumber) is not an event, and is skipped (\(fault)). It might have "
        + "moved the focus: nothing is typed before the next \"focus\"")
    steps.append(.input(.focus(nil)))
  }

  private func feed() {
    while driver.core.pendingInputs < Self.fullQueue, let character = characters.removeFirst() {
      driver.feed(.user(.character(character)))
    }
    while characters.isEmpty, driver.core.pendingInputs == 0 {
      if let until = waitUntil {
        guard MonotonicClock.nanoseconds >= until.nanoseconds else { return }
        waitUntil = nil
      }
      if isWaitingForWord { return }
      if let character = presses.removeFirst() {
        press(character)
        continue
      }
      guard let step = steps.removeFirst() else { return }
      switch step {
      case .input(let input): driver.feed(input)
      case .text(let text):
        for character in text { characters.append(String(character)) }
        while driver.core.pendingInputs < Self.fullQueue, let character = characters.removeFirst() {
          driver.feed(.user(.character(character)))
        }
      case .keys(let text): for character in text { presses.append(character) }
      case .wait(let milliseconds):
        waitUntil = HostTime(nanoseconds: MonotonicClock.nanoseconds)
          .adding(milliseconds: milliseconds)
      }
    }
  }

  /// Whether somebody is still finding out about the word that was tapped last.
  private var isWaitingForWord: Bool {
    guard driver.words != nil, driver.core.awaitsWord else {
      wordDeadline = nil
      return false
    }
    let now = HostTime(nanoseconds: MonotonicClock.nanoseconds)
    let deadline = wordDeadline ?? now.adding(milliseconds: Self.wordPatience)
    wordDeadline = deadline
    return now < deadline
  }

  /// Taps the key for a character, and before it the keys it takes to get there. A letter is tapped
  /// as it is shown, when that is a capital; a capital is what shift is tapped for.
  private func press(_ character: Character) {
    for _ in 0..<4 {
      guard let layout = driver.core.shownLayout else { break }
      guard let next = Self.nextKey(for: character, in: layout) else { break }
      driver.feed(.user(.event(.tap(key: next.key.id))))
      if next.isLast { return }
    }
    onFault(
      "standard input, `keys`: the keyboard that is shown has no key for "
        + "`\(VisibleText.escape(String(character)))`")
  }

  static func nextKey(
    for character: Character, in layout: KeyboardLayout
  ) -> (key: Key, isLast: Bool)? {
    let keys = layout.rows.joined()
    let role: KeyRole? =
      switch character {
      case "\u{8}": .delete
      case "\n": .return
      case " ": .space
      default: nil
      }
    if let role { return keys.first { $0.role == role }.map { ($0, true) } }
    let text = String(character)
    if let key = layout.key(typing: text) { return (key, true) }
    if let key = layout.key(typing: text.uppercased()) { return (key, true) }
    if layout.key(typing: text.lowercased()) != nil {
      return keys.first { $0.role == .shift }.map { ($0, false) }
    }
    return SystemKeyboard.planeKeys(for: character).lazy.compactMap { layout.key(id: $0) }.first
      .map { ($0, false) }
  }
}
