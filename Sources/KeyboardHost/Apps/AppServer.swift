import AppProtocol
import Glibc
import LinuxSystem
import PluginProtocol
import TerminalText
import TextInput

/// Serves connected apps: what they ask goes to the core, what the core does goes back to them.
///
/// Not `Sendable`: it belongs to the thread of its driver.
public final class AppServer {
  /// The most apps that are connected at a time.
  public static let maximumConnections = 256
  /// How many connections each program may have, whatever others have.
  static let ownConnections = 4
  /// How many connections are left to programs that have no more than that.
  static let reservedConnections = 64
  /// How long an app may take to answer whether it allows keyboards, in milliseconds.
  public static let questionDeadline: UInt64 = 1_000
  /// How long no connection is accepted when there are no descriptors left, in milliseconds.
  private static let acceptPause: UInt64 = 500

  let driver: HostDriver
  private let socket: ServerSocket?
  private let user: UInt32
  /// Whether every connection gets a thread, or none; nil leaves it to whether the kernel refuses
  /// descriptors for it. Anything but nil is for tests.
  public var relaysApps: Bool?
  /// Hears what an administrator should know.
  public var onMessage: (String) -> Void = { _ in }
  /// Hears where keyboards are shown.
  public var onEnvironment: (LayoutEnvironment) -> Void = { _ in }
  /// The name a person knows a keyboard by.
  public var displayName: (String) -> String = { $0 }

  var connections: [UInt64: AppConnection] = [:]
  /// What all apps without the keyboard may use of the host's thread together, in nanoseconds of the
  /// processor: however many connections one of them makes, they are one load.
  var share: WorkCredit
  static let shareBurst: Int64 = 100_000_000
  static let sharePerSecond: Int64 = 300_000_000
  /// Beyond so many nanoseconds of them in one turn of the loop, the rest waits for the next.
  private static let sharePerTurn: UInt64 = 2_000_000
  var documents: [DocumentID: AppDocument] = [:]
  /// How many bytes of long changes of texts may wait for all apps together.
  var waitingLimit = 32 << 20
  /// How many slices were served so far.
  private(set) var lastServed: UInt64 = 0
  /// Which of them was the last of each program.
  private var programs: [Int32: UInt64] = [:]
  /// The document that has the keyboard.
  var responder: AppDocument?
  /// When its app got the keyboard, or something was typed there. With a field of the same app in its
  /// place the time goes on while others wait.
  var typedAt: HostTime
  /// The apps that wait for it, in their order.
  var claims: [FocusClaim] = []
  private var notifications = KeyboardNotifications<UInt64>()
  /// Whom to tell how an input was handled.
  var tickets: [UInt64: (connection: UInt64, request: Int64, document: DocumentID)] = [:]
  private var lastTicket: UInt64 = 0
  private var lastConnection: UInt64 = 0
  private var listenToken: PollLoop.Token?
  private var acceptAgainAt: HostTime?
  private var toldRefusals = TokenBucket(burst: 5, perSecond: 0.2)
  /// Connections to look at when the turn ends: they have lines left, rest, or are to be closed.
  var attention: Set<UInt64> = []
  /// Connections with a question that waits for its answer.
  var asked: Set<UInt64> = []
  /// Connections with something to write.
  var written: Set<UInt64> = []

  var loop: PollLoop { driver.loop }
  var now: HostTime { driver.now }

  /// Begins to accept apps. The driver's effects come here from now on.
  public convenience init(driver: HostDriver, socket: ServerSocket) {
    self.init(driver: driver, listening: socket)
  }

  /// Serves only the connections that it is given.
  package convenience init(driver: HostDriver) { self.init(driver: driver, listening: nil) }

  private init(driver: HostDriver, listening socket: ServerSocket?) {
    self.driver = driver
    self.socket = socket
    user = geteuid()
    share = WorkCredit(
      burst: Self.shareBurst, perSecond: Self.sharePerSecond, now: driver.now)
    typedAt = driver.now
    driver.onEffect = { [unowned self] in handle($0) }
    listen()
  }

  /// How many apps are connected.
  public var connectionCount: Int { connections.count }

