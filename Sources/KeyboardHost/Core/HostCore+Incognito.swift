import TextInput

/// Which instance of a keyboard serves which document, and the instances that forget.
///
/// An incognito field is served by an instance of its own, started for its focus and killed with it.
/// No other instance of any keyboard moves meanwhile: the ordinary ones stand still before it is
/// started, and go on when the kernel has said that nothing is left of it. How long that takes is
/// the killed one's choice, who can have made much that has to be taken apart, and what is left of it
/// can be seen meanwhile: its threads count against the limit of its user id.
extension HostCore {
  /// The instance that a document's inputs go to; nil when it does not run, or none may serve.
  func instance(serving document: HostedDocument) -> KeyboardInstance? {
    let choice = choice(for: document)
    guard choice.isEligible, let keyboard = choice.keyboard?.identifier else { return nil }
    let focus = choice.isIncognito ? document.id : nil
    return instances.first {
      $0.entry.identifier == keyboard && $0.incognito?.document == focus
    }
  }

  /// Whether an instance is that one.
  func serves(_ instance: KeyboardInstance, _ document: HostedDocument) -> Bool {
    self.instance(serving: document) === instance
  }

  /// Starts the instance that a document needs.
  ///
  /// Nothing may stand in the way any more: ``end(standingInTheWayOf:)``.
  func start(_ entry: KeyboardEntry, for document: HostedDocument) {
    let incognito =
      decision(for: document).isIncognito
      ? KeyboardInstance.Incognito(document: document.id, documentName: makeIdentifier()) : nil
    let instance = KeyboardInstance(
      id: newInstanceID(), entry: entry, incognito: incognito,
      startDeadline: now.adding(milliseconds: deadlines.start))
    instances.append(instance)
    emit(.launch(instance.id, keyboard: entry.identifier, instance.kind))
  }

  /// Why the instance that a document needs may not be started now, or nil if it may.
  func obstacle(to entry: KeyboardEntry, for document: HostedDocument) -> HandledInput.Reason? {
    health[entry.identifier]?.obstacle(at: now)
      ?? (decision(for: document).isIncognito
        ? incognitoStarts[entry.identifier]?.obstacle(at: now) : nil)
  }

  /// Ends each instance that was started for a focus that is over. There is none left when another is
  /// started or resumed.
  func endStrays() {
    for instance in instances where isStray(instance) { end(instance, reason: .incognitoOver) }
  }

  private func isStray(_ instance: KeyboardInstance) -> Bool {
    guard let incognito = instance.incognito else { return false }
    guard incognito.document == focused, let document = documents[incognito.document] else {
      return true
    }
    return !serves(instance, document)
  }

  /// Whether the field that has focus keeps every ordinary instance away.
  var isFocusClosed: Bool {
    guard let focused, let document = documents[focused] else { return false }
    return document.keepsAway
  }

  /// Whether an instance that is to stand still may still be running.
  var isStopping: Bool {
    instances.contains { if case .stopping = $0.freeze { true } else { false } }
  }

  /// Until when inputs wait for the ends that have to be seen before an instance may serve a document;
  /// nil if none stands in the way.
  func end(standingInTheWayOf document: HostedDocument) -> HostTime? {
    guard !dying.isEmpty else { return nil }
    let isClosed = document.keepsAway
    let wanted = keyboard(of: document)?.identifier
    return dying.values.filter { isClosed || $0.isIncognito || $0.keyboard == wanted }
      .map(\.patienceEnds).max()
  }

  /// Whether inputs of a document wait for such an end.
  func isAwaitingEnd(for document: HostedDocument) -> Bool {
    end(standingInTheWayOf: document).map { now < $0 } ?? false
  }

  func confirmEnd(_ id: InstanceID) {
    guard dying.removeValue(forKey: id) != nil, focused != nil, !isFocusClosed else { return }
    resumeAll()
  }

  /// Whether an instance stands still for a moment only, so that its keys stay where they are.
  func isAboutToGoOn(_ instance: KeyboardInstance, for document: HostedDocument) -> Bool {
    guard instance.isReady, instance.freeze != .running, document.id == focused, !isFocusClosed
    else { return false }
    return isAwaitingEnd(for: document)
  }

  /// Writes a line about an instance, and says when it is one that forgets.
  func audit(
    _ kind: AuditKind, of instance: KeyboardInstance, _ fields: [AuditField] = []
  ) {
    audit(
      kind, keyboard: instance.entry.identifier,
      instance.incognito == nil ? fields : fields + [AuditField.incognito])
  }
}

extension AuditField {
  /// Marks a line about an instance that forgets, or a field that takes no other.
  static let incognito = AuditField(AuditEvent.incognito, .boolean(true))

  /// Marks a line about what comes of the focus.
  static let byFocus = AuditField(AuditEvent.by, .term(AuditEvent.focus))
}
