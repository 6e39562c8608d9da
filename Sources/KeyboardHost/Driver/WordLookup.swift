import Glibc
import LinuxSystem
import NetworkBroker
import Synchronization
import TextInput

/// Answers questions about words in a thread of its own: a dictionary may take as long as it likes,
/// and nobody waits for it. Only the last question counts; an earlier one that is not begun yet is
/// dropped.
final class WordLookup: Sendable {
  /// Opens a dictionary, in the thread, at the first question; nil where there is none.
  typealias Opening = @Sendable () -> (any SpellingDictionary)?

  /// What the thread shares with the owner; it lives as long as either.
  private final class Shared: Sendable {
    struct State {
      var job: (ticket: UInt64, question: WordQuestion)?
      var finished: (ticket: UInt64, answer: WordAnswer)?
    }
    static let niceness: Int32 = 10
    let state = Mutex(State())
    let end: FileDescriptor
    let predictor: WordPredictor
    let open: Opening

    init(end: consuming FileDescriptor, predictor: WordPredictor, open: @escaping Opening) {
      self.end = end
      self.predictor = predictor
      self.open = open
    }

    func run() {
      // Of this thread alone, as Linux has it (setpriority(2), NOTES): keys go first.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
      var dictionary: (any SpellingDictionary)?
      var isOpen = false
      while let bytes = try? end.read(upTo: 64), !bytes.isEmpty {
        let job = state.withLock { state in
          defer { state.job = nil }
          return state.job
        }
        guard let job else { continue }
        if !isOpen {
          isOpen = true
          dictionary = open()
        }
        let answer = predictor.answer(job.question, dictionary: dictionary)
        state.withLock { $0.finished = (job.ticket, answer) }
        _ = try? end.write([1])
      }
    }
  }

  private let shared: Shared
  /// A byte to it for each question, a byte from it for each answer.
  private let end: FileDescriptor

  /// Begins the thread, which ends with this object.
  init(predictor: WordPredictor, open: @escaping Opening) throws(Errno) {
    let pair = try StreamSocket.pair()
    try StreamSocket.setBlocking(pair.second.rawValue)
    shared = Shared(end: try pair.second.duplicate(), predictor: predictor, open: open)
    end = pair.closeSecond()
    try DetachedThread.begin { [shared] in shared.run() }
  }

  /// Readable when ``takeFinished()`` may have something.
  var descriptor: Int32 { end.rawValue }

  func submit(ticket: UInt64, _ question: WordQuestion) {
    shared.state.withLock { $0.job = (ticket, question) }
    _ = try? end.write([1])
  }

  /// The answer that was found since, if there is one.
  func takeFinished() -> (ticket: UInt64, answer: WordAnswer)? {
    _ = try? end.read(upTo: 64)
    return shared.state.withLock { state in
      defer { state.finished = nil }
      return state.finished
    }
  }
}
