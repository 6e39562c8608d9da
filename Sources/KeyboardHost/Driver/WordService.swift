import LinuxSystem
import TextInput

/// The loop's side of the questions about words: who asked last is called when the answer is there.
///
/// Not `Sendable`: one thread owns it.
public final class WordService {
  private let lookup: WordLookup
  private let loop: PollLoop
  private var token: PollLoop.Token?
  private var lastTicket: UInt64 = 0
  private var waiting: ((WordAnswer) -> Void)?

  /// - Parameter open: opens the dictionary, in another thread and at the first question; nil where
  ///   there is none.
  /// - Throws: when no thread can be made.
  public init(
    loop: PollLoop, predictor: WordPredictor,
    open: @escaping @Sendable () -> (any SpellingDictionary)?
  ) throws(Errno) {
    lookup = try WordLookup(predictor: predictor, open: open)
    self.loop = loop
    token = loop.watch(lookup.descriptor, for: .input) { [unowned self] _ in deliver() }
  }

  deinit { if let token { loop.unwatch(token) } }

  /// Asks, and returns at once. Of a question that was asked before nothing is heard any more.
  public func ask(_ question: WordQuestion, answer: @escaping (WordAnswer) -> Void) {
    lastTicket += 1
    waiting = answer
    lookup.submit(ticket: lastTicket, question)
  }

  private func deliver() {
    guard let finished = lookup.takeFinished(), finished.ticket == lastTicket else { return }
    let answer = waiting
    waiting = nil
    answer?(finished.answer)
  }
}
