import TextInput

/// What the user tells the host itself to do with a text.
extension HostCore {
  func perform(_ command: EditingCommand, _ queued: QueuedInput, on document: HostedDocument) {
    var reason = HandledInput.Reason.editingCommand
    switch command {
    case .shake: ask(document)
    case .answerUndo(let answer): if !take(answer, on: document) { reason = .outdated }
    case .drag(let x, let y): drag(document, x, y)
    case .dragEnded: document.trackpad = TrackpadCursor()
    case .format(let command): format(document, command)
    }
    report(document, queued, .system, reason)
  }

  // MARK: Undo

  /// The question of a document, as long as its text is the one that the question is about.
  func undoPrompt(of document: HostedDocument) -> UndoPrompt? {
    guard let prompt = document.undoPrompt, prompt.revision == document.text.revision else {
      return nil
    }
    return prompt
  }

  /// Asks, where there is something to undo or to do again.
  private func ask(_ document: HostedDocument) {
    guard typing.settings[.shakeToUndo] else { return }
    let text = document.text
    document.undoPrompt =
      text.canUndo || text.canRedo
      ? UndoPrompt(revision: text.revision, canUndo: text.canUndo, canRedo: text.canRedo) : nil
  }

  /// - Returns: false when the question is no longer asked.
  private func take(_ answer: EditingCommand.UndoAnswer, on document: HostedDocument) -> Bool {
    guard let prompt = undoPrompt(of: document) else { return false }
    document.undoPrompt = nil
    let isDone: Bool
    switch answer {
    case .undo: isDone = prompt.canUndo && document.text.undo()
    case .redo: isDone = prompt.canRedo && document.text.redo()
    case .cancel: return true
    }
    if isDone { noteChange(of: document, cause: .user, text: true, selection: true) }
    return true
  }

  // MARK: The cursor

  /// The keys become a trackpad where they are the host's own.
  private func drag(_ document: HostedDocument, _ x: Double, _ y: Double) {
    guard typing.settings[.trackpadCursor] else {
      return emit(.rejected(message: "the setting `trackpadCursor` is off"))
    }
    guard document.id != focused || presentation(of: document).keyboard == nil else {
      return emit(.rejected(message: "the keyboard that is shown has no space key of the host's"))
    }
    let edits = document.trackpad.moved(x: x, y: y, in: document.text.context())
    let before = document.text.revision
    guard !edits.isEmpty, (try? document.text.apply(edits)) != nil,
      document.text.revision != before
    else { return }
    noteChange(of: document, cause: .user, text: false, selection: true)
  }

  /// Where the system keyboard's keys stand in the frame.
  var systemKeySpan: Range<Int> {
    var environment = configuration.environment
    environment.oneHanded = typing.settings.oneHanded
    return environment.keySpan
  }

  // MARK: The look of the text

  private func format(_ document: HostedDocument, _ command: RichTextCommand) {
    guard typing.settings[.richText] else {
      return emit(.rejected(message: "the setting `richText` is off"))
    }
    guard TypingRules.allow(.richText, in: document.typingTraits) else {
      return emit(
        .rejected(message: "the look of the text of \"\(document.id)\" cannot be changed"))
    }
    emit(.format(document.id, command))
  }
}
