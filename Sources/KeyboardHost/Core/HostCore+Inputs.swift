import PluginProtocol
import TextInput

/// Inputs of the person: each handled once, in order, by the right keyboard.
extension HostCore {
  private enum Route {
    case system(HandledInput.Reason)
    case instance(KeyboardInstance)
    case wait
  }

  func enqueue(_ input: UserInput, ticket: UInt64?) {
    guard let focused, let document = documents[focused] else {
      drop(ticket)
      return emit(
        .rejected(message: "no document has focus, so that what was typed or pressed is lost"))
    }
    if document.queue.isEmpty, !waiting.contains(focused) { waiting.append(focused) }
    document.queue.append(
      QueuedInput(
        input: input, layout: shownLayout, revision: document.text.revision, ticket: ticket))
  }

  /// Says that an input did nothing.
  private func drop(_ ticket: UInt64?) {
    if let ticket { emit(.dropped(ticket: ticket)) }
  }

  /// Handles whatever can be handled now.
  func pump() {
    var madeProgress = true
    while madeProgress {
      madeProgress = false
      for id in waiting {
        guard let document = documents[id] else { continue }
        while document.busyInstance == nil, let head = document.queue.first, step(document, head) {
          madeProgress = true
        }
      }
      waiting.removeAll { documents[$0]?.queue.isEmpty ?? true }
    }
  }

  /// - Returns: whether the head of the queue was taken.
  private func step(_ document: HostedDocument, _ head: QueuedInput) -> Bool {
    switch head.input {
    case .nextKeyboard:
      document.queue.removeFirst()
      selectNextKeyboard(for: document)
      report(document, head, .system, .keyboardSelected)
      return true
    case .selectKeyboard(let identifier):
      document.queue.removeFirst()
      if select(identifier, for: document) {
        report(document, head, .system, .keyboardSelected)
      } else {
        drop(head.ticket)
      }
      return true
    case .command(let command):
      document.queue.removeFirst()
      perform(command, head, on: document)
      return true
    case .event(.suggestion(_, let text)) where isOutdated(text, head, document):
      document.queue.removeFirst()
      report(document, head, .system, .outdated)
      return true
    case .event, .character: break
    }
    switch route(document) {
    case .wait: return false
    case .system(let reason):
      document.queue.removeFirst()
      handleBySystem(document, head, reason: reason)
      return true
    case .instance(let instance):
      if let inFlight = instance.inFlight {
        guard inFlight.isHandled else { return false }
        document.queue.removeFirst()
        handleBySystem(document, head, reason: .unresponsive)
        return true
      }
      document.queue.removeFirst()
      offer(head, of: document, to: instance)
      return true
    }
  }

  private func route(_ document: HostedDocument) -> Route {
    let decision = decision(for: document)
    guard decision.isEligible, let entry = keyboard(of: document) else {
      // Whoever types, nothing may be handled while a keyboard could still time it.
      if isFocusClosed, isStopping || isAwaitingEnd(for: document) { return .wait }
      return .system(
        decision.reasons == [.systemKeyboardSelected]
          ? .systemKeyboardSelected : .refused(decision.reasons))
    }
    if auditProblem != nil { return .system(.auditUnavailable) }
    if isShuttingDown { return .system(.shutDown) }
    if decision.isIncognito {
      guard focused == document.id else { return .system(.incognitoOver) }
      if isStopping { return .wait }
    } else if isFocusClosed {
      return .system(.frozen)
    }
    if let instance = instance(serving: document) {
      if instance.isListening { return .instance(instance) }
      if instance.freeze != .running, !isFocusClosed, !isAwaitingEnd(for: document) {
        return .system(.frozen)
      }
      return .wait
    }
    if let obstacle = obstacle(to: entry, for: document) { return .system(obstacle) }
    // An input before this one can have chosen another keyboard.
    endStrays()
    if end(standingInTheWayOf: document) != nil {
      return isAwaitingEnd(for: document) ? .wait : .system(.frozen)
    }
    start(entry, for: document)
    return .wait
  }

  /// Gives an input to a keyboard, if it is one that the keyboard takes.
  private func offer(
    _ queued: QueuedInput, of document: HostedDocument, to instance: KeyboardInstance
  ) {
    let event: InputEvent
    switch queued.input {
    case .character(let text):
      if let key = instance.layout?.key(typing: text) {
        event = .tap(key: key.id)
      } else {
        event = .hardwareKey(HardwareKey(characters: text))
      }
    case .event(let given): event = given
    case .nextKeyboard, .selectKeyboard, .command: return
    }
    switch event {
    case .hardwareKey where !instance.takesHardwareKeys:
      return handleBySystem(document, queued, reason: .hardwareKeyNotTaken)
    case .tap(let key), .longPress(let key):
      if key.hasPrefix(KeyboardLayout.systemPrefix) {
        // Made on the system keyboard, which was shown until the keyboard was ready.
        return handleBySystem(document, queued, reason: .starting)
      }
      guard instance.layout?.key(id: key) != nil else {
        let keyboard = instance.entry.identifier
        drop(queued.ticket)
        return emit(.rejected(message: "the keyboard \"\(keyboard)\" has no key \"\(key)\""))
      }
    default: break
    }
    send(event, queued, of: document, to: instance, isSecondTry: false)
  }

  func send(
    _ event: InputEvent, _ queued: QueuedInput, of document: HostedDocument,
    to instance: KeyboardInstance, isSecondTry: Bool
  ) {
    tellFocus(document, to: instance)
    if let pending = instance.pendingChange {
      instance.pendingChange = nil
      // The event itself carries the state; only what others did deserves a message of its own.
      if pending.cause != .keyboard || pending.traitsChanged {
        sendChange(pending, of: document, to: instance)
      }
    }
    let request = instance.nextRequest()
    emit(.send(instance.id, .event(id: request, state(of: document, for: instance), event)))
    instance.inFlight = KeyboardInstance.InFlight(
      request: request, document: document.id, queued: queued, event: event,
      revision: document.text.revision, sentAt: now, isSecondTry: isSecondTry)
    document.busyInstance = instance.id
  }

