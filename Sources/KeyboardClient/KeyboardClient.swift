import AppProtocol
import Glibc
import LinuxSystem
import PluginProtocol
import TextInput

/// An app's connection to the keyboard host (`keyhost serve`).
///
/// Not `Sendable`: it belongs to one thread, which waits for ``descriptor`` and calls
/// ``process(milliseconds:)``.
public final class KeyboardClient {
  /// How many scalars of a text go into one message: with escapes, a line holds them.
  static let chunk = 4_096

  /// Whether custom keyboards may serve the app's fields: the answer to
  /// `shouldAllowExtensionPointIdentifier`.
  private let shouldAllow: ((String) -> Bool)?
  private let socket: FileDescriptor
  private var framer = LineFramer(limit: AppProtocolLimits.hostLineBytes)
  private var outbox: [UInt8] = []
  private var answers: [Int64: (ServerReply?, KeyboardClientError?) -> Void] = [:]
  private var lastRequest: Int64 = 0
  private var endReason: String?
  /// How long a call waits for its answer, in milliseconds.
  public var patience: UInt64 = 30_000

  /// The open fields, by name.
  public internal(set) var documents: [String: TextInputClient] = [:]
  /// Where the keyboard is while it shows; nil while it does not, or is another app's.
  public private(set) var keyboardFrame: Frame?
  /// What an app that draws the keyboard has to draw.
  public private(set) var presentation: KeyboardPresentation?
  public var onNotification: (KeyboardNotification) -> Void = { _ in }
  public var onPresentation: (KeyboardPresentation) -> Void = { _ in }
  /// Hears that the user dismissed the keyboard.
  public var onDismissed: (TextInputClient) -> Void = { _ in }
  /// Hears that the sound of a key is to be made, by an app that draws the keyboard.
  public var onInputClick: (TextInputClient) -> Void = { _ in }
  /// Hears that another app's field got the keyboard.
  public var onResigned: (TextInputClient) -> Void = { _ in }

  /// Connects, and says what the app is.
  /// - Parameter shouldAllow: nil for an app that is not to be asked.
  public init(
    path: String, appIdentifier: String, screen: Screen = Screen(), presentsKeyboard: Bool = false,
    shouldAllow: ((String) -> Bool)? = nil
  ) throws(KeyboardClientError) {
    self.shouldAllow = shouldAllow
    Signals.ignorePipe()
    do throws(Errno) {
      socket = try LocalSocket.connect(to: path)
      try socket.setNonBlocking()
    } catch {
      throw .disconnected("\(error) (is `keyhost serve` running?)")
    }
    _ = try call(
      .initialize(
        AppIntroduction(
          appIdentifier: appIdentifier, implementsShouldAllowExtensionPoint: shouldAllow != nil,
          presentsKeyboard: presentsKeyboard, screen: screen)))
  }

  /// The descriptor to wait for: there is something to do when it is readable.
  public var descriptor: Int32 { socket.rawValue }

