import AppProtocol
import LinuxSystem
import PluginProtocol

/// An app of the fuzzer at the other end of a connection: what it was told, held to the protocol.
final class FuzzApp {
  /// A field as the app has it, from what it did itself and what it was told.
  struct Field {
    var scalars: [Unicode.Scalar]
    var revision: UInt64
    var allowsFormat = false
    var hasOwnView = false
  }

  /// What an app asked, to take it into its own picture when the answer comes.
  enum Asked {
    case initialize
    case open(String, Field)
    case close(String)
    case edit(String, Range<Int>, String)
    case select(String)
    case traits(String, allowsFormat: Bool)
    case views(String, isOwn: Bool)
    case other
  }

  private let socket: FileDescriptor
  private var framer = LineFramer(limit: AppProtocolLimits.hostLineBytes)
  private var lastRequest: Int64 = 0
  private var asked: [Int64: Asked] = [:]
  private(set) var fields: [String: Field] = [:]
  /// The host's question that waits for an answer.
  private(set) var question: Int64?
  private(set) var isShown = false
  private var willShow = false
  private(set) var hasBegun = false
  /// Whether it says what the protocol does not have, so that the session ends.
  var isHostile = false
  /// Whether the host may end the session.
  private(set) var isEnded = false
  /// Whether the app has more to read than it took.
  private(set) var finding: String?
  let presents: Bool

  init(_ socket: consuming FileDescriptor, presents: Bool) {
    self.socket = socket
    self.presents = presents
  }

  var waits: Int { asked.count }

  // MARK: Sending

  func request(_ request: AppRequest, _ what: Asked = .other) {
    lastRequest += 1
    asked[lastRequest] = what
    write(AppMessage.request(id: lastRequest, request).encoded())
  }

  func answer(_ allows: Bool?) {
    guard let question else { return }
    self.question = nil
    write(AppMessage.answer(id: question, allows).encoded())
  }

  func changeAnswer() { write(AppMessage.extensionPointAnswerChanged.encoded()) }

  func write(_ bytes: [UInt8]) {
    guard !isEnded else { return }
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = try? socket.write(rest), count > 0 else {
        // Only an app that is not read from cannot write; such a run says nothing more.
        isHostile = true
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  // MARK: Reading

  /// Takes what the host sent.
  func read() {
    while finding == nil {
      let bytes: [UInt8]
      do throws(Errno) { bytes = try socket.read(upTo: 65_536) } catch {
        if error != .wouldBlock { isEnded = true }
        return
      }
      if bytes.isEmpty {
        note(isHostile, "the session of an app that did nothing wrong was ended")
        isEnded = true
        return
      }
      framer.append(bytes)
      do throws(ProtocolError) {
        while let line = try framer.next() {
          guard let message = try ServerMessage.decode(line) else {
            return note(false, "the host says what the protocol does not have")
          }
          note(
            message.encoded() == line + [0x0A], "the host's line is not as it would be written")
          take(message)
        }
      } catch { note(false, "the host breaks the protocol: \(error)") }
    }
  }

  private func take(_ message: ServerMessage) {
    switch message {
    case .reply(let id, let reply):
      guard let what = asked.removeValue(forKey: id) else {
        return note(isHostile, "an answer to \(id), which was not asked")
      }
      done(what, reply)
    case .failure(let id?, let code, _):
      guard let what = asked.removeValue(forKey: id) else {
        return note(isHostile, "an error for \(id), which was not asked")
      }
      note(AppFault(rawValue: code) != nil, "the error \(code) is none of the protocol")
      if case .edit(let name, _, _) = what, code == AppFault.stale.rawValue {
        note(fields[name] != nil, "a stale edit of what is not open")
      }
    case .failure(nil, _, _): note(isHostile, "the session of a faithful app was ended")
    case .shouldAllowExtensionPoint(let id, _): question = id
    case .textChanged(let change): changed(change)
    case .keyboard(let notification): moved(notification)
    case .presentation(let presentation):
      note(presents, "an app is told a keyboard that it does not draw")
      note(fields[presentation.document] != nil, "a keyboard is shown for what is not open")
    case .format(let name, _):
      note(fields[name]?.allowsFormat == true, "another look is asked of a field without looks")
    case .inputClick(let name):
      note(presents && fields[name]?.hasOwnView == false, "a click of what does not show")
    case .dismissed(let name), .resigned(let name):
      note(fields[name] != nil, "what is not open lost the keyboard")
    }
  }

  private func done(_ what: Asked, _ reply: ServerReply) {
    switch what {
    case .initialize:
      note(reply.protocolVersion == AppProtocolLimits.version, "another version is spoken")
      hasBegun = true
    case .open(let name, let field):
      fields[name] = field
      fields[name]?.revision = reply.revision ?? 0
    case .close(let name): fields[name] = nil
    case .edit(let name, let range, let text):
      guard let field = fields[name], range.upperBound <= field.scalars.count else {
        return note(false, "an edit beyond the text was made")
      }
      fields[name]?.scalars.replaceSubrange(range, with: text.unicodeScalars)
      fields[name]?.revision = reply.revision ?? 0
    case .select(let name): fields[name]?.revision = reply.revision ?? 0
    case .traits(let name, let allows): fields[name]?.allowsFormat = allows
    case .views(let name, let isOwn): fields[name]?.hasOwnView = isOwn
    case .other: break
    }
  }

  private func changed(_ change: TextChange) {
    guard let field = fields[change.document] else {
      return note(false, "a change of what is not open")
    }
    guard change.baseRevision == field.revision, change.range.upperBound <= field.scalars.count
    else { return note(false, "a change for a text that the app does not have") }
    fields[change.document]?.scalars.replaceSubrange(
      change.range, with: change.text.unicodeScalars)
    fields[change.document]?.revision = change.revision
    let count = fields[change.document]?.scalars.count ?? 0
    note(change.selection.upperBound <= count, "a selection beyond the text")
    note((change.markedRange?.upperBound ?? 0) <= count, "a composed text beyond the text")
  }

  private func moved(_ notification: KeyboardNotification) {
    switch notification.name {
    case .willShow:
      note(!isShown && !willShow, "a second show")
      willShow = true
    case .didShow:
      note(willShow, "it showed without saying that it would")
      willShow = false
      isShown = true
    case .willHide:
      note(isShown, "what does not show hides")
      isShown = false
    case .didHide: note(!isShown, "it hid without saying that it would")
    case .willChangeFrame, .didChangeFrame: note(isShown, "what does not show changes its frame")
    }
  }

  private func note(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition, finding == nil { finding = message() }
  }
}
