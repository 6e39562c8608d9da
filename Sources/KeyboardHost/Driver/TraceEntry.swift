import LinuxSystem
import TerminalText

/// One thing that happened between the host and a keyboard, for an author who looks on.
///
/// It holds what was typed: see ``LocalHost/trace(to:hearing:)``.
public struct TraceEntry: Sendable, Equatable {
  public enum Content: Sendable, Equatable {
    /// A line of the protocol that the host sent, without its line feed.
    case toKeyboard([UInt8])
    /// A line of the protocol that came, as it came, before anything was made of it.
    case fromKeyboard([UInt8])
    /// What the host did with the process, or made of a line.
    case note(String)
  }

  /// Since the trace began, in microseconds.
  public var microseconds: UInt64
  /// The keyboard's id.
  public var keyboard: String
  /// Which of its processes, counted over all keyboards of this host.
  public var instance: InstanceID
  public var content: Content

  public init(
    microseconds: UInt64, keyboard: String, instance: InstanceID, content: Content
  ) {
    self.microseconds = microseconds
    self.keyboard = keyboard
    self.instance = instance
    self.content = content
  }

  /// One line for people: time, direction, keyboard, line. Whatever a keyboard says, it moves no
  /// cursor and begins no line of its own.
  public var text: String {
    let fraction = String(microseconds % 1_000_000)
    let time =
      "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    let (arrow, line) =
      switch content {
      case .toKeyboard(let bytes): ("->", String(decoding: bytes, as: UTF8.self))
      case .fromKeyboard(let bytes): ("<-", String(decoding: bytes, as: UTF8.self))
      case .note(let note): ("--", note)
      }
    return "\(time) \(arrow) \(VisibleText.escape(keyboard))#\(instance.rawValue) "
      + VisibleText.escape(line)
  }
}
