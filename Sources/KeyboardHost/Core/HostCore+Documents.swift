import PluginProtocol
import TextInput

/// Documents: opening, focus, traits, the app's edits and the decision which keyboard serves.
extension HostCore {
  /// The most documents open at a time.
  static let maximumDocuments = 4_096

  func open(
    _ id: DocumentID, app: String?, answer: AppAnswer, traits: TextInputTraits, text: String
  ) {
    guard documents[id] == nil else {
      return emit(.rejected(message: "the document \"\(id)\" is open already"))
    }
    guard documents.count < Self.maximumDocuments else {
      return emit(.rejected(message: "too many documents are open"))
    }
    documents[id] = HostedDocument(
      id: id, app: app, ordinal: newOrdinal(), traits: traits, appAnswer: answer, text: text,
      systemKeyboard: SystemKeyboard(configuration: typing))
  }

  func setInputContext(_ name: String, of id: DocumentID) {
    guard let document = known(id) else { return }
    let context = RememberedKeyboards.Context(app: document.app, name: name)
    document.inputContext = context
    // One that was taken from the list meanwhile is no choice any more.
    if let keyboard = rememberedKeyboards[context],
      keyboard == HostSettings.systemKeyboard || configuration.keyboard(keyboard) != nil
    {
      select(keyboard, for: document)
    }
  }

  func close(_ id: DocumentID) {
    guard let document = known(id) else { return }
    withdraw(from: document, reason: .documentClosed)
    handleQueueBySystem(of: document, reason: .documentClosed)
    if focused == id { focused = nil }
    for instance in instances where instance.toldDocument == id {
      instance.pendingChange = nil
      // The next of that name is another document, also to one that cannot be told now.
      instance.toldDocument = nil
      if instance.isListening {
        emit(.send(instance.id, .blur))
      } else {
        instance.owesBlur = true
      }
    }
    documents[id] = nil
    waiting.removeAll { $0 == id }
    emit(.closed(id, text: document.text.text))
  }

  func focus(_ id: DocumentID?) {
    // A focus on nothing that is known is no focus: what is typed next was not meant for the old.
    let new = id.flatMap { known($0) }
    if let new, new.id != focused {
      new.systemKeyboard.begin()
      new.trackpad = TrackpadCursor()
      new.undoPrompt = nil
    }
    focused = new?.id
    refocus()
  }

  func change(_ traits: TextInputTraits, of id: DocumentID) {
    guard let document = known(id), document.traits != traits else { return }
    document.adopt(traits)
    noteChange(of: document, cause: .app, text: false, selection: false, traits: true)
    eligibilityChanged(document)
  }

  func change(_ answer: AppAnswer, of app: String) {
    for document in documents.values.sorted(by: { $0.ordinal < $1.ordinal })
    where document.app == app && document.appAnswer != answer {
      document.appAnswer = answer
      eligibilityChanged(document)
    }
  }

  func change(_ answer: AppAnswer, of id: DocumentID) {
    guard let document = known(id), document.appAnswer != answer else { return }
    document.appAnswer = answer
    eligibilityChanged(document)
  }

  func changeInputView(of id: DocumentID, _ isOwn: Bool) {
    guard let document = known(id), document.hasInputView != isOwn else { return }
    document.hasInputView = isOwn
    eligibilityChanged(document)
  }

  /// Whether every keyboard that remembers is kept away from an open document.
  func keepsAway(_ id: DocumentID) -> Bool {
    documents[id]?.keepsAway ?? false
  }

  private func eligibilityChanged(_ document: HostedDocument) {
    if Eligibility.fieldRefuses(document.field) {
      withdraw(from: document, reason: .refused(decision(for: document).reasons))
    } else if Eligibility.isIncognito(document.field),
      let busy = document.busyInstance.flatMap({ instance($0) }), busy.incognito == nil
    {
      withdraw(from: document, reason: .frozen)
    }
    if focused == document.id { refocus() }
  }

