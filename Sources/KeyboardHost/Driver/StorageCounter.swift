import LinuxSystem
import NetworkBroker
import SandboxLaunch
import Synchronization

/// Counts what keyboards keep, for each in a thread of its own: whatever there is to count of one, and
/// however long it keeps others from it, no key waits and no other keyboard goes uncounted.
///
/// Not `Sendable`: the loop's thread owns it.
final class StorageCounter {
  /// What the threads share with the owner; it lives as long as any of them.
  private final class Shared: Sendable {
    let finished = Mutex<[(ticket: UInt64, finding: any Sendable)]>([])
    let end: FileDescriptor

    init(end: consuming FileDescriptor) { self.end = end }
  }

  private let shared: Shared
  /// A byte comes from it for each finding.
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

  /// Has something counted, and returns at once: `found` is called in a later turn of the loop.
  /// - Throws: the error of pthread_create(3); `found` is not called then.
  func submit<Finding: Sendable>(
    _ count: @escaping @Sendable () -> Finding, found: @escaping (Finding) -> Void
  ) throws(Errno) {
    lastTicket += 1
    let ticket = lastTicket
    try DetachedThread.begin { [shared] in
      let finding = count()
      shared.finished.withLock { $0.append((ticket, finding)) }
      // When it is full, the loop has not yet looked: it finds this as well.
      _ = try? shared.end.write([1])
    }
    waiting[ticket] = { finding in
      if let finding = finding as? Finding { found(finding) }
    }
  }

  private func deliver() {
    _ = try? end.read(upTo: 4_096)
    let finished = shared.finished.withLock { finished in
      defer { finished = [] }
      return finished
    }
    for (ticket, finding) in finished { waiting.removeValue(forKey: ticket)?(finding) }
  }
}