  // MARK: The system keyboard

  func handleBySystem(
    _ document: HostedDocument, _ queued: QueuedInput, reason: HandledInput.Reason
  ) {
    guard let event = eventForSystem(queued),
      let layout = layoutForSystem(document, queued, event)
    else { return drop(queued.ticket) }
    // What was being composed is the person's text: the system keyboard types after it, and not in
    // its place.
    let isComposing = document.text.markedText != nil
    var text = document.text
    if isComposing { text.commitMarkedText() }
    var transaction = document.systemKeyboard.handle(
      event, in: text, traits: document.typingTraits, layout: layout,
      at: now.nanoseconds / 1_000_000)
    transaction.layout = nil
    if isComposing, !transaction.edits.isEmpty { transaction.edits.insert(.unmarkText, at: 0) }
    do {
      if !transaction.edits.isEmpty {
        try document.text.apply(transaction.edits)
        noteChange(of: document, cause: .user, text: true, selection: true)
      }
    } catch {
      emit(.rejected(message: "\"\(document.id)\": \(error)"))
      transaction.edits = []
    }
    logFallback(document, reason)
    report(document, queued, .system, reason, transaction)
    if case .event(.tap) = queued.input, layout.isSystem { click(for: document, by: nil) }
    perform(transaction.actions, for: document, by: nil)
  }

  /// What the input means on the system keyboard.
  private func eventForSystem(_ queued: QueuedInput) -> InputEvent? {
    switch queued.input {
    case .character(let text): return .hardwareKey(HardwareKey(characters: text))
    case .event(let event): return event
    case .nextKeyboard, .selectKeyboard, .command: return nil
    }
  }

  /// The layout whose key was pressed: the host's own, or the one the keyboard had declared.
  /// Nil, with a rejection, when neither has such a key.
  private func layoutForSystem(
    _ document: HostedDocument, _ queued: QueuedInput, _ event: InputEvent
  ) -> KeyboardLayout? {
    let own = document.systemKeyboard.currentLayout(
      in: document.text, traits: document.typingTraits)
    let key: String
    switch event {
    case .tap(let name), .longPress(let name): key = name
    default: return own
    }
    if let layout = queued.layout, layout.key(id: key) != nil { return layout }
    if own.key(id: key) != nil { return own }
    if !decision(for: document).fieldRefuses, let keyboard = keyboard(of: document)?.identifier,
      let layout = health[keyboard]?.lastLayout, layout.key(id: key) != nil
    {
      return layout
    }
    emit(.rejected(message: "the keyboard that is shown has no key \"\(key)\""))
    return nil
  }

  /// - Parameter keyboard: who wants them; nil is the system keyboard.
  func perform(_ actions: [KeyboardAction], for document: HostedDocument, by keyboard: String?) {
    for action in actions {
      switch action {
      case .advanceToNextInputMode: selectNextKeyboard(for: document)
      case .dismissKeyboard: emit(.dismissed(document.id))
      case .playInputClick: click(for: document, by: keyboard)
      }
    }
  }

  func report(
    _ document: HostedDocument, _ queued: QueuedInput, _ handler: HandledInput.Handler,
    _ reason: HandledInput.Reason, _ transaction: Transaction = .empty
  ) {
    emit(
      .handled(
        HandledInput(
          document: document.id, input: queued.input, handler: handler, reason: reason,
          transaction: transaction, revision: document.text.revision, ticket: queued.ticket)))
  }

  private func logFallback(_ document: HostedDocument, _ reason: HandledInput.Reason) {
    switch reason {
    // Said by the decision line, or the user's own wish.
    case .refused, .systemKeyboardSelected, .keyboardSelected, .keyboardAnswered,
      .hardwareKeyNotTaken, .declined, .editingCommand, .outdated, .notPossible:
      return
    default:
      audit(
        .fallback, keyboard: keyboard(of: document)?.identifier, app: document.app,
        [
          AuditField("document", .foreign(document.id.rawValue)),
          AuditField("reason", .foreign(reason.code)),
        ])
    }
  }

  /// Takes a document's event away from the keyboard that has it and lets the system keyboard
  /// handle it; the keyboard's answer will be dropped.
  func withdraw(from document: HostedDocument, reason: HandledInput.Reason) {
    guard let id = document.busyInstance, let instance = instance(id) else { return }
    abandonFlight(of: instance, reason: reason)
  }

  /// The event in flight goes to the system keyboard for its own document.
  func abandonFlight(of instance: KeyboardInstance, reason: HandledInput.Reason) {
    guard let inFlight = instance.inFlight else { return }
    instance.inFlight = nil
    instance.abandoned.insert(inFlight.request)
    finishBySystem(inFlight, reason: reason)
  }

  func finishBySystem(_ inFlight: KeyboardInstance.InFlight, reason: HandledInput.Reason) {
    guard !inFlight.isHandled, let document = documents[inFlight.document] else { return }
    document.busyInstance = nil
    // A character was offered as the key that types it. What it is to type has not changed.
    handleBySystem(document, inFlight.queued, reason: reason)
  }

  func handleQueueBySystem(of document: HostedDocument, reason: HandledInput.Reason) {
    while let head = document.queue.first {
      document.queue.removeFirst()
      switch head.input {
      case .event, .character: handleBySystem(document, head, reason: reason)
      case .nextKeyboard, .selectKeyboard, .command: drop(head.ticket)
      }
    }
  }
}
