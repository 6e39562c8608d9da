import CLinux

/// The processors that the calling thread, and what it starts later, may run on.
public struct ProcessorAffinity: Sendable, Equatable {
  /// A bit for each processor, 1,024 in all.
  private var words: [UInt64]

  /// The set in force for the calling thread: sched_getaffinity(2).
  public static func current() throws(Errno) -> ProcessorAffinity {
    var words = [UInt64](repeating: 0, count: Int(CLINUX_AFFINITY_WORDS))
    _ = try Errno.check(unsafe clinux_get_affinity(&words))
    return ProcessorAffinity(words: words)
  }

  /// The lowest processor of this set alone.
  public var firstOnly: ProcessorAffinity {
    var result = ProcessorAffinity(words: words.map { _ in 0 })
    if let index = words.firstIndex(where: { $0 != 0 }) {
      result.words[index] = 1 << UInt64(words[index].trailingZeroBitCount)
    }
    return result
  }

  /// How many processors are in the set.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Puts the set in force for the calling thread: sched_setaffinity(2).
  public func apply() throws(Errno) {
    _ = try Errno.check(unsafe clinux_set_affinity(words))
  }
}
