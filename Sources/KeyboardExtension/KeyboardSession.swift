import PluginProtocol
import StrictJSON

/// The conversation of one keyboard with its host, without I/O: lines in, bytes out.
final class KeyboardSession {
  static let invalidRequest = -32600
  static let methodNotFound = -32601

  private let controller: InputViewController
  private let proxy: TextDocumentProxy
  /// What is to be written to the host.
  private(set) var output: [UInt8] = []
  /// Whether the host asked the keyboard to exit.
  private(set) var isFinished = false
  private var isInitialized = false
  private var nextRequest: Int64 = 0
  /// The request for edits that is not answered yet. Only one is: the next needs its revision.
  private var transactionInFlight: Int64?
  private var queue = Transaction.empty
  private var services = ServiceRequests()
  private var lexiconsInFlight: [(id: Int64, completion: ([LexiconEntry]) -> Void)] = []

  init(_ controller: InputViewController) {
    self.controller = controller
    proxy = controller.textDocumentProxy
  }

  func takeOutput() -> [UInt8] {
    let result = output
    output = []
    return result
  }

  /// Takes one line of the host.
  func receive(_ line: [UInt8]) throws(ProtocolError) {
    let message = try HostMessage.decode(line)
    switch message {
    case .initialize(let id, let request): try initialize(id, request)
    case .exit: isFinished = true
    case .shutdown(let id): output += PluginMessage.response(id: id) { $0.null() }
    case .unrecognized(let id, let method):
      if let id { fail(id, Self.methodNotFound, "this keyboard does not know \"\(method)\"") }
    default:
      guard isInitialized else {
        throw ProtocolError(message: "the host sent a message before initialize")
      }
      handle(message)
    }
    flush()
  }

  /// Runs a handler of the keyboard outside any event.
  func perform(_ body: () -> Void) {
    body()
    flush()
  }

  private func initialize(_ id: Int64, _ request: InitializeRequest) throws(ProtocolError) {
    guard !isInitialized else {
      return fail(id, Self.invalidRequest, "initialize came a second time")
    }
    guard request.protocolVersions.contains(1) else {
      return fail(id, Self.invalidRequest, "this keyboard speaks version 1 of the protocol")
    }
    controller.hasFullAccess = request.hasFullAccess
    controller.needsInputModeSwitchKey = request.needsInputModeSwitchKey
    controller.primaryLanguage = request.primaryLanguage
    controller.settings = KeyboardSettings(request.settings)
    controller.environment = request.environment
    controller.viewDidLoad()
    do throws(KeyboardLayoutError) {
      try controller.layout.validate()
    } catch { throw ProtocolError(message: "the keyboard's layout is wrong: \(error.message)") }
    controller.layoutChanged = false
    isInitialized = true
    let result = InitializeResult(
      takesHardwareKeys: controller.takesHardwareKeys, layout: controller.layout)
    output += PluginMessage.response(id: id) { result.encode(into: &$0) }
  }

  private func handle(_ message: HostMessage) {
    switch message {
    case .event(let id, let state, let event): handle(event, state, id)
    case .focus(let state):
      queue = .empty
      proxy.hide()
      proxy.show(state)
      controller.viewWillAppear()
      controller.traitsDidChange()
    case .change(let state, let cause, let textChanged, let selectionChanged):
      if textChanged { controller.textWillChange(cause) }
      if selectionChanged { controller.selectionWillChange(cause) }
      proxy.show(state)
      if state.traits != nil { controller.traitsDidChange() }
      if textChanged { controller.textDidChange(cause) }
      if selectionChanged { controller.selectionDidChange(cause) }
    case .blur:
      queue = .empty
      proxy.hide()
      controller.viewDidDisappear()
    case .settings(let settings):
      controller.settings = KeyboardSettings(settings)
      controller.settingsDidChange()
    case .environment(let environment):
      controller.environment = environment
      controller.environmentDidChange()
    case .transactionReply(let id, let applied, let state):
      if id == transactionInFlight { finish(applied: applied, state) }
    case .lexiconReply(let id, let entries): finishLexicon(id, entries)
    case .contactsReply(let id, let page): services.finish(id, page, &nextRequest, &output)
    case .locationReply(let id, let location): services.finish(id, location)
    case .failure(let id, let code, let message):
      if let id { services.fail(id, ServiceError(code: code, message: message)) }
      if id != nil && id == transactionInFlight { finish(applied: false, nil) }
      if let id { finishLexicon(id, []) }
    case .initialize, .shutdown, .exit, .unrecognized: break
    }
  }

  // MARK: Events