  func apply(_ edit: AppEdit, to id: DocumentID) {
    guard let document = known(id) else { return }
    switch edit {
    case .replaceText(let text, let selection):
      guard text.utf8.count <= TextDocument.maximumBytes else {
        return emit(.rejected(message: "the text of \"\(id)\" is too long"))
      }
      document.text.replaceText(text, selection: selection)
      noteChange(of: document, cause: .app, text: true, selection: true)
    case .select(let range):
      document.text.select(range)
      noteChange(of: document, cause: .app, text: false, selection: true)
    case .replaceScalars(let range, let text, let selection, let base):
      var changed = document.text
      guard changed.revision == base,
        changed.replaceScalars(range, with: text, selection: selection),
        changed.utf8Count <= TextDocument.maximumBytes
      else { return emit(.refused(id)) }
      document.text = changed
      noteChange(of: document, cause: .app, text: true, selection: true)
    case .selectScalars(let range, let base):
      guard document.text.revision == base else { return emit(.refused(id)) }
      document.text.selectScalars(range)
      noteChange(of: document, cause: .app, text: false, selection: true)
    }
  }

  private func known(_ id: DocumentID) -> HostedDocument? {
    if documents[id] == nil { emit(.rejected(message: "no document \"\(id)\" is open")) }
    return documents[id]
  }

  // MARK: Which keyboard

  /// What is chosen for a document: the keyboard the user switched to, else the first of the list.
  func selection(of document: HostedDocument) -> String {
    document.chosenKeyboard ?? configuration.order[0]
  }

  /// The custom keyboard that is chosen for a document, whether or not it may serve it.
  func keyboard(of document: HostedDocument) -> KeyboardEntry? { choice(for: document).keyboard }

  func decision(for document: HostedDocument) -> Decision { choice(for: document).decision }

  func choice(for document: HostedDocument) -> KeyboardChoice {
    if let choice = document.choice { return choice }
    let keyboard = configuration.keyboard(selection(of: document))
    let choice = KeyboardChoice(
      keyboard: keyboard, decision: decide(whether: keyboard, mayServe: document))
    document.choice = choice
    return choice
  }

  private func decide(
    whether keyboard: KeyboardEntry?, mayServe document: HostedDocument
  ) -> Decision {
    let candidate = keyboard.map {
      Eligibility.Candidate(identifier: $0.identifier, isASCIICapable: $0.isASCIICapable)
    }
    // Where there is nothing else the system keyboard is no choice.
    let isChoice = document.chosenKeyboard != nil || !configuration.keyboards.isEmpty
    return Eligibility.decide(
      field: document.field, candidate: candidate, systemIsChosen: candidate == nil && isChoice)
  }

  /// Logs the decision when it differs from the document's last one.
  func logDecision(for document: HostedDocument) {
    let keyboard = keyboard(of: document)?.identifier
    let decision = decision(for: document)
    let logged = HostedDocument.LoggedDecision(keyboard: keyboard, decision: decision)
    guard document.loggedDecision != logged else { return }
    document.loggedDecision = logged
    var fields = [
      AuditField("document", .foreign(document.id.rawValue)),
      AuditField("verdict", decision.isEligible ? .term("eligible") : .term("refused")),
      AuditField("reasons", .list(decision.reasons.map { .foreign($0.code) })),
    ]
    if decision.isIncognito { fields.append(.incognito) }
    audit(.decision, keyboard: keyboard, app: document.app, fields)
  }

  /// The globe key: the next keyboard of the list that may serve the document, around its end to
  /// its beginning. The system keyboard has its place in it, and may serve every document.
  func selectNextKeyboard(for document: HostedDocument) {
    let names = configuration.order
    let start = names.firstIndex(of: selection(of: document)).map { $0 + 1 } ?? 0
    let next = (names[start...] + names[..<start]).first { name in
      guard let entry = configuration.keyboard(name) else { return true }
      let candidate = Eligibility.Candidate(
        identifier: name, isASCIICapable: entry.isASCIICapable)
      return Eligibility.decide(field: document.field, candidate: candidate).isEligible
    }
    select(next ?? HostSettings.systemKeyboard, for: document)
  }

  /// - Returns: whether there is such a keyboard.
  @discardableResult
  func select(_ identifier: String, for document: HostedDocument) -> Bool {
    guard
      identifier == HostSettings.systemKeyboard || configuration.keyboard(identifier) != nil
    else {
      emit(.rejected(message: "the keyboard \"\(identifier)\" is not enabled"))
      return false
    }
    document.chosenKeyboard = identifier
    // Of an incognito field nothing is remembered: an instance that forgets can switch, too.
    if let context = document.inputContext, !Eligibility.isIncognito(document.field) {
      rememberedKeyboards.note(identifier, for: context)
    }
    if focused == document.id { logDecision(for: document) }
    return true
  }

