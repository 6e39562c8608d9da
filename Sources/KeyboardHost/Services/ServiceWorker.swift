import Glibc
import LinuxSystem
import NetworkBroker
import Synchronization

/// Answers questions to a service one after the other in a thread of its own, which may take as long as
/// it likes: nobody waits for it.
final class ServiceWorker: Sendable {
  private final class Shared: Sendable {
    struct State {
      var jobs: [(ticket: UInt64, question: ServiceQuestion)] = []
      var finished: [(ticket: UInt64, answer: ServiceAnswer)] = []
    }
    let state = Mutex(State())
    let end: FileDescriptor
    let sources: ServiceSources

    init(end: consuming FileDescriptor, sources: ServiceSources) {
      self.end = end
      self.sources = sources
    }

    func run() {
      // Of this thread alone, as Linux has it (setpriority(2), NOTES): keys go first.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      while let bytes = try? end.read(upTo: 64), !bytes.isEmpty {
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
          let answer = sources.answer(job.question)
          state.withLock { $0.finished.append((job.ticket, answer)) }
          guard (try? end.write([1])) != nil else { return }
        }
      }
    }
  }

  private let shared: Shared
  /// A byte to it for each question, a byte from it for each answer.
  private let end: FileDescriptor

  /// Begins the thread, which ends with this object and the question that it is at.
  init(sources: ServiceSources) throws(Errno) {
    let pair = try StreamSocket.pair()
    try StreamSocket.setBlocking(pair.second.rawValue)
    shared = Shared(end: try pair.second.duplicate(), sources: sources)
    end = pair.closeSecond()
    try DetachedThread.begin { [shared] in shared.run() }
  }

  /// Readable when ``takeFinished()`` may have something.
  var descriptor: Int32 { end.rawValue }

  func submit(ticket: UInt64, _ question: ServiceQuestion) {
    shared.state.withLock { $0.jobs.append((ticket, question)) }
    _ = try? end.write([1])
  }

  /// The answers that were found since.
  func takeFinished() -> [(ticket: UInt64, answer: ServiceAnswer)] {
    _ = try? end.read(upTo: 64)
    return shared.state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
  }
}
