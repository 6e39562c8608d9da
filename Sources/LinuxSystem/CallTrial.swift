import CLinux

/// One system call, made for real in a process that reaches little of this machine: it has namespaces
/// of its own of every kind, an empty root, no descriptor, hardly any memory to take, and is nobody
/// when this process is root's. Calls that act on what no namespace divides, such as the user's keys,
/// are for ``isLetThrough()``, which makes none.
public struct CallTrial: Sendable {
  /// How the call gets to the kernel.
  public enum Way: Int32, Sendable {
    /// As code of this machine's architecture makes it; x32's numbers, too.
    case native = 0
    /// As 32-bit code of an x86 makes it: `int $0x80`.
    case i386 = 1
  }

  /// What became of the call.
  public enum Outcome: Sendable, Equatable {
    /// It returned this: a descriptor, a number, 0.
    case returned(Int64)
    case failed(Errno)
    /// The process ended in it, by a filter or by what the call does.
    case ended(ProcessStatus)
    /// It had not returned when its time was up.
    case stillRunning
  }

  /// Why the call could not be tried.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What could not be done.
    public var step: String
    /// Nil where the kernel gave no reason.
    public var errno: Errno?

    public var description: String { "\(step)\(errno.map { ": \($0)" } ?? "")" }
  }

  /// Programs of 8 bytes an instruction, the oldest first.
  public var filters: [[UInt8]]
  public var number: Int64
  /// Six, in their order.
  public var arguments: [UInt64]
  public var way: Way
  /// How long the call may take, in milliseconds.
  public var patience: UInt32

  public init(
    filters: [[UInt8]], number: Int64, arguments: [UInt64], way: Way = .native,
    patience: UInt32 = 1_000
  ) {
    self.filters = filters
    self.number = number
    self.arguments = arguments
    self.way = way
    self.patience = patience
  }

  /// Makes the call under the filters, and says what the kernel did.
  public func run() throws(Failure) -> Outcome {
    let found = try attempt(onlyJudged: false)
    if found.step == CLINUX_TRIAL_RETURNED {
      if found.value < 0, found.value >= -4095 {
        return .failed(Errno(rawValue: Int32(-found.value)))
      }
      return .returned(found.value)
    }
    if found.timed_out != 0 { return .stillRunning }
    return .ended(Self.status(found.status))
  }

  /// Has the kernel judge the call by the filters, and does not make it.
  ///
  /// - Returns: whether all of them let it through; a filter that leaves the call to a supervisor
  ///   or a tracer does not.
  public func isLetThrough() throws(Failure) -> Bool {
    try attempt(onlyJudged: true).let_through != 0
  }

  private func attempt(onlyJudged: Bool) throws(Failure) -> clinux_trial_result {
    var result = clinux_trial_result()
    var trial = clinux_trial()
    trial.way = way.rawValue
    trial.only_judged = onlyJudged ? 1 : 0
    trial.number = number
    trial.milliseconds = patience
    let a = (arguments + [0, 0, 0, 0, 0, 0]).prefix(6)
    trial.arguments = (a[0], a[1], a[2], a[3], a[4], a[5])
    let instructions = filters.flatMap(\.self)
    let counts = filters.map { UInt32($0.count / 8) }
    trial.filter_count = UInt32(counts.count)
    let error = unsafe instructions.withUnsafeBytes { bytes in
      unsafe counts.withUnsafeBufferPointer { lengths in
        unsafe clinux_trial(&trial, bytes.baseAddress, lengths.baseAddress, &result)
      }
    }
    if error < 0 {
      throw Failure(step: "no process could be made", errno: Errno(rawValue: Int32(-error)))
    }
    if Int(result.step) < CLINUX_TRIAL_FILTERED { throw failure(result) }
    return result
  }

  private func failure(_ result: clinux_trial_result) -> Failure {
    let step =
      switch Int(result.step) {
      case CLINUX_TRIAL_STARTED:
        "this kernel gives no namespaces to try the call in (`keyhost doctor` names the setting)"
      case CLINUX_TRIAL_NAMESPACES: "no empty root could be made to try the call in"
      case CLINUX_TRIAL_ROOT: "no process could be made to try the call in"
      default: "the kernel did not take the filter"
      }
    if result.error != 0 { return Failure(step: step, errno: Errno(rawValue: result.error)) }
    guard result.status >= 0 else { return Failure(step: step, errno: nil) }
    return Failure(step: "\(step): the process \(Self.status(result.status))", errno: nil)
  }

  /// wait(2)'s word: the low seven bits are the signal, bit 7 tells of a core file.
  private static func status(_ word: Int32) -> ProcessStatus {
    word & 0x7f == 0
      ? .exited(word >> 8 & 0xff) : .signaled(word & 0x7f, coreDumped: word & 0x80 != 0)
  }
}