  /// Opens a field.
  public func open(
    _ name: String, _ field: DocumentDescription = DocumentDescription()
  ) throws(KeyboardClientError) -> TextInputClient {
    let scalars = field.text.unicodeScalars
    let cut =
      scalars.index(scalars.startIndex, offsetBy: Self.chunk, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    var first = field
    first.text = String(field.text[..<cut])
    first.selection = nil
    var opened: Result<TextInputClient, KeyboardClientError>?
    try request(.openDocument(name, first)) { [unowned self] reply, error in
      if let error {
        opened = .failure(error)
      } else {
        // What comes before is of another field that had the name.
        let document = TextInputClient(
          name: name, client: self, field: first, revision: reply?.revision ?? 0)
        documents[name] = document
        opened = .success(document)
      }
    }
    try wait { opened != nil }
    guard let document = try opened?.get() else { throw .disconnected("it did not answer") }
    if cut < scalars.endIndex {
      let end = Self.chunk
      try document.replace(end..<end, with: String(field.text[cut...]))
    }
    if let selection = field.selection { try document.select(selection) }
    return document
  }

  /// What the user did in a field was meant for it as it was: it is sent before that changes.
  func sendInputs() throws(KeyboardClientError) {
    let fields = Array(documents.values)
    for field in fields { try field.sendNext() }
    try wait { fields.allSatisfy(\.hasSentInputs) }
  }

  public func setScreen(_ screen: Screen) throws(KeyboardClientError) {
    _ = try call(.setScreen(screen))
  }

  /// `shouldAllow` would answer differently now: the host asks again.
  public func extensionPointAnswerChanged() throws(KeyboardClientError) {
    try write(.extensionPointAnswerChanged)
  }

  // MARK: Requests

  /// Sends a request and returns; `then` hears the answer.
  public func request(
    _ request: AppRequest,
    then: @escaping (ServerReply?, KeyboardClientError?) -> Void = { _, _ in }
  ) throws(KeyboardClientError) {
    lastRequest += 1
    answers[lastRequest] = then
    try write(.request(id: lastRequest, request))
  }

  /// Sends a request and waits for its answer, handling what comes meanwhile.
  public func call(_ request: AppRequest) throws(KeyboardClientError) -> ServerReply {
    var found: (reply: ServerReply?, error: KeyboardClientError?)?
    try self.request(request) { found = ($0, $1) }
    try wait { found != nil }
    if let error = found?.error { throw error }
    return found?.reply ?? ServerReply()
  }

  /// Handles what comes until the condition holds.
  public func wait(until condition: () -> Bool) throws(KeyboardClientError) {
    let limit = MonotonicClock.nanoseconds + patience * 1_000_000
    while !condition() {
      let now = MonotonicClock.nanoseconds
      guard now < limit else { throw .timedOut(milliseconds: patience) }
      try process(milliseconds: Int32(clamping: (limit - now) / 1_000_000 + 1))
    }
  }

  /// Waits at most so long (negative: for ever) for messages, and handles them.
  public func process(milliseconds: Int32 = 0) throws(KeyboardClientError) {
    try checkConnection()
    var entries = [
      PollEntry(socket.rawValue, outbox.isEmpty ? [.input] : [.input, .output])
    ]
    do throws(Errno) {
      guard try poll(&entries, milliseconds: milliseconds) > 0 else { return }
      if entries[0].returned.contains(.output) { try flush() }
      guard !entries[0].returned.isDisjoint(with: [.input, .hangUp, .error]) else { return }
      let bytes = try socket.read(upTo: 65_536)
      if bytes.isEmpty {
        endReason = "it ended the connection"
      } else {
        framer.append(bytes)
      }
    } catch {
      if error == .wouldBlock { return }
      endReason = "\(error)"
    }
    do throws(ProtocolError) {
      while let line = try framer.next() {
        if let message = try ServerMessage.decode(line) { handle(message) }
      }
    } catch {
      endReason = "it broke the protocol: \(error)"
    }
    try checkConnection()
  }

  private func checkConnection() throws(KeyboardClientError) {
    if let endReason { throw .disconnected(endReason) }
  }

  private func write(_ message: AppMessage) throws(KeyboardClientError) {
    try checkConnection()
    outbox.append(contentsOf: message.encoded())
    do throws(Errno) { try flush() } catch { endReason = "\(error)" }
    try checkConnection()
  }

  private func flush() throws(Errno) {
    var written = 0
    defer { outbox.removeFirst(written) }
    while written < outbox.count {
      do throws(Errno) {
        written += try socket.write(outbox[written...])
      } catch {
        if error == .wouldBlock { return }
        throw error
      }
    }
  }

  private func handle(_ message: ServerMessage) {
    switch message {
    case .reply(let id, let reply): answers.removeValue(forKey: id)?(reply, nil)
    case .failure(let id?, let code, let message):
      answers.removeValue(forKey: id)?(nil, .refused(code: code, message: message))
    case .failure(nil, _, let message): endReason = message
    case .shouldAllowExtensionPoint(let id, let identifier):
      // A connection that has ended is noticed by the next call.
      try? write(.answer(id: id, shouldAllow?(identifier) ?? true))
    case .textChanged(let change):
      if let document = documents[change.document], !document.take(change) {
        endReason = "a change of \(change.document) is for another text"
      }
    case .keyboard(let notification):
      switch notification.name {
      case .willHide, .didHide: keyboardFrame = nil
      default: keyboardFrame = notification.frameEnd
      }
      onNotification(notification)
    case .presentation(let new):
      presentation = new
      onPresentation(new)
    case .format(let name, let command):
      if let document = documents[name] { document.onFormat(document, command) }
    case .inputClick(let name):
      if let document = documents[name] { onInputClick(document) }
    case .dismissed(let name):
      guard let document = documents[name] else { return }
      document.isFirstResponder = false
      onDismissed(document)
    case .resigned(let name):
      guard let document = documents[name] else { return }
      document.isFirstResponder = false
      onResigned(document)
    }
  }
}
