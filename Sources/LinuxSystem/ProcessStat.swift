/// The line of a process's stat file, proc_pid_stat(5). It is taken as bytes: the program chooses the
/// name in it, and a letter that joins its neighbours would hide a parenthesis among characters.
public struct ProcessStat: Sendable {
  /// From the state, the third field, on.
  private let fields: [ArraySlice<UInt8>]

  /// Nil when the bytes are no such line.
  public init?(_ bytes: [UInt8]) {
    // The name before the last parenthesis may hold anything, parentheses as well.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    fields = bytes[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    if fields.isEmpty { return nil }
  }

  /// A field that is a number, by the manual's count; nil if there is none.
  public func number(_ field: Int) -> Int? {
    guard field > 3, field - 3 < fields.count else { return nil }
    return Int(String(decoding: fields[field - 3], as: UTF8.self))
  }

  /// Field 3, one letter.
  public var state: UInt8 { fields[0].first ?? 0 }

  /// Whether the process only waits for its parent to take note.
  public var hasEnded: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

  /// Field 22: when the process began, in clock ticks since the system did.
  public var startTime: Int? { number(22) }

  /// Field 9: PF_KTHREAD of linux/sched.h.
  public var isKernelThread: Bool { (number(9) ?? 0) & 0x20_0000 != 0 }
}