  private func handle(_ event: InputEvent, _ state: FieldState, _ id: Int64) {
    proxy.show(state)
    guard call(event) else {
      _ = proxy.takeEdits()
      _ = takeActions()
      proxy.show(state)
      return fail(id, PluginMessage.declined, "the keyboard does not take this event")
    }
    let changed = proxy.document?.revision != state.revision
    var transaction = Transaction(edits: proxy.takeEdits(), actions: takeActions())
    addChanges(to: &transaction)
    let response = PluginMessage.response(id: id) { transaction.encode(into: &$0) }
    output += fitting(response, transaction) { smaller in
      PluginMessage.response(id: id) { smaller.encode(into: &$0) }
    }
    // The host's own count after it applied the answer; if it is another, it will say so.
    if changed { proxy.hostRevision = state.revision + 1 }
  }

  /// Calls the keyboard; false when the keyboard does not take the event.
  private func call(_ event: InputEvent) -> Bool {
    switch event {
    case .tap(let id):
      guard let key = key(id) else { return false }
      controller.keyTapped(key)
    case .longPress(let id):
      guard let key = key(id) else { return false }
      controller.keyLongPressed(key)
    case .swipe(let direction, let count): controller.swiped(direction, count: count)
    case .hardwareKey(let key): return controller.hardwareKeyPressed(key)
    case .suggestion(let index, let text): controller.suggestionPicked(text, index: index)
    case .stroke(let points): controller.strokeDrawn(points)
    }
    return true
  }

  /// A key of the layout, or of the one before, which was shown when the user tapped.
  private func key(_ id: String) -> Key? {
    controller.layout.key(id: id) ?? controller.previousLayout.key(id: id)
  }

  // MARK: Outside events

  /// Sends what the keyboard did outside an event.
  private func flush() {
    guard isInitialized else { return }
    for completion in controller.lexiconRequests {
      lexiconsInFlight.append((nextRequest, completion))
      output += PluginMessage.lexicon(id: nextRequest).encoded()
      nextRequest += 1
    }
    controller.lexiconRequests = []
    services.send(from: controller, &nextRequest, &output)
    guard let identifier = proxy.documentIdentifier else {
      // Without a field nothing can be typed or shown; a layout waits for the next one.
      controller.actions = []
      return
    }
    queue.edits += proxy.takeEdits()
    for action in takeActions() where !queue.actions.contains(action) {
      queue.actions.append(action)
    }
    addChanges(to: &queue)
    guard transactionInFlight == nil, queue != .empty else { return }
    let id = nextRequest
    nextRequest += 1
    transactionInFlight = id
    let transaction = queue
    queue = .empty
    let revision = proxy.hostRevision
    func message(_ transaction: Transaction) -> [UInt8] {
      PluginMessage.transaction(
        id: id, documentIdentifier: identifier, revision: revision, transaction
      ).encoded()
    }
    output += fitting(message(transaction), transaction, message)
  }

  private func finish(applied: Bool, _ state: FieldState?) {
    transactionInFlight = nil
    if let state, state.documentIdentifier == proxy.documentIdentifier {
      // The answer is all that the host says of it: no change message follows.
      let isChange = applied && state.revision != proxy.hostRevision
      if isChange {
        controller.textWillChange(.keyboard)
        controller.selectionWillChange(.keyboard)
      }
      proxy.show(state)
      if applied { proxy.apply(queue.edits) }
      if isChange {
        controller.textDidChange(.keyboard)
        controller.selectionDidChange(.keyboard)
      }
    }
    if !applied {
      queue = .empty
      controller.editsWereRefused()
    }
  }

  private func finishLexicon(_ id: Int64, _ entries: [LexiconEntry]) {
    guard let index = lexiconsInFlight.firstIndex(where: { $0.id == id }) else { return }
    lexiconsInFlight.remove(at: index).completion(entries)
  }

  // MARK: Pieces

  private func takeActions() -> [KeyboardAction] {
    let result = controller.actions
    controller.actions = []
    return result
  }

  private func addChanges(to transaction: inout Transaction) {
    if controller.layoutChanged {
      controller.layoutChanged = false
      do throws(KeyboardLayoutError) {
        try controller.layout.validate()
        transaction.layout = controller.layout
      } catch { Transport.log("the new layout is wrong and is not shown: \(error.message)") }
    }
    if controller.suggestionsChanged {
      controller.suggestionsChanged = false
      transaction.suggestions = controller.suggestions.items
    }
  }

  /// The message, or one without the layout if that makes it too long for a line.
  private func fitting(
    _ message: [UInt8], _ transaction: Transaction, _ encode: (Transaction) -> [UInt8]
  ) -> [UInt8] {
    if message.count <= ProtocolLimits.lineBytes { return message }
    Transport.log("the new layout makes a message of \(message.count) bytes and is not shown")
    var smaller = transaction
    smaller.layout = nil
    return encode(smaller)
  }

  private func fail(_ id: Int64, _ code: Int, _ message: String) {
    output += PluginMessage.errorResponse(id: id, code: code, message: message).encoded()
  }
}
