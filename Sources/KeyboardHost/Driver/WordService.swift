import TextInput

/// The loop's side of the questions about words: who asked last is called when the answer is there.
///
/// The thread that answers begins with the first question: a host in which nobody types on the system
/// keyboard has none.
///
/// Not `Sendable`: one thread owns it.
public final class WordService {
  private let loop: PollLoop
  private let predictor: WordPredictor
  private let open: WordLookup.Opening
  private var lookup: WordLookup?
  private var token: PollLoop.Token?
  private var lastTicket: UInt64 = 0
  private var waiting: ((WordAnswer) -> Void)?

  /// - Parameter open: opens the dictionary, in another thread and at the first question; nil where
  ///   there is none.
  public init(
    loop: PollLoop, predictor: WordPredictor,
    open: @escaping @Sendable () -> (any SpellingDictionary)?
  ) {
    self.loop = loop
    self.predictor = predictor
    self.open = open
  }

  deinit { if let token { loop.unwatch(token) } }

  /// Asks, and returns at once. Of a question that was asked before nothing is heard any more. Where
  /// no thread can be made, the answer knows nothing.
  public func ask(_ question: WordQuestion, answer: @escaping (WordAnswer) -> Void) {
    guard let lookup = started() else { return answer(WordAnswer(word: question.word)) }
    lastTicket += 1
    waiting = answer
    lookup.submit(ticket: lastTicket, question)
  }

  private func started() -> WordLookup? {
    if let lookup { return lookup }
    guard let made = try? WordLookup(predictor: predictor, open: open) else { return nil }
    lookup = made
    token = loop.watch(made.descriptor, for: .input) { [unowned self] _ in deliver() }
    return made
  }

  private func deliver() {
    guard let finished = lookup?.takeFinished(), finished.ticket == lastTicket else { return }
    let answer = waiting
    waiting = nil
    answer?(finished.answer)
  }
}
