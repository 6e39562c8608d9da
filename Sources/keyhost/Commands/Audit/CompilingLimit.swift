import ClassicBPF
import Glibc
import TerminalText

/// Bounds the reading of a policy and the compiling by libseccomp, which counts no steps and does not
/// finish with some policies: the program then ends with the exit code 1 and a message that names
/// the call.
///
/// Of one thread at a time: the limit is the process's.
struct CompilingLimit {
  /// The processor time that goes with ``InputSets/ordinaryBudget``, in seconds. The policies in
  /// use take less than one.
  static let ordinarySeconds = 10

  /// What a signal handler writes. The new one is in place before the one before it is freed.
  nonisolated(unsafe) private static var message = unsafe UnsafeMutableBufferPointer<UInt8>(
    start: nil, count: 0)

  private let file: String
  private let hasOption: Bool
  let seconds: Int

  /// - Parameters:
  ///   - file: what is read, for the message.
  ///   - budget: the steps that a question may take: with more of them there is more time.
  ///   - hasOption: whether the command has an option for them.
  init(file: String, budget: Int, hasOption: Bool) {
    self.file = file
    self.hasOption = hasOption
    seconds = Self.ordinarySeconds * min(max(1, (budget - 1) / InputSets.ordinaryBudget + 1), 1_000)
  }

  /// Starts the time.
  func start() {
    reached("the reading of the policy")
    signal(SIGPROF) { _ in
      _ = unsafe write(2, CompilingLimit.message.baseAddress, CompilingLimit.message.count)
      _exit(1)
    }
    set(seconds)
  }

  /// The compiling is at a call or another place now.
  func reached(_ place: String) {
    let text =
      "keyhost: \(VisibleText.escape(file)): gave up at \(VisibleText.escape(place)): reading and "
      + "compiling take more than \(seconds) seconds of "
      + "processor time, so nothing is known of the whole. Fewer conditions in the rules of one call "
      + "take less"
      + (hasOption ? "; a `--budget` above \(InputSets.ordinaryBudget) steps allows more\n" : "\n")
    let old = unsafe Self.message
    let new = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = unsafe new.initialize(from: text.utf8)
    unsafe Self.message = unsafe new
    unsafe old.deallocate()
  }

  /// The time is over, in time.
  func end() { set(0) }

  private func set(_ seconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_sec = seconds
    _ = unsafe setitimer(Int32(ITIMER_PROF.rawValue), &timer, nil)
  }
}
