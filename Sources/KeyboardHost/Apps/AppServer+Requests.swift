import AppProtocol
import PluginProtocol
import TextInput

/// What apps ask, done.
extension AppServer {
  func handle(_ message: AppMessage, from connection: AppConnection) {
    let before = focusState
    defer { if focusState != before { connection.noteFocusChange() } }
    switch message {
    case .request(let id, .initialize(let introduction)):
      introduce(introduction, id, connection)
    case .request(let id, let request):
      guard connection.introduction != nil else {
        return breach(connection, ProtocolError(message: "a request came before initialize"))
      }
      perform(request, id, connection)
    case .answer(let id, let allows):
      take(id, allows.map { $0 ? .allow : .deny } ?? .failed, from: connection)
    case .failure(let id, _, _): take(id, .failed, from: connection)
    case .extensionPointAnswerChanged:
      guard connection.introduction != nil else {
        return breach(connection, ProtocolError(message: "a notification came before initialize"))
      }
      ask(connection)
    }
  }

  /// Where the keyboard is, and whether keyboards are kept away from there.
  private var focusState: FocusState? {
    responder.map { FocusState(document: $0.id, keepsAway: driver.core.keepsAway($0.id)) }
  }

  private struct FocusState: Equatable {
    var document: DocumentID
    var keepsAway: Bool
  }

  private func perform(_ request: AppRequest, _ id: Int64, _ connection: AppConnection) {
    switch request {
    case .initialize: break
    case .openDocument(let name, let field): open(name, field, id, connection)
    case .setScreen(let screen):
      connection.screen = screen
      if isResponder(connection) { onEnvironment(screen.environment) }
      placeKeyboard()
      reply(id, ServerReply(), connection)
    case .resignFirstResponder:
      withdrawClaim(of: connection)
      if isResponder(connection) { setResponder(nil) }
      reply(id, ServerReply(), connection)
    case .closeDocument, .becomeFirstResponder, .setTraits, .reloadInputViews, .replaceText,
      .select, .event, .listKeyboards, .playInputClick:
      guard let document = request.document.flatMap({ connection.documents[$0] }) else {
        return fail(id, .unknownDocument, "no document of that name is open", connection)
      }
      perform(request, id, document)
    }
  }

  private func perform(_ request: AppRequest, _ id: Int64, _ document: AppDocument) {
    let connection = document.connection
    switch request {
    case .closeDocument: return close(document, id)
    case .becomeFirstResponder:
      if responder !== document { claim(document) }
    case .setTraits(_, let traits): driver.feed(.traits(document.id, traits))
    case .reloadInputViews(_, let views):
      document.views = views
      driver.feed(.inputView(document.id, isOwn: views.inputViewHeight != nil))
      if responder === document { placeKeyboard() }
    case .replaceText(_, let base, let range, let text, let selection):
      return edit(
        document, .replaceScalars(range, text: text, selection: selection, base: base), id)
    case .select(_, let base, let selection):
      return edit(document, .selectScalars(selection, base: base), id)
    case .event(_, let input): return take(input, document, id)
    case .listKeyboards: return list(document, id)
    case .playInputClick: return playInputClick(document, id)
    case .initialize, .openDocument, .setScreen, .resignFirstResponder: break
    }
    reply(id, ServerReply(revision: document.told.revision), connection)
  }

  func reply(_ id: Int64, _ reply: ServerReply, _ connection: AppConnection) {
    connection.send(.reply(id: id, reply))
  }

  func fail(_ id: Int64, _ fault: AppFault, _ message: String, _ connection: AppConnection?) {
    connection?.send(.failure(id: id, code: fault.rawValue, message: message))
  }

  // MARK: The app and its answer

  private func introduce(
    _ introduction: AppIntroduction, _ id: Int64, _ connection: AppConnection
  ) {
    guard connection.introduction == nil else {
      return breach(connection, ProtocolError(message: "a second initialize came"))
    }
    guard introduction.protocolVersions.contains(AppProtocolLimits.version) else {
      return breach(
        connection,
        ProtocolError(
          message: "this host speaks version \(AppProtocolLimits.version) of the protocol"))
    }
    connection.introduction = introduction
    connection.screen = introduction.screen
    reply(
      id,
      ServerReply(protocolVersion: AppProtocolLimits.version, hostVersion: HostVersion.current),
      connection)
    if introduction.implementsShouldAllowExtensionPoint { ask(connection) }
  }

