import LinuxSystem

/// What a keyboard prints, at its standard output and error. It is taken in little by little: whoever
/// prints without end waits for the host, and not the host for it.
///
/// Not `Sendable`: the loop's thread owns it.
final class PrintedOutput {
  /// Bytes that are taken at once; the pipes hold no more.
  static let readSize = 4_096
  /// How often something is taken in at once, and then each second. A line that is printed by itself is
  /// one; what has to wait is taken by the page, which makes 128 KiB a second.
  static let burst = 128.0
  static let perSecond = 32.0
  /// How long nothing is taken when that is used up, in milliseconds.
  static let pause: UInt64 = 125

  private let loop: PollLoop
  private var descriptors: [Int32] = []
  private var readable: (Int32) -> Void = { _ in }
  private var watches: [Int32: PollLoop.Token] = [:]
  private var waiting: [Int32] = []
  private var budget = TokenBucket(burst: burst, perSecond: perSecond)
  private(set) var captured = CapturedOutput()
  /// When ``resume(at:)`` has something to do.
  private(set) var deadline: HostTime?

  init(loop: PollLoop) { self.loop = loop }

  /// - Parameter readable: is called with the descriptor at which something was printed, and calls
  ///   ``take(from:at:)``.
  func begin(_ descriptors: [Int32], readable: @escaping (Int32) -> Void) {
    self.descriptors = descriptors
    self.readable = readable
    for descriptor in descriptors { watch(descriptor) }
  }

  private func watch(_ descriptor: Int32) {
    watches[descriptor] = loop.watch(descriptor, for: .input) { [unowned self] _ in
      readable(descriptor)
    }
  }

  private func unwatch(_ descriptor: Int32) {
    if let token = watches.removeValue(forKey: descriptor) { loop.unwatch(token) }
  }

  /// Takes what is there, or leaves it there for a moment.
  func take(from descriptor: Int32, at now: HostTime) {
    if budget.take(at: now) {
      if !read(descriptor) { unwatch(descriptor) }
    } else {
      unwatch(descriptor)
      waiting.append(descriptor)
      deadline = deadline ?? now.adding(milliseconds: Self.pause)
    }
  }

  /// Looks again at what was left there, when it is time.
  func resume(at now: HostTime) {
    guard let due = deadline, due <= now else { return }
    deadline = nil
    for descriptor in waiting { watch(descriptor) }
    waiting = []
  }

  /// Takes the rest, whatever was taken before: the last thing a keyboard printed often says why it ended.
  func end() {
    for descriptor in descriptors {
      unwatch(descriptor)
      _ = read(descriptor)
    }
    waiting = []
    deadline = nil
  }

  /// - Returns: whether there can be more.
  private func read(_ descriptor: Int32) -> Bool {
    do {
      let bytes = try FileDescriptor.read(from: descriptor, upTo: Self.readSize)
      captured.append(bytes)
      return !bytes.isEmpty
    } catch {
      return error == .wouldBlock
    }
  }
}
