import LinuxSystem
import NetworkBroker
import SandboxLaunch
import Synchronization

/// Counts what keyboards keep in a thread of its own, one after the other in the order in which they were
/// asked for: whatever there is to count, no key waits for it.
///
/// Not `Sendable`: the loop's thread owns it.
final class StorageCounter {
  /// What the thread shares with the owner; it lives as long as either.
  private final class Shared: Sendable {
    struct State {
      var jobs: [(ticket: UInt64, check: StorageCheck)] = []
      var finished: [(ticket: UInt64, finding: StorageCheck.Finding)] = []
    }
    let state = Mutex(State())
    let end: FileDescriptor

    init(end: consuming FileDescriptor) { self.end = end }

    func run() {
      while let word = try? end.read(upTo: 1), !word.isEmpty {
        let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        guard let job else { continue }
        let finding = job.check.run()
        state.withLock { $0.finished.append((job.ticket, finding)) }
        _ = try? end.write([1])
      }
    }
  }

  private let shared: Shared
  /// A byte to it for each question, a byte from it for each finding.
  private let end: FileDescriptor
  private let loop: PollLoop
  private var token: PollLoop.Token?
  private var waiting: [UInt64: (StorageCheck.Finding) -> Void] = [:]
  private var lastTicket: UInt64 = 0

  /// Begins the thread, which ends with this object.
  init(loop: PollLoop) throws(Errno) {
    let pair = try StreamSocket.pair()
    try StreamSocket.setBlocking(pair.second.rawValue)
    shared = Shared(end: try pair.second.duplicate())
    end = pair.closeSecond()
    self.loop = loop
    try DetachedThread.begin { [shared] in shared.run() }
    token = loop.watch(end.rawValue, for: .input) { [unowned self] _ in deliver() }
  }

  deinit { if let token { loop.unwatch(token) } }

  /// Has something counted, and returns at once: `found` is called in a later turn of the loop.
  func submit(_ check: StorageCheck, found: @escaping (StorageCheck.Finding) -> Void) {
    lastTicket += 1
    waiting[lastTicket] = found
    let ticket = lastTicket
    shared.state.withLock { $0.jobs.append((ticket, check)) }
    _ = try? end.write([1])
  }

  private func deliver() {
    _ = try? end.read(upTo: 4_096)
    let finished = shared.state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
    for (ticket, finding) in finished { waiting.removeValue(forKey: ticket)?(finding) }
  }
}
