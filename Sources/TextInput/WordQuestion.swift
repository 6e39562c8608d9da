/// What the system keyboard wants to know about the word that is being typed.
public struct WordQuestion: Sendable, Equatable {
  /// The longest word that is asked about, in bytes of UTF-8.
  public static let maximumBytes = 128

  /// The word up to the cursor, with straight apostrophes.
  public var word: String
  /// Whether it may be corrected.
  public var wantsCorrection: Bool
  /// Whether words that begin like it are wanted.
  public var wantsPrediction: Bool
  /// Whether the user's own words may be in the answer.
  public var allowsLexicon: Bool

  /// Makes a question.
  public init(
    word: String, wantsCorrection: Bool, wantsPrediction: Bool, allowsLexicon: Bool = true
  ) {
    self.word = word
    self.wantsCorrection = wantsCorrection
    self.wantsPrediction = wantsPrediction
    self.allowsLexicon = allowsLexicon
  }
}