  /// Waits once, for at most `milliseconds`, and serves what shows.
  public func turn(milliseconds limit: UInt64? = nil) throws(Errno) {
    var wait = limit
    for connection in attention.compactMap({ connections[$0] }) {
      if connection.endReason != nil {
        wait = 0
      } else if let until = connection.restsUntil(now) {
        wait = min(wait ?? .max, until.milliseconds(since: now) + 1)
      } else if !connection.isBehind,
        pendingInputs(of: connection) < AppConnection.pendingInputs
      {
        wait = 0
      }
    }
    for deadline in asked.compactMap({ connections[$0]?.question?.deadline }) {
      wait = min(wait ?? .max, deadline.milliseconds(since: now) + 1)
    }
    if !claims.isEmpty {
      wait = min(wait ?? .max, heldUntil.map { $0.milliseconds(since: now) + 1 } ?? 0)
    }
    if let acceptAgainAt {
      wait = min(wait ?? .max, acceptAgainAt.milliseconds(since: now) + 1)
    }
    try driver.turn(milliseconds: wait)
    endTurn()
  }

  private func endTurn() {
    serveInTurn()
    grantClaims()
    expireQuestions()
    if let again = acceptAgainAt, again <= now { listen() }
    // Whoever is closed here can make another hide its keyboard, and that is written as well.
    repeat {
      let ready = written.sorted()
      written = []
      for id in ready { connections[id]?.flush() }
      for id in attention.sorted() {
        if let connection = connections[id], connection.endReason != nil { close(connection) }
      }
    } while !written.isEmpty
  }

  /// Serves a slice of those with lines left: the app with the keyboard, then the programs in the order in
  /// which they were served last, so that one message of one does not wait behind the many of another;
  /// and no more of them than one turn has room for.
  private func serveInTurn() {
    let waiting = attention.compactMap { connections[$0] }.sorted { one, other in
      if isResponder(one) != isResponder(other) { return isResponder(one) }
      return (programs[one.process] ?? 0, one.servedAt, one.id)
        < (programs[other.process] ?? 0, other.servedAt, other.id)
    }
    var used: UInt64 = 0
    for connection in waiting where connection.endReason == nil && !connection.isClosed {
      guard connection.hasBacklog, connection.restsUntil(now) == nil else {
        connection.updateWatch()
        continue
      }
      if isResponder(connection) {
        connection.service()
        driver.sendUnsent()
      } else if used < Self.sharePerTurn {
        used += connection.service()
        lastServed += 1
        connection.servedAt = lastServed
        programs[connection.process] = lastServed
      } else {
        connection.updateWatch()
      }
    }
  }

  /// Takes nanoseconds of the processor out of an app's share, and out of that of all without the
  /// keyboard.
  func charge(_ nanoseconds: UInt64, to connection: AppConnection) {
    connection.charge(nanoseconds)
    if !isResponder(connection) { share.charge(Int64(clamping: nanoseconds)) }
  }

  /// Ends every connection and takes the socket away. Keyboards are the driver's to end.
  public func shutDown() {
    if let listenToken { loop.unwatch(listenToken) }
    listenToken = nil
    socket?.remove()
    for id in connections.keys.sorted() {
      if let connection = connections[id] { close(connection) }
    }
  }

  // MARK: Connections

  private func listen() {
    acceptAgainAt = nil
    guard listenToken == nil, let socket else { return }
    listenToken = loop.watch(socket.rawValue, for: .input) { [unowned self] _ in accept() }
  }

  private func accept() {
    guard let socket else { return }
    for _ in 0..<16 {
      do {
        try admit(try LocalSocket.accept(socket.rawValue))
      } catch Errno.wouldBlock {
        return
      } catch Errno.connectionAborted {
        continue
      } catch {
        // Those that wait go on waiting, instead of waking the loop all the time.
        if toldRefusals.take(at: now) {
          onMessage("no app can connect for the moment: \(error)")
        }
        if let listenToken { loop.unwatch(listenToken) }
        listenToken = nil
        acceptAgainAt = now.adding(milliseconds: Self.acceptPause)
        return
      }
    }
  }

