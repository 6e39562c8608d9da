import TextInput

/// The words that are typed on the system keyboard: questions about them, answers, and picks.
extension HostCore {
  /// Asks about the word before the cursor, once for each text, when the system keyboard is shown.
  /// The key that led to it is handled by then.
  func askAboutWord(of document: HostedDocument) {
    guard !isShuttingDown, isSystemKeyboardShown, document.askedRevision != document.text.revision
    else { return }
    document.askedRevision = document.text.revision
    document.awaitsWord = false
    guard
      let question = document.systemKeyboard.question(
        in: document.text, traits: document.typingTraits)
    else { return }
    document.awaitsWord = true
    emit(.ask(document.id, revision: document.text.revision, question))
  }

  /// Takes an answer, unless the document is another by now or is closed.
  func take(_ answer: WordAnswer, for id: DocumentID, _ revision: UInt64) {
    guard let document = documents[id], document.text.revision == revision else { return }
    document.awaitsWord = false
    document.systemKeyboard.take(answer, in: document.text, traits: document.typingTraits)
  }

  /// Whether the document in focus has a word that was asked about and not answered yet.
  var awaitsWord: Bool { focused.flatMap { documents[$0] }?.awaitsWord ?? false }

  /// Whether a pick is from a bar that is no longer the document's: its text is another by now, or
  /// the system keyboard's bar, which the person saw, shows no such suggestion.
  func isOutdated(_ pick: String, _ queued: QueuedInput, _ document: HostedDocument) -> Bool {
    if queued.revision != document.text.revision { return true }
    guard queued.layout?.isSystem == true else { return false }
    return !document.systemKeyboard.suggestions(for: document.text).contains(pick)
  }
}