  /// Asks whether the app allows keyboards. Until it has said yes it does not.
  private func ask(_ connection: AppConnection) {
    setAnswer(.failed, of: connection)
    connection.lastQuestion += 1
    asked.insert(connection.id)
    connection.question = (
      connection.lastQuestion, now.adding(milliseconds: Self.questionDeadline)
    )
    connection.send(
      .shouldAllowExtensionPoint(
        id: connection.lastQuestion, identifier: ServerMessage.keyboardExtensionPoint))
  }

  private func take(_ id: Int64, _ answer: AppAnswer, from connection: AppConnection) {
    guard id <= connection.lastQuestion else {
      return breach(
        connection, ProtocolError(message: "an answer came to question \(id), which was not asked"))
    }
    // An answer that is late, or to an older question, was overtaken: the veto stands.
    guard let question = connection.question, question.id == id, now < question.deadline else {
      return
    }
    connection.question = nil
    asked.remove(connection.id)
    setAnswer(answer, of: connection)
  }

  func expireQuestions() {
    for id in asked {
      guard let connection = connections[id], let question = connection.question,
        question.deadline <= now
      else { continue }
      connection.question = nil
      asked.remove(id)
    }
  }

  private func setAnswer(_ answer: AppAnswer, of connection: AppConnection) {
    connection.answer = answer
    for document in connection.documents.values.sorted(by: { $0.name < $1.name }) {
      driver.feed(.answer(document.id, answer))
    }
  }

  // MARK: Documents

  private static let overlongRun =
    "a character of the text, or a row of halves of flags, has more than "
    + "\(TextDocument.maximumRunScalars) code points"

  private func open(
    _ name: String, _ field: DocumentDescription, _ id: Int64, _ connection: AppConnection
  ) {
    guard connection.documents[name] == nil else {
      return fail(id, .documentIsOpen, "a document of that name is open already", connection)
    }
    guard !TextDocument.hasOverlongRun(field.text) else {
      return fail(id, .limit, Self.overlongRun, connection)
    }
    guard connection.documents.count < AppProtocolLimits.documents,
      hasRoom(for: field.text.utf8.count, connection)
    else {
      return fail(id, .limit, "the app has too many documents or too much text", connection)
    }
    guard connection.documents.count < Self.ownDocuments || hasSharedDocument else {
      return fail(
        id, .limit,
        "too many documents are open: until others are closed an app may have "
          + "\(Self.ownDocuments)", connection)
    }
    // The connection's number keeps apps apart, whatever they call themselves and their fields.
    let core = DocumentID("\(connection.id)/\(name)")
    driver.feed(
      .open(
        core, app: connection.introduction?.appIdentifier, answer: connection.answer,
        traits: field.traits, text: field.text))
    guard driver.core.text(of: core) != nil else {
      return fail(id, .limit, "too many documents are open", connection)
    }
    if let context = field.textInputContextIdentifier {
      driver.feed(.inputContext(core, context))
    }
    if let selection = field.selection {
      driver.feed(.appEdit(core, .selectScalars(selection, base: 0)))
    }
    if field.inputViews.inputViewHeight != nil {
      driver.feed(.inputView(core, isOwn: true))
    }
    guard var text = driver.core.text(of: core) else { return }
    text.forgetHistory()
    let document = AppDocument(
      id: core, name: name, connection: connection, views: field.inputViews, told: text)
    documents[core] = document
    connection.documents[name] = document
    reply(id, ServerReply(revision: text.revision), connection)
  }

  /// So many documents every connected app may have, whatever others have.
  static let ownDocuments = 8

  /// Whether there is one left of those that are nobody's own.
  private var hasSharedDocument: Bool {
    let taken = connections.values.reduce(0) { $0 + max(0, $1.documents.count - Self.ownDocuments) }
    return taken < HostCore.maximumDocuments - Self.maximumConnections * Self.ownDocuments
  }

  /// Whether an app may have a text of so many bytes, in the place of a document's if it has one.
  private func hasRoom(
    for bytes: Int, _ connection: AppConnection, replacing replaced: AppDocument? = nil
  ) -> Bool {
    var sum = bytes
    for document in connection.documents.values where document !== replaced {
      sum += document.told.utf8Count
    }
    return sum <= AppProtocolLimits.textBytes
  }

  private func close(_ document: AppDocument, _ id: Int64) {
    withdrawClaim(of: document.connection, for: document)
    if responder === document { setResponder(nil) }
    // What was typed before is handled, and told, before the document goes.
    driver.feed(.close(document.id))
    documents[document.id] = nil
    document.connection.documents[document.name] = nil
    reply(id, ServerReply(), document.connection)
  }

