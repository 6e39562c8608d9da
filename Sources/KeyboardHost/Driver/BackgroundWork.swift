import LinuxSystem
import NetworkBroker
import Synchronization

/// What takes its time, such as counting what a keyboard keeps: each in a thread of its own, so that however
/// long one takes, no key and nothing else waits for it.
///
/// Not `Sendable`: the loop's thread owns it.
final class BackgroundWork {
  /// What the threads share with the owner; it lives as long as any of them.
  private final class Shared: Sendable {
    let finished = Mutex<[(ticket: UInt64, result: any Sendable)]>([])
    let end: FileDescriptor

    init(end: consuming FileDescriptor) { self.end = end }
  }

  private let shared: Shared
  /// A byte comes from it for each result.
  private let end: FileDescriptor
  private let loop: PollLoop
  private var token: PollLoop.Token?
  private var waiting: [UInt64: (any Sendable) -> Void] = [:]
  private var lastTicket: UInt64 = 0

  init(loop: PollLoop) throws(Errno) {
    let pair = try StreamSocket.pair()
    shared = Shared(end: try pair.second.duplicate())
    end = pair.closeSecond()
    self.loop = loop
    token = loop.watch(end.rawValue, for: .input) { [unowned self] _ in deliver() }
  }

  deinit { if let token { loop.unwatch(token) } }

  /// Has something done, and returns at once: `done` is called in a later turn of the loop.
  /// - Throws: the error of pthread_create(3); `done` is not called then.
  func submit<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, done: @escaping (Result) -> Void
  ) throws(Errno) {
    lastTicket += 1
    let ticket = lastTicket
    try DetachedThread.begin { [shared] in
      let result = work()
      shared.finished.withLock { $0.append((ticket, result)) }
      // When it is full, the loop has not yet looked: it finds this as well.
      _ = try? shared.end.write([1])
    }
    waiting[ticket] = { result in
      if let result = result as? Result { done(result) }
    }
  }

  private func deliver() {
    _ = try? end.read(upTo: 4_096)
    let finished = shared.finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
    for (ticket, result) in finished { waiting.removeValue(forKey: ticket)?(result) }
  }
}
