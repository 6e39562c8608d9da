import TextInput

/// What the user tells the host itself to do with a text.
extension HostCore {
  func perform(_ command: EditingCommand, _ queued: QueuedInput, on document: HostedDocument) {
    var reason = HandledInput.Reason.editingCommand
    switch command {
    case .shake: if !ask(document) { reason = .notPossible }
    case .answerUndo(let answer): if !take(answer, on: document) { reason = .outdated }
    case .drag(let x, let y): if !drag(document, x, y) { reason = .notPossible }
    case .dragEnded: document.trackpad = TrackpadCursor()
    case .format(let command): if !format(document, command) { reason = .notPossible }
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

  /// The commands that a field and the settings allow, for a keyboard that is shown.
  func commands(for document: HostedDocument, isSystem: Bool) -> [EditingCommand.Kind] {
    EditingCommand.Kind.allCases.filter { kind in
      switch kind {
      case .shake: typing.settings[.shakeToUndo]
      case .drag: isSystem && typing.settings[.trackpadCursor]
      case .format:
        typing.settings[.richText] && TypingRules.allow(.richText, in: document.typingTraits)
      }
    }
  }

  /// Asks, where there is something to undo or to do again.
  /// - Returns: whether there is.
  private func ask(_ document: HostedDocument) -> Bool {
    guard typing.settings[.shakeToUndo] else { return false }
    let text = document.text
    document.undoPrompt =
      text.canUndo || text.canRedo
      ? UndoPrompt(revision: text.revision, canUndo: text.canUndo, canRedo: text.canRedo) : nil
    return document.undoPrompt != nil
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
  /// - Returns: whether they do.
  private func drag(_ document: HostedDocument, _ x: Double, _ y: Double) -> Bool {
    guard typing.settings[.trackpadCursor] else {
      emit(.rejected(message: "the setting `trackpadCursor` is off"))
      return false
    }
    guard document.id != focused || presentation(of: document).keyboard == nil else {
      emit(.rejected(message: "the keyboard that is shown has no space key of the host's"))
      return false
    }
    let edits = document.trackpad.moved(x: x, y: y, in: document.text.context())
    let before = document.text.revision
    guard !edits.isEmpty, (try? document.text.apply(edits)) != nil,
      document.text.revision != before
    else { return true }
    noteChange(of: document, cause: .user, text: false, selection: true)
    return true
  }

  /// Where the system keyboard's keys stand in the frame.
  var systemKeySpan: Range<Int> {
    var environment = configuration.environment
    environment.oneHanded = typing.settings.oneHanded
    return environment.keySpan
  }

  // MARK: The look of the text

  /// - Returns: whether the app is asked.
  private func format(_ document: HostedDocument, _ command: RichTextCommand) -> Bool {
    guard typing.settings[.richText] else {
      emit(.rejected(message: "the setting `richText` is off"))
      return false
    }
    guard TypingRules.allow(.richText, in: document.typingTraits) else {
      emit(.rejected(message: "the look of the text of \"\(document.id)\" cannot be changed"))
      return false
    }
    emit(.format(document.id, command))
    return true
  }

  // MARK: The sound of a key

  /// Lets a key be heard, if the user wants that, and if the keyboard is the one that shows.
  /// - Parameter keyboard: nil is the system keyboard.
  func click(for document: HostedDocument, by keyboard: String?) {
    guard typing.settings[.keyClicks], document.id == focused, !document.hasInputView,
      isShown(keyboard, for: document.id)
    else { return }
    emit(.click(document.id))
  }
}
