import PluginProtocol
import StrictJSON
import TextInput

/// What a keyboard says, and what it is told.
extension HostCore {
  func receive(_ message: PluginMessage, from instance: KeyboardInstance) {
    // What it says after it was asked to end changes nothing any more.
    if instance.isEnding { return }
    switch message {
    case .response(let id, let result): receive(result, for: id, from: instance)
    case .errorResponse(let id, let code, _): receiveError(code, for: id, from: instance)
    case .transaction(let id, let document, let revision, let transaction):
      guard instance.isReady else { return breach(instance, Self.tooEarly) }
      let state = applyOutside(transaction, document, revision, from: instance)
      reply(.transactionReply(id: id, applied: state.applied, state.current), to: instance)
    case .contacts(let id, let offset): receive(.contacts(offset: offset), id, from: instance)
    case .location(let id): receive(.location, id, from: instance)
    case .lexicon(let id):
      guard instance.isReady else { return breach(instance, Self.tooEarly) }
      // The person's names and replacements would tell one that forgets whose field it serves.
      let entries = instance.incognito == nil ? lexicon(for: instance.entry) : []
      reply(.lexiconReply(id: id, entries), to: instance)
    }
  }

  /// The user's own entries, and behind them, since what does not fit is left out, the common words of
  /// the keyboard's language.
  private func lexicon(for entry: KeyboardEntry) -> [LexiconEntry] {
    var language = configuration.typingLanguage
    if let own = entry.primaryLanguage, own != "mul" { language = own }
    let own = Set(configuration.lexicon.map(\.userInput))
    return configuration.lexicon
      + commonWords(language).filter { !own.contains($0) }.map {
        LexiconEntry(userInput: $0, documentText: $0)
      }
  }

  /// A request can have been on its way when its keyboard was frozen. Nothing is said to that one
  /// before it is resumed; it can have written no more than its pipe holds.
  func reply(_ message: HostMessage, to instance: KeyboardInstance) {
    guard instance.freeze == .running else { return instance.heldReplies.append(message) }
    emit(.send(instance.id, message))
  }

  static let tooEarly = ProtocolError(
    message: "a request came before the answer to initialize")

  private func receive(_ result: JSONValue, for id: Int64, from instance: KeyboardInstance) {
    do throws(ProtocolError) {
      if instance.phase == .initializing(request: id) {
        try initialized(instance, InitializeResult(decoding: result))
      } else if let inFlight = instance.inFlight, inFlight.request == id {
        // A late answer is read all the same: a broken one is a broken one.
        let transaction = try Transaction(decoding: result)
        instance.inFlight = nil
        if inFlight.isHandled {
          dropLateAnswer(of: instance)
        } else {
          answer(inFlight, transaction, from: instance)
        }
      } else if instance.abandoned.remove(id) != nil {
        dropLateAnswer(of: instance, [.byFocus])
      } else {
        throw ProtocolError(message: "an answer came to request \(id), which waits for none")
      }
    } catch {
      breach(instance, error)
    }
  }

  private func receiveError(_ code: Int, for id: Int64, from instance: KeyboardInstance) {
    if instance.phase == .initializing(request: id) {
      fail(instance, .keyboardReportedError(code: code), audit: .exit)
    } else if let inFlight = instance.inFlight, inFlight.request == id {
      instance.inFlight = nil
      if inFlight.isHandled {
        dropLateAnswer(of: instance)
      } else {
        finishBySystem(
          inFlight,
          reason: code == PluginMessage.declined ? .declined : .keyboardReportedError(code: code))
      }
    } else if instance.abandoned.remove(id) != nil {
      dropLateAnswer(of: instance, [.byFocus])
    } else {
      breach(
        instance, ProtocolError(message: "an error came to request \(id), which waits for none"))
    }
  }

  /// - Parameter fields: why it was not waited for any more, if that is not its own doing.
  private func dropLateAnswer(of instance: KeyboardInstance, _ fields: [AuditField] = []) {
    lateAnswers += 1
    audit(.lateAnswer, of: instance, fields)
  }

  private func initialized(_ instance: KeyboardInstance, _ result: InitializeResult) {
    instance.phase = .ready(since: now)
    instance.layout = result.layout
    instance.takesHardwareKeys = result.takesHardwareKeys
  }

  /// One event, one transaction: applied whole, or not at all.
  private func answer(
    _ inFlight: KeyboardInstance.InFlight, _ transaction: Transaction,
    from instance: KeyboardInstance
  ) {
    guard let document = documents[inFlight.document] else { return }
    document.busyInstance = nil
    guard document.text.revision == inFlight.revision else {
      return stale(inFlight, document, instance)
    }
    do {
      if !transaction.edits.isEmpty {
        try document.text.apply(transaction.edits)
        noteChange(of: document, cause: .keyboard, text: true, selection: true)
      }
    } catch {
      return handleBySystem(document, inFlight.queued, reason: .editRefused(error.description))
    }
    adoptDeclarations(of: transaction, from: instance)
    report(
      document, inFlight.queued, .keyboard(instance.entry.identifier), .keyboardAnswered,
      transaction)
    perform(transaction.actions, for: document, by: instance.entry.identifier)
  }