  /// The user's list as it is for a document: what may serve it, and why the rest may not.
  public func choices(
    for id: DocumentID
  ) -> [(identifier: String, isSelected: Bool, decision: Decision)] {
    guard let document = documents[id] else { return [] }
    let selected = selection(of: document)
    return configuration.order.map { name in
      let decision =
        configuration.keyboard(name).map { entry in
          Eligibility.decide(
            field: document.field,
            candidate: Eligibility.Candidate(
              identifier: name, isASCIICapable: entry.isASCIICapable))
        } ?? Decision(reasons: [.systemServesEveryField])
      return (name, name == selected, decision)
    }
  }

  // MARK: Focus

  /// Freezes or resumes the keyboards for the field that has focus now.
  func refocus() {
    endStrays()
    guard let focused, let document = documents[focused] else { return }
    logDecision(for: document)
    if document.keepsAway {
      freezeAll()
    } else {
      resumeAll()
    }
  }

  /// The document that has focus, if a keyboard should be running for it.
  var wantedDocument: HostedDocument? {
    guard auditProblem == nil, !isShuttingDown, let focused, let document = documents[focused],
      choice(for: document).isEligible
    else { return nil }
    return document
  }

  /// Composing text of a document that lost focus is committed once its inputs are handled. It
  /// stays in its own document.
  func commitLeftBehind() {
    // Nothing is composed in a text without an edit of it.
    for document in touched where document.text.markedText != nil {
      if !composing.contains(where: { $0 === document }) { composing.append(document) }
    }
    guard !composing.isEmpty else { return }
    composing.removeAll { $0.text.markedText == nil || documents[$0.id] !== $0 }
    for document in composing
    where document.id != focused && document.queue.isEmpty && document.busyInstance == nil {
      document.text.commitMarkedText()
      noteChange(of: document, cause: .app, text: false, selection: false)
    }
  }

  func presentation(of document: HostedDocument) -> Presentation {
    let decision = decision(for: document)
    if decision.isEligible, auditProblem == nil, let keyboard = keyboard(of: document),
      let instance = instance(serving: document),
      instance.isListening || isAboutToGoOn(instance, for: document),
      let layout = instance.layout
    {
      return Presentation(
        document: document.id, keyboard: keyboard.identifier, layout: layout,
        suggestions: instance.suggestions, decision: decision,
        keySpan: 0..<max(configuration.environment.width, 0), undoPrompt: undoPrompt(of: document),
        commands: commands(for: document, isSystem: false),
        prefersRightToLeft: keyboard.prefersRightToLeft)
    }
    let layout = document.systemKeyboard.currentLayout(
      in: document.text, traits: document.typingTraits)
    return Presentation(
      document: document.id, keyboard: nil, layout: layout,
      suggestions: document.systemKeyboard.suggestions(for: document.text), decision: decision,
      showsKeyPreview: typing.settings[.keyPreview]
        && TypingRules.allow(.keyPreview, in: document.typingTraits),
      keySpan: systemKeySpan, undoPrompt: undoPrompt(of: document),
      commands: commands(for: document, isSystem: true))
  }

  /// The name under which a keyboard knows a document: random, and another for each keyboard,
  /// so that two keyboards cannot find out that they served the same field.
  func identifier(of document: HostedDocument, for instance: KeyboardInstance) -> String {
    if let known = knownIdentifier(of: document, for: instance) { return known }
    let made = makeIdentifier()
    document.identifiers[instance.entry.identifier] = made
    return made
  }

  func knownIdentifier(of document: HostedDocument, for instance: KeyboardInstance) -> String? {
    guard let incognito = instance.incognito else {
      return document.identifiers[instance.entry.identifier]
    }
    return incognito.documentName
  }

  func noteChange(
    of document: HostedDocument, cause: ChangeCause, text: Bool, selection: Bool,
    traits: Bool = false
  ) {
    touched.append(document)
    for instance in instances where instance.toldDocument == document.id {
      instance.note(
        KeyboardInstance.PendingChange(
          cause: cause, textChanged: text, selectionChanged: selection, traitsChanged: traits))
    }
  }
}
