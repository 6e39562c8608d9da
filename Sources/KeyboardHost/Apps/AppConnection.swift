import AppProtocol
import LinuxSystem
import PluginProtocol

/// One app's connection, as the loop sees it: turns bytes into messages, within bounds, and never
/// waits.
///
/// However much an app sends, each turn of the loop takes only a slice of it. An app without the
/// keyboard may use a tenth of the processor, and all of them together three tenths
/// (``AppServer/share``); then nothing is read from it for a while, and the kernel makes it wait. One that does
/// not read is disconnected.
final class AppConnection {
  /// More than this waits for an app only if it does not read, or the host has changed a long text.
  static let outboxLimit = 1 << 20
  /// Bytes taken from one app before the others have their turn.
  private static let readSize = 16_384
  /// Messages, and nanoseconds of the processor, for one app before the others have their turn.
  private static let sliceMessages = 32
  private static let sliceNanoseconds: UInt64 = 1_000_000
  /// Nothing is read from an app while so many of its inputs wait for a keyboard.
  static let pendingInputs = 128
  /// Nanoseconds of the processor that an app without the keyboard may use at once, and in a second.
  private static let burst: Int64 = 200_000_000
  private static let perSecond: Int64 = 100_000_000
  /// How often an app may move the keyboard, or keep it from keyboards and back, at once and in a
  /// second. Each time they are stopped, started and written about.
  static let focusBurst: Int64 = 64
  static let focusPerSecond: Int64 = 16

  let id: UInt64
  /// Who made the connection.
  let process: Int32
  private let socket: AppSocket
  private unowned let server: AppServer
  private var framer = LineFramer(limit: AppProtocolLimits.appLineBytes)
  private var outbox = Outbox(keepingCapacity: 4_096)
  /// What is to be shown, while the app has yet to read what was sent before: only the newest of it matters,
  /// and a keyboard can make more of it than an app can draw.
  private var heldPresentation: KeyboardPresentation?
  /// How many bytes the longest change of a text takes that is among what waits.
  private var changeBytes = 0
  /// When the app had everything, or took something of it.
  private(set) var tookAt: HostTime
  private var inputToken: PollLoop.Token?
  private var outputToken: PollLoop.Token?
  private var hasEndOfInput = false
  private var credit: WorkCredit
  private var focusCredit: WorkCredit
  /// Whether lines may wait that were read and not handled.
  private(set) var hasBacklog = false
  private(set) var isClosed = false
  /// Counts with the others when it was served last: who was so longest ago is the next.
  var servedAt: UInt64
  /// How long the line is that is being handled.
  private(set) var lineBytes = 0
  /// Why it is to be closed at the end of the turn.
  private(set) var endReason: String?

  // What the app said.
  var introduction: AppIntroduction?
  var answer = AppAnswer.notImplemented
  /// The question that waits for its answer.
  var question: (id: Int64, deadline: HostTime)?
  var lastQuestion: Int64 = -1
  var screen = Screen()
  var documents: [String: AppDocument] = [:]

  init(id: UInt64, process: Int32, socket: AppSocket, server: AppServer, now: HostTime) {
    self.id = id
    self.process = process
    servedAt = server.lastServed
    tookAt = now
    self.socket = socket
    self.server = server
    credit = WorkCredit(burst: Self.burst, perSecond: Self.perSecond, now: now)
    // In thousandths, so that a millisecond adds something.
    focusCredit = WorkCredit(
      burst: (Self.focusBurst - 1) * 1_000, perSecond: Self.focusPerSecond * 1_000, now: now)
    updateWatch()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    for token in [inputToken, outputToken].compactMap(\.self) { server.loop.unwatch(token) }
    inputToken = nil
    outputToken = nil
  }

  /// Closes it when the turn ends, and everything that was sent before has been given to the kernel.
  func end(_ reason: String) {
    if endReason == nil { endReason = reason }
    server.attention.insert(id)
  }

  // MARK: Input

  /// Until when nothing is handled, because the app used its share; nil when it may go on.
  func restsUntil(_ now: HostTime) -> HostTime? {
    let focus = focusCredit.restsUntil(now)
    if server.isResponder(self) { return focus }
    return [focus, credit.restsUntil(now), server.share.restsUntil(now)].compactMap(\.self).max()
  }

  /// Takes nanoseconds of the processor out of its share.
  func charge(_ nanoseconds: UInt64) { credit.charge(Int64(clamping: nanoseconds)) }

  /// The app has moved the keyboard, or kept it from keyboards.
  func noteFocusChange() { focusCredit.charge(1_000) }

