import AppProtocol
import TextInput

/// What the core does, told to the apps.
extension AppServer {
  func handle(_ effect: CoreEffect) {
    switch effect {
    case .handled(let handled):
      guard let document = documents[handled.document], !hold(effect, document) else { return }
      tell(document, cause: .keyboard)
      reply(handled, document)
    case .edited(let id, _, _):
      guard let document = documents[id], !hold(effect, document) else { return }
      tell(document, cause: .keyboard)
    case .changed(let id):
      guard let document = documents[id], !hold(effect, document) else { return }
      tell(document, cause: .commit)
    case .present(let presentation): present(presentation)
    case .dismissed(let id):
      guard let document = documents[id], responder === document else { return }
      document.connection.send(.dismissed(document: document.name))
      setResponder(nil)
    case .refused(let id): documents[id]?.isRefused = true
    case .dropped(let ticket):
      guard let asked = tickets.removeValue(forKey: ticket) else { return }
      fail(
        asked.request, .unknownKey,
        "the keyboard that is shown has no such key, or there is no "
          + "such keyboard", connections[asked.connection])
    case .format(let id, let command):
      guard let document = documents[id] else { return }
      document.connection.send(.format(document: document.name, command))
    case .click(let id):
      guard let document = documents[id], presents(document) else { return }
      document.connection.send(.inputClick(document: document.name))
    case .closed, .rejected, .ask, .audit, .launch, .send, .freeze, .resume, .kill, .serve,
      .askUser:
      break
    }
  }

  private func hold(_ effect: CoreEffect, _ document: AppDocument) -> Bool {
    guard document.held != nil else { return false }
    document.held?.append(effect)
    return true
  }

  private func reply(_ handled: HandledInput, _ document: AppDocument) {
    guard let ticket = handled.ticket, let asked = tickets.removeValue(forKey: ticket) else {
      return
    }
    connections[asked.connection]?.send(
      .reply(
        id: asked.request,
        ServerReply(revision: document.told.revision, handled: handled.didSomething)))
  }

  /// Tells the app what it does not know of its document.
  func tell(_ document: AppDocument, cause: TextChange.Cause) {
    guard let current = driver.core.text(of: document.id),
      current.revision != document.told.revision
    else { return }
    let old = document.told
    document.told = current
    document.told.forgetHistory()
    var replaced = current.replacement(since: old) ?? (range: 0..<0, text: "")
    let chunks = replaced.text.chunks(ofAtMost: AppProtocolLimits.chunkBytes)
    var pieces: [TextChange] = []
    for (index, chunk) in chunks.enumerated() {
      let isLast = index == chunks.count - 1
      let cursor = replaced.range.lowerBound + chunk.unicodeScalars.count
      pieces.append(
        TextChange(
          document: document.name, baseRevision: old.revision,
          revision: isLast ? current.revision : old.revision, range: replaced.range, text: chunk,
          selection: isLast ? current.selectedScalars : cursor..<cursor,
          markedRange: isLast ? current.markedScalars : nil, cause: cause))
      replaced.range = cursor..<cursor
    }
    document.connection.sendChange(pieces)
  }

  private func present(_ presentation: Presentation) {
    guard let document = documents[presentation.document], presents(document) else { return }
    var shown = KeyboardPresentation(
      document: document.name, displayName: presentation.keyboard.map(displayName),
      layout: presentation.layout, suggestions: presentation.suggestions,
      reasons: presentation.decision.reasons.map(\.shown), commands: presentation.commands)
    shown.showsKeyPreview = presentation.showsKeyPreview
    shown.prefersRightToLeft = presentation.prefersRightToLeft
    if presentation.keySpan != 0..<document.connection.screen.width {
      shown.keySpan = presentation.keySpan
    }
    shown.undoPrompt = presentation.undoPrompt.map {
      UndoQuestion(canUndo: $0.canUndo, canRedo: $0.canRedo)
    }
    document.connection.send(.presentation(shown))
  }

  /// Whether the app draws the keyboard of a document.
  private func presents(_ document: AppDocument) -> Bool {
    document.connection.introduction?.presentsKeyboard ?? false
      && document.views.inputViewHeight == nil
  }
}

extension DecisionReason {
  var shown: ShownReason { ShownReason(code: code, text: description) }
}

extension HandledInput {
  /// False where there is something left for the app to do with it: a key of a hardware keyboard
  /// that the system keyboard does not know, or a command that the field does not allow.
  fileprivate var didSomething: Bool {
    if handler != .system || reason == .keyboardSelected { return true }
    switch input {
    case .command: return reason == .editingCommand
    case .event(.hardwareKey), .character:
      return !transaction.edits.isEmpty || !transaction.actions.isEmpty
    default: return true
    }
  }
}

extension String {
  /// The text in pieces of whole scalars; at least one, which may be empty.
  fileprivate func chunks(ofAtMost bytes: Int) -> [String] {
    if utf8.count <= bytes { return [self] }
    var chunks: [String] = []
    var start = startIndex
    while start < endIndex {
      var end = utf8.index(start, offsetBy: bytes, limitedBy: endIndex) ?? endIndex
      while end < endIndex, unicodeScalars.index(after: unicodeScalars.index(before: end)) != end {
        end = utf8.index(before: end)
      }
      chunks.append(String(self[start..<end]))
      start = end
    }
    return chunks
  }
}
