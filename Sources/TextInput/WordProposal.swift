/// What the system keyboard offers for the word before the cursor.
struct WordProposal: Sendable, Equatable {
  /// The revision of the document that it is for, and for no other.
  var revision: UInt64
  var answer: WordAnswer
  var bar: SuggestionBar
}