  private func readable() {
    let began = server.driver.clock.processor()
    // What never becomes a whole line costs as well.
    defer { server.charge(server.driver.clock.processor() - began, to: self) }
    do {
      let bytes = try FileDescriptor.read(from: socket.input, upTo: Self.readSize)
      if bytes.isEmpty { hasEndOfInput = true } else { framer.append(bytes) }
    } catch Errno.wouldBlock {
      return
    } catch {
      hasEndOfInput = true
    }
    // Its turn comes at the end, in the order of what everybody has used; until then the loop does not
    // wait, and its watch stays as it is.
    hasBacklog = true
    server.attention.insert(id)
  }

  /// Handles a slice of the lines that were read.
  /// - Returns: the nanoseconds of the processor that it took.
  @discardableResult
  func service() -> UInt64 {
    let began = server.driver.clock.processor()
    var used: UInt64 = 0
    var count = 0
    hasBacklog = true
    do throws(ProtocolError) {
      while !isClosed, endReason == nil, count < Self.sliceMessages, used < Self.sliceNanoseconds,
        server.pendingInputs(of: self) < Self.pendingInputs, !isBehind,
        focusCredit.restsUntil(server.now) == nil
      {
        guard let line = try framer.next() else {
          hasBacklog = false
          // Looking for the end of a line costs as well, where there is none.
          if framer.hasPartialLine { used = server.driver.clock.processor() - began }
          break
        }
        lineBytes = line.count
        server.handle(try AppMessage.decode(line), from: self)
        count += 1
        used = server.driver.clock.processor() - began
      }
    } catch {
      hasBacklog = false
      server.breach(self, error)
    }
    server.charge(used, to: self)
    if !hasBacklog {
      // What an app once sent at most is not kept for an app that is idle.
      if !framer.hasPartialLine { framer = LineFramer(limit: AppProtocolLimits.appLineBytes) }
      if hasEndOfInput { end("it disconnected") }
    }
    updateWatch()
    return used
  }

  /// Input is waited for only while it would be handled.
  func updateWatch() {
    guard !isClosed else { return }
    let wants =
      !hasBacklog && !hasEndOfInput && endReason == nil
      && restsUntil(server.now) == nil
    if wants, inputToken == nil {
      inputToken = server.loop.watch(socket.input, for: .input) { [unowned self] _ in
        readable()
      }
    } else if !wants, let token = inputToken {
      server.loop.unwatch(token)
      inputToken = nil
    }
    if wants { server.attention.remove(id) } else { server.attention.insert(id) }
  }

  // MARK: Output

  /// How many bytes wait for the app.
  var waitingBytes: Int { outbox.count }

  /// Whether a long change of a text waits for the app, which is told that before it asks for more.
  var isBehind: Bool { changeBytes > Self.outboxLimit / 2 && waitingBytes > Self.outboxLimit }

  func send(_ message: ServerMessage) {
    guard !isClosed, endReason == nil else { return }
    if case .presentation(let presentation) = message {
      heldPresentation = outputToken == nil ? nil : presentation
      if outputToken != nil { return }
    }
    send(message.encoded())
  }

  /// Sends a change of a text, in its pieces: it may be longer than all else that may wait.
  func sendChange(_ pieces: [TextChange]) {
    let lines = pieces.map { ServerMessage.textChanged($0).encoded() }
    changeBytes = max(changeBytes, lines.reduce(0) { $0 + $1.count })
    for line in lines { send(line) }
  }

  private func send(_ line: [UInt8]) {
    guard !isClosed, endReason == nil else { return }
    if waitingBytes == 0 { tookAt = server.now }
    outbox.append(line)
    server.written.insert(id)
    if waitingBytes > Self.outboxLimit + changeBytes {
      end("it stopped reading")
    } else if waitingBytes > Self.outboxLimit {
      server.limitWaiting()
    }
  }

  func flush() {
    guard !isClosed else { return }
    defer { if waitingBytes <= Self.outboxLimit { changeBytes = 0 } }
    writeOutbox()
    if outbox.isEmpty, let presentation = heldPresentation,
      documents[presentation.document] != nil
    {
      heldPresentation = nil
      outbox.append(ServerMessage.presentation(presentation).encoded())
      writeOutbox()
    }
    if outbox.isEmpty {
      heldPresentation = nil
      if let token = outputToken {
        server.loop.unwatch(token)
        outputToken = nil
      }
    } else if outputToken == nil {
      outputToken = server.loop.watch(socket.output, for: .output) { [unowned self] _ in
        flush()
      }
    }
  }

  private func writeOutbox() {
    let waiting = outbox.count
    do { try outbox.write(to: socket.output) } catch {
      outbox.removeAll()
      return end("it disconnected")
    }
    if outbox.count < waiting { tookAt = server.now }
  }
}
