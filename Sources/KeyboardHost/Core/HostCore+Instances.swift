import PluginProtocol
import TextInput

/// The life of a keyboard's process: start, freeze, resume, failure, end.
extension HostCore {
  /// Starts the keyboard of the document that has focus before the first event needs it.
  func startWantedKeyboard() {
    guard let document = wantedDocument, let entry = keyboard(of: document),
      instance(serving: document) == nil, obstacle(to: entry, for: document) == nil
    else { return }
    // One that forgets is not started before all others stand still.
    if isFocusClosed, isStopping { return }
    guard end(standingInTheWayOf: document) == nil else { return }
    start(entry, for: document)
  }

  func launched(_ instance: KeyboardInstance) {
    guard instance.phase == .launching else { return }
    let request = instance.nextRequest()
    instance.phase = .initializing(request: request)
    let entry = instance.entry
    emit(
      .send(
        instance.id,
        .initialize(
          id: request,
          InitializeRequest(
            hostVersion: configuration.hostVersion, keyboardIdentifier: entry.identifier,
            primaryLanguage: entry.primaryLanguage, hasFullAccess: instance.hasFullAccess,
            // The host draws the globe key itself.
            needsInputModeSwitchKey: false, settings: entry.settings,
            environment: configuration.environment))))
  }

  // MARK: Freezing

  func freezeAll() {
    for instance in instances where instance.incognito == nil {
      guard instance.isReady, !instance.entry.isDebugged else {
        // It has no state worth keeping, and a start cannot be stopped half way. Whether one that
        // has a debugger stands still is the debugger's to say, and not the kernel's.
        end(instance, reason: .frozen)
        continue
      }
      guard instance.freeze == .running else { continue }
      abandonFlight(of: instance, reason: .frozen)
      instance.freeze = .stopping(until: now.adding(milliseconds: deadlines.freeze))
      emit(.freeze(instance.id))
      audit(.freeze, of: instance)
    }
  }

  /// The clocks of a keyboard begin anew when its debugger lets go of it.
  func hold(_ instance: KeyboardInstance, _ isHeld: Bool) {
    guard instance.entry.isDebugged, instance.incognito == nil, instance.isHeld != isHeld else {
      return
    }
    instance.isHeld = isHeld
    guard !isHeld else { return }
    instance.startDeadline = now.adding(milliseconds: deadlines.start)
    instance.inFlight?.sentAt = now
  }

  func confirmStop(_ instance: KeyboardInstance) {
    if case .stopping = instance.freeze { instance.freeze = .frozen }
  }

  /// Lets the ordinary instances go on, once nothing is left of those that forget.
  func resumeAll() {
    guard !dying.values.contains(where: \.isIncognito) else { return }
    for instance in instances where instance.freeze != .running {
      instance.freeze = .running
      emit(.resume(instance.id))
      audit(.resume, of: instance)
      for reply in instance.heldReplies { emit(.send(instance.id, reply)) }
      instance.heldReplies = []
      let answers = instance.heldAnswers
      instance.heldAnswers = []
      for held in answers { take(held.answer, for: held.request, of: instance) }
    }
  }

  // MARK: The end

  /// Ends a process that did wrong, and counts it.
  func fail(_ instance: KeyboardInstance, _ reason: HandledInput.Reason, audit kind: AuditKind) {
    let keyboard = instance.entry.identifier
    if kind != .exit {
      audit(kind, of: instance, [AuditField("reason", .foreign(reason.description))])
    }
    var readySince: HostTime?
    if case .ready(let since) = instance.phase { readySince = since }
    let isOfIncognitoStart = instance.incognito != nil && kind == .launchFailed
    var record = (isOfIncognitoStart ? incognitoStarts : health)[keyboard] ?? KeyboardHealth()
    if instance.incognito == nil, let layout = instance.layout { record.lastLayout = layout }
    let delay = record.recordFailure(
      at: now, readySince: readySince, reason: reason, deadlines: deadlines)
    if isOfIncognitoStart {
      incognitoStarts[keyboard] = record
    } else {
      health[keyboard] = record
    }
    end(instance, reason: reason)
    // Behind the end that it follows from.
    if let delay {
      audit(.restart, of: instance, [AuditField("delayMilliseconds", .integer(Int(delay)))])
    } else {
      audit(.disabled, of: instance, [AuditField("failures", .integer(record.failures.count))])
    }
  }

  /// So much of a bad line goes into the log: enough to know a banner by. Once a keyboard has been
  /// told of a field nothing does, since it could be the field's text.
  private static let excerptCharacters = 32

  func breach(_ instance: KeyboardInstance, _ error: ProtocolError) {
    guard instance.incognito == nil else {
      // The message can have a number or a name in it that the keyboard chose.
      let story = "what it said is not told, since it served incognito"
      audit(.protocolError, of: instance, [AuditField("message", .foreign(story))])
      return fail(instance, .protocolError(story), audit: .exit)
    }
    var fields = [AuditField("message", .foreign(error.message))]
    if !instance.hasSeenText {
      let excerpt = String(error.excerpt.prefix(Self.excerptCharacters))
      fields.append(AuditField("excerpt", .foreign(excerpt)))
    }
    audit(.protocolError, keyboard: instance.entry.identifier, fields)
    fail(instance, .protocolError(error.message), audit: .exit)
  }