  /// An edit of the app's own: made for the text it names, or not at all.
  private func edit(_ document: AppDocument, _ edit: AppEdit, _ id: Int64) {
    let connection = document.connection
    let base: UInt64
    var expected = document.told
    let fits: Bool
    let wanted: Range<Int>?
    switch edit {
    case .replaceScalars(let range, let text, let selection, let revision):
      base = revision
      wanted = selection
      fits =
        expected.replaceScalars(range, with: text, selection: selection)
        && expected.utf8Count <= TextDocument.maximumBytes
        && hasRoom(for: expected.utf8Count, connection, replacing: document)
        && !expected.hasOverlongRun(
          aroundScalars: range.lowerBound..<(range.lowerBound + text.unicodeScalars.count))
    case .selectScalars(let range, let revision):
      base = revision
      wanted = range
      expected.selectScalars(range)
      fits = true
    case .replaceText, .select: return
    }
    guard base == document.told.revision else { return refuseStale(document, id) }
    guard fits else { return refuseUnfit(document, id) }
    document.held = []
    document.isRefused = false
    driver.feed(.appEdit(document.id, edit))
    let held = document.held ?? []
    document.held = nil
    if !document.isRefused { document.told = expected }
    for effect in held { handle(effect) }
    // The text changed between the app's last look and now.
    if document.isRefused {
      tell(document, cause: .keyboard)
      // Only what was told makes it another text: the app would send it for ever.
      guard document.told.revision != base else { return refuseUnfit(document, id) }
      return refuseStale(document, id)
    }
    reply(id, ServerReply(revision: document.told.revision), connection)
    guard let wanted, document.told.selectedScalars != wanted else { return }
    // The app has the text, and would have the cursor inside a character.
    let revision = document.told.revision
    connection.send(
      .textChanged(
        TextChange(
          document: document.name, baseRevision: revision, revision: revision, range: 0..<0,
          text: "", selection: document.told.selectedScalars, markedRange: nil, cause: .commit)))
  }

  private func refuseUnfit(_ document: AppDocument, _ id: Int64) {
    fail(
      id, .limit, "the text has no such range, or it, or a character of it, becomes too long",
      document.connection)
  }

  private func refuseStale(_ document: AppDocument, _ id: Int64) {
    fail(
      id, .stale, "the text has changed: its revision is \(document.told.revision)",
      document.connection)
  }

  // MARK: Inputs

  func take(_ input: AppInput, _ document: AppDocument, _ id: Int64) {
    let connection = document.connection
    guard document.views.inputViewHeight == nil else {
      return fail(id, .hasInputView, "the field has an input view of the app's own", connection)
    }
    if case .character(let text) = input, text.utf8.count > ProtocolLimits.hardwareKeyBytes {
      return fail(
        id, .limit, "a character has at most \(ProtocolLimits.hardwareKeyBytes) bytes", connection)
    }
    if keep(input, for: document, id) { return }
    guard responder === document else { return failUntyped(id, connection) }
    if case .command = input, connection.introduction?.presentsKeyboard != true {
      return fail(
        id, .notPresenting, "only an app that draws the keyboard has such commands", connection)
    }
    typedAt = now
    let ticket = newTicket()
    tickets[ticket] = (connection.id, id, document.id)
    driver.feed(.ticketed(input.core, ticket: ticket))
  }

  /// A key of the app's own input view is heard while that view shows, if the user wants it.
  private func playInputClick(_ document: AppDocument, _ id: Int64) {
    let isHeard =
      responder === document && document.views.inputViewHeight != nil
      && driver.core.configuration.systemKeyboard[.keyClicks]
    reply(
      id, ServerReply(revision: document.told.revision, handled: isHeard), document.connection)
  }

  private func list(_ document: AppDocument, _ id: Int64) {
    let connection = document.connection
    guard connection.introduction?.presentsKeyboard ?? false else {
      return fail(id, .notPresenting, "only apps that draw the keyboard are told", connection)
    }
    let keyboards = driver.core.choices(for: document.id).map { choice in
      let isSystem = choice.identifier == HostSettings.systemKeyboard
      return ListedChoice(
        identifier: choice.identifier,
        displayName: isSystem ? "System" : displayName(choice.identifier),
        isSelected: choice.isSelected, mayServe: choice.decision.isEligible,
        reasons: choice.decision.reasons.map(\.shown))
    }
    reply(id, ServerReply(revision: document.told.revision, keyboards: keyboards), connection)
  }
}

extension AppInput {
  fileprivate var core: UserInput {
    switch self {
    case .event(let event): .event(event)
    case .character(let text): .character(text)
    case .nextKeyboard: .nextKeyboard
    case .selectKeyboard(let name): .selectKeyboard(name)
    case .command(let command): .command(command)
    }
  }
}