  /// Begins to serve a connection, unless it may not be.
  /// - Parameter process: who made it, for tests; nil asks the kernel.
  package func admit(
    _ descriptor: consuming FileDescriptor, of process: Int32? = nil
  ) throws(Errno) {
    let peer = try LocalSocket.peer(of: descriptor.rawValue)
    // Whoever is refused may have sent something as well.
    let connection = try AppSocket(descriptor, relays: relaysApps)
    guard peer.user == user else {
      if toldRefusals.take(at: now) {
        onMessage(
          "a program of the user \(peer.user) (process \(peer.process)) was refused: only programs "
            + "of the user \(user) may connect")
      }
      return refuse(
        connection, .protocolError, "only programs of the server's own user may connect")
    }
    let process = process ?? peer.process
    let own = connections.values.count { $0.process == process }
    let room =
      Self.maximumConnections - (own < Self.ownConnections ? 0 : Self.reservedConnections)
    guard connections.count < room else {
      return refuse(
        connection, .limit,
        "\(connections.count) connections are open already, \(own) of them by this program: close some "
          + "and connect again; a program with fewer than \(Self.ownConnections) has places that are "
          + "kept for it")
    }
    lastConnection += 1
    if own == 0 { programs[process] = lastServed }
    connections[lastConnection] = AppConnection(
      id: lastConnection, process: process, socket: connection, server: self, now: now)
  }

  private func refuse(
    _ connection: AppSocket, _ fault: AppFault, _ message: String
  ) {
    let line = ServerMessage.failure(id: nil, code: fault.rawValue, message: message).encoded()
    _ = try? FileDescriptor.write(line[...], to: connection.output)
  }

  /// Lets go of an app: its documents are closed, with what is being composed in them.
  private func close(_ connection: AppConnection) {
    connection.flush()
    connection.close()
    connections[connection.id] = nil
    attention.remove(connection.id)
    written.remove(connection.id)
    asked.remove(connection.id)
    notifications.forget(connection.id)
    claims.removeAll { $0.connection === connection }
    if !connections.values.contains(where: { $0.process == connection.process }) {
      programs[connection.process] = nil
    }
    if responder?.connection === connection { setResponder(nil) }
    tickets = tickets.filter { $0.value.connection != connection.id }
    for document in connection.documents.values.sorted(by: { $0.name < $1.name }) {
      documents[document.id] = nil
      driver.feed(.close(document.id))
    }
    connection.documents = [:]
  }

  /// The app broke the protocol: it is told why, and the session ends.
  func breach(_ connection: AppConnection, _ error: ProtocolError) {
    connection.send(
      .failure(
        id: nil, code: AppFault.protocolError.rawValue, message: VisibleText.escape("\(error)")))
    connection.end("it broke the protocol")
  }

  /// Bounds what waits for all apps beyond what waits for any of them: who has taken nothing of it for longest
  /// is let go of.
  func limitWaiting() {
    let long = connections.values.filter {
      $0.waitingBytes > AppConnection.outboxLimit && $0.endReason == nil
    }
    guard long.reduce(0, { $0 + $1.waitingBytes - AppConnection.outboxLimit }) > waitingLimit else {
      return
    }
    long.min { ($0.tookAt, $0.id) < ($1.tookAt, $1.id) }?.end("it stopped reading")
  }

  func isResponder(_ connection: AppConnection) -> Bool { responder?.connection === connection }

  func pendingInputs(of connection: AppConnection) -> Int {
    guard let responder, responder.connection === connection else {
      let claim = claims.first { $0.connection === connection }
      return claim.map { $0.isFull ? AppConnection.pendingInputs : $0.steps.count } ?? 0
    }
    return driver.core.pendingInputs(of: responder.id)
  }

  func newTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  // MARK: The keyboard's place

  /// Another field has the keyboard, or none.
  func setResponder(_ document: AppDocument?) {
    let old = responder
    responder = document
    if claims.isEmpty || old == nil || old?.connection !== document?.connection { typedAt = now }
    if let document {
      onEnvironment(document.connection.screen.environment)
      driver.feed(.focus(document.id))
    } else if old != nil {
      driver.feed(.focus(nil))
    }
    if let old, let document, old.connection !== document.connection {
      placeKeyboard()
      old.connection.send(.resigned(document: old.name))
      old.connection.updateWatch()
    } else {
      placeKeyboard()
    }
  }

  /// Tells the apps where the keyboard is now.
  func placeKeyboard() {
    let shown = responder.map {
      KeyboardNotifications<UInt64>.Responder(
        owner: $0.connection.id, screen: $0.connection.screen, views: $0.views)
    }
    for delivery in notifications.update(shown) {
      connections[delivery.owner]?.send(.keyboard(delivery.notification))
    }
  }
}