  /// Forgets a process and has it killed. Its event goes to the system keyboard.
  func end(_ instance: KeyboardInstance, reason: HandledInput.Reason) {
    // What an incognito instance has drawn on its keys is gone with it.
    if instance.incognito == nil, let layout = instance.layout {
      health[instance.entry.identifier, default: KeyboardHealth()].lastLayout = layout
    }
    if instance.incognito == nil {
      health[instance.entry.identifier, default: KeyboardHealth()].isEndedByFocus =
        reason == .frozen
    }
    instances.removeAll { $0 === instance }
    if auditProblem == nil {
      var fields = [AuditField("reason", .foreign(reason.description))]
      if reason == .incognitoOver || reason == .frozen { fields.append(.byFocus) }
      audit(.exit, of: instance, fields)
    }
    dying[instance.id] = DyingInstance(
      keyboard: instance.entry.identifier, isIncognito: instance.incognito != nil,
      patienceEnds: now.adding(milliseconds: deadlines.event))
    emit(.kill(instance.id))
    if let inFlight = instance.inFlight {
      instance.inFlight = nil
      finishBySystem(inFlight, reason: reason)
    }
  }

  /// Asks every keyboard to end. One that cannot hear ends at once.
  func shutDown() {
    isShuttingDown = true
    for instance in instances {
      guard instance.isListening, instance.incognito == nil else {
        end(instance, reason: .shutDown)
        continue
      }
      abandonFlight(of: instance, reason: .shutDown)
      emit(.send(instance.id, .shutdown(id: instance.nextRequest())))
      emit(.send(instance.id, .exit))
      instance.phase = .ending(until: now.adding(milliseconds: deadlines.shutDown))
    }
  }

  func auditFailed(_ message: String) {
    guard auditProblem == nil else { return }
    auditProblem = message
    for instance in instances { end(instance, reason: .auditUnavailable) }
  }

  func adopt(_ new: HostConfiguration) {
    let old = configuration
    setConfiguration(new)
    for instance in instances {
      let identifier = instance.entry.identifier
      guard let entry = new.keyboard(identifier) else {
        end(instance, reason: .removedFromList)
        continue
      }
      guard entry.launchKey == instance.entry.launchKey,
        entry.hasFullAccess == instance.entry.hasFullAccess
      else {
        end(instance, reason: .grantChanged)
        continue
      }
      let before = old.keyboard(identifier)?.settings ?? instance.entry.settings
      if entry.settings != before { instance.pendingSettings = entry.settings }
    }
    for keyboard in health.keys.sorted() where old.keyboard(keyboard) != new.keyboard(keyboard) {
      health[keyboard]?.forgive()
    }
    for keyboard in incognitoStarts.keys.sorted()
    where old.keyboard(keyboard) != new.keyboard(keyboard) {
      incognitoStarts[keyboard]?.forgive()
    }
    for document in documents.values {
      if let chosen = document.chosenKeyboard, chosen != HostSettings.systemKeyboard,
        new.keyboard(chosen) == nil
      {
        document.chosenKeyboard = nil
      }
    }
    if old.environment != new.environment {
      for instance in instances where instance.isListening {
        emit(.send(instance.id, .environment(new.environment)))
      }
    }
    refocus()
  }

  // MARK: Deadlines

  func expireDeadlines() {
    for instance in instances {
      expireQuestions(of: instance)
      guard let deadline = instance.deadline(deadlines), deadline <= now else { continue }
      expire(instance)
    }
  }

  private func expire(_ instance: KeyboardInstance) {
    if case .stopping = instance.freeze {
      return fail(instance, .died("it could not be frozen"), audit: .exit)
    }
    if instance.isEnding { return end(instance, reason: .shutDown) }
    guard instance.isReady else { return fail(instance, .starting, audit: .exit) }
    guard var inFlight = instance.inFlight else { return }
    if !inFlight.isHandled {
      inFlight.isHandled = true
      let unhandled = instance.inFlight
      instance.inFlight = inFlight
      if let unhandled { finishBySystem(unhandled, reason: .tooLate) }
    }
    if now.milliseconds(since: inFlight.sentAt) >= deadlines.unresponsive {
      fail(instance, .unresponsive, audit: .exit)
    }
  }
}

extension KeyboardInstance {
  /// When something has to happen to this instance, if it stays silent until then. The clocks
  /// of a frozen one stand still.
  func deadline(_ deadlines: HostDeadlines) -> HostTime? {
    switch freeze {
    case .stopping(let until): return until
    case .frozen: return nil
    case .running: break
    }
    if case .ending(let until) = phase { return until }
    if isHeld { return nil }
    guard isReady else { return startDeadline }
    let question = questions.values.compactMap(\.deadline).min()
    guard let inFlight else { return question }
    let event = inFlight.sentAt.adding(
      milliseconds: inFlight.isHandled ? deadlines.unresponsive : deadlines.event)
    return question.map { min($0, event) } ?? event
  }
}