  /// The app changed the document meanwhile. The event is sent once more with the new context.
  private func stale(
    _ inFlight: KeyboardInstance.InFlight, _ document: HostedDocument, _ instance: KeyboardInstance
  ) {
    staleAnswers += 1
    audit(.staleAnswer, of: instance)
    if inFlight.isSecondTry {
      return handleBySystem(document, inFlight.queued, reason: .staleTwice)
    }
    guard instance.isListening, serves(instance, document) else {
      return handleBySystem(document, inFlight.queued, reason: .stale)
    }
    send(inFlight.event, inFlight.queued, of: document, to: instance, isSecondTry: true)
  }

  private func adoptDeclarations(of transaction: Transaction, from instance: KeyboardInstance) {
    if let layout = transaction.layout { instance.layout = layout }
    if let suggestions = transaction.suggestions { instance.suggestions = suggestions }
  }

  /// Edits outside an event. They name the document and revision they are meant for.
  private func applyOutside(
    _ transaction: Transaction, _ name: String, _ revision: UInt64, from instance: KeyboardInstance
  ) -> (applied: Bool, current: FieldState?) {
    let keyboard = instance.entry.identifier
    guard instance.isListening, let told = instance.toldDocument, let document = documents[told],
      knownIdentifier(of: document, for: instance) == name, focused == told,
      serves(instance, document)
    else {
      refuseOutside(instance, "the document has no focus")
      return (false, nil)
    }
    let current = state(of: document, for: instance)
    guard document.text.revision == revision, document.busyInstance == nil else {
      refuseOutside(instance, "the revision is stale")
      return (false, current)
    }
    guard instance.unaskedEdits.restsUntil(now) == nil else {
      refuseOutside(instance, "it edits faster than anybody types")
      return (false, current)
    }
    do {
      if !transaction.edits.isEmpty { try document.text.apply(transaction.edits) }
    } catch {
      refuseOutside(instance, "the edits cannot be applied")
      return (false, current)
    }
    adoptDeclarations(of: transaction, from: instance)
    if !transaction.edits.isEmpty {
      // A line of the app protocol has some 200 bytes beside the text.
      instance.unaskedEdits.charge(Int64(transaction.edits.reduce(200) { $0 + $1.insertedBytes }))
      touched.append(document)
      emit(.edited(told, keyboard: keyboard, revision: document.text.revision))
    }
    perform(transaction.actions, for: document, by: keyboard)
    return (true, state(of: document, for: instance))
  }

  private func refuseOutside(_ instance: KeyboardInstance, _ reason: StaticString) {
    audit(
      .refusal, of: instance,
      [AuditField("what", .term("edit outside an event")), AuditField("reason", .term(reason))])
  }

  // MARK: What a keyboard is told

  func state(
    of document: HostedDocument, for instance: KeyboardInstance, withTraits: Bool = false
  ) -> FieldState {
    FieldState(
      documentIdentifier: identifier(of: document, for: instance),
      revision: document.text.revision, context: document.text.context(),
      traits: withTraits ? document.traits : nil)
  }

  func tellFocus(_ document: HostedDocument, to instance: KeyboardInstance) {
    guard instance.toldDocument != document.id else { return }
    instance.toldDocument = document.id
    instance.owesBlur = false
    instance.pendingChange = nil
    emit(.send(instance.id, .focus(state(of: document, for: instance, withTraits: true))))
  }

  func sendChange(
    _ change: KeyboardInstance.PendingChange, of document: HostedDocument,
    to instance: KeyboardInstance
  ) {
    emit(
      .send(
        instance.id,
        .change(
          state(of: document, for: instance, withTraits: change.traitsChanged),
          cause: change.cause, textChanged: change.textChanged,
          selectionChanged: change.selectionChanged)))
  }

  /// Tells each keyboard that listens what it does not know yet. One that owes an answer is
  /// told later, so that what waits for it stays small.
  func tellInstances() {
    let document = wantedDocument
    let serving = document.flatMap { instance(serving: $0) }
    for instance in instances where instance.isListening {
      if instance.inFlight?.isHandled ?? false { continue }
      if let settings = instance.pendingSettings {
        instance.pendingSettings = nil
        emit(.send(instance.id, .settings(settings)))
      }
      tellDocument(to: instance, instance === serving ? document : nil)
    }
  }

  /// - Parameter wanted: the document that it serves and that has focus.
  private func tellDocument(to instance: KeyboardInstance, _ wanted: HostedDocument?) {
    if let told = instance.toldDocument, told != wanted?.id, let old = documents[told] {
      // Inputs made in the old field are sent first; then the keyboard may leave it.
      if old.busyInstance == instance.id || !old.queue.isEmpty { return }
    }
    if let wanted {
      tellFocus(wanted, to: instance)
      if let pending = instance.pendingChange {
        instance.pendingChange = nil
        sendChange(pending, of: wanted, to: instance)
      }
    } else if instance.toldDocument != nil || instance.owesBlur {
      instance.toldDocument = nil
      instance.owesBlur = false
      instance.pendingChange = nil
      emit(.send(instance.id, .blur))
    }
  }
}

extension TextEdit {
  fileprivate var insertedBytes: Int {
    switch self {
    case .insertText(let text), .setMarkedText(let text, _): text.utf8.count
    case .deleteBackward, .adjustTextPosition, .unmarkText: 0
    }
  }
}
