import LinuxSystem
import NetworkBroker
import SandboxLaunch

/// Connects in the place of one keyboard with open access, which has no network of its own.
///
/// It decides by its own copy of the address, connects a socket of the host's, and puts it, once
/// it is established, in the place of the keyboard's. It never waits.
final class ConnectionBroker {
  /// Connects of one keyboard that may be under way at once.
  static let pendingLimit = 16
  /// Connections of one keyboard at once, those that are being made among them. With 512 KiB each
  /// they take 16 MiB of the kernel's memory, which no limit of the process counts.
  static let connectionLimit = 32
  /// Connections of one keyboard to the name server at once.
  static let linkLimit = 8
  /// How long a blocking connect without a time limit of its own may take, in milliseconds.
  static let patience: UInt64 = 60_000
  /// The same for a non-blocking one, whose caller believes that it returns at once and cannot say
  /// how long it would wait.
  static let shortPatience: UInt64 = 10_000
  /// Names remembered for the log.
  private static let nameLimit = 1_024

  private let keyboard: String
  private let client: UInt64
  private let rule: AddressRule
  private unowned let child: SandboxedChild
  private unowned let host: any BrokerHost
  private var attempts: [UInt64: ConnectionAttempt] = [:]
  private var lastAttempt: UInt64 = 0
  private var links: [ObjectIdentifier: NameLink] = [:]
  private var names: [InternetAddress: String] = [:]
  /// What was handed over, and may be there still.
  private var connections: [LiveConnection] = []
  /// How many connects the keyboard may try, and how many names it may have looked up: 512 at once after
  /// a quiet time, ten a second in the long run. Each is a line in the audit log, which must not be pushed
  /// out of its files by a keyboard that tries them by the thousand.
  static let triesAllowed = TokenBucket(burst: 512, perSecond: 10)
  private var budget = ConnectionBroker.triesAllowed
  private var questions = ConnectionBroker.triesAllowed
  private var isPaused = false

  init(
    keyboard: String, client: UInt64, access: NetworkAccess, child: SandboxedChild,
    host: any BrokerHost
  ) {
    self.keyboard = keyboard
    self.client = client
    rule = AddressRule(exceptions: access.exceptions)
    self.child = child
    self.host = host
  }

  /// When ``check()`` has something to do.
  var deadline: HostTime? { attempts.values.map(\.deadline).min() }

  /// Ends the connects whose time is over.
  func check() {
    for (number, attempt) in attempts.sorted(by: { $0.key < $1.key })
    where attempt.deadline <= host.now {
      drop(number)
      // What the kernel says when SO_SNDTIMEO is over is that it is still connecting.
      fail(attempt.request, attempt.target, attempt.hasOwnLimit ? .inProgress : .timedOut)
    }
  }

  /// Answers what waits, because a process that waits cannot be stopped, and all that comes until
  /// ``resume()``.
  func pause() {
    isPaused = true
    for (number, attempt) in attempts.sorted(by: { $0.key < $1.key }) {
      drop(number)
      fail(attempt.request, attempt.target, .connectionAborted)
    }
  }

  func resume() { isPaused = false }

  /// Lets go of everything. Calls that wait end with the keyboard.
  func close() {
    isPaused = true
    for number in attempts.keys { drop(number) }
    for link in links.values { link.close() }
    links = [:]
    host.names?.cancel(client: client)
  }

  /// Ends the connections that were handed over, also those that the keyboard has closed itself, where
  /// the kernel lets the host: it takes CAP_NET_ADMIN.
  func abort() {
    for connection in connections { connection.destroy() }
  }

  private func drop(_ number: UInt64) {
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    if let token = attempt.token { host.loop.unwatch(token) }
  }

  // MARK: Deciding

  func handle(_ request: ConnectRequest) {
    guard !isPaused else { return child.refuse(request, .connectionAborted) }
    guard budget.take(at: host.now) else { return refuseForNow(request) }
    guard let bytes = request.address else { return child.refuse(request, .badAddress) }
    let target: SocketAddress
    do throws(SocketAddress.Fault) {
      target = try SocketAddress(decoding: bytes)
    } catch {
      return refuse(request, error)
    }
    let socket: PluginSocket
    do {
      // The duplicate is gone before anything else happens.
      let taken = try child.takeDescriptor(of: request)
      guard child.isWaiting(request) else { return }
      socket = try PluginSocket(examining: taken.rawValue)
    } catch {
      guard child.isWaiting(request) else { return }
      return refuse(request, target, error)
    }
    guard socket.isIPv6 == target.address.isIPv6 else {
      return refuse(
        request, target, "an address of another family than the socket's", .unsupportedFamily)
    }
    if target == Self.nameServer { return serveNames(request) }
    guard attempts.count < Self.pendingLimit else {
      return refuse(
        request, target, "\(Self.pendingLimit) connections are being made already", .wouldBlock)
    }
    guard hasRoom() else {
      return refuse(
        request, target, "\(Self.connectionLimit) connections stand already", .wouldBlock)
    }
    if let reason = fault(of: target) {
      return refuse(request, target, reason, .permissionDenied)
    }
    connect(request, target, socket)
  }

  /// The kernel is asked only when all that was handed over since would be too much.
  private func hasRoom() -> Bool {
    if attempts.count + connections.count >= Self.connectionLimit {
      connections.removeAll { $0.isGone }
    }
    return attempts.count + connections.count < Self.connectionLimit
  }

  private func fault(of target: SocketAddress) -> String? {
    do {
      if case .refused(let reason) = rule.judge(target, own: try OwnAddresses.current()) {
        return reason
      }
    } catch {
      return "this machine's own addresses cannot be told: \(error)"
    }
    return nil
  }

  /// Why a socket may not be connected, or a connection not be used, by the way that leads there.
  private func wayFault(
    _ target: SocketAddress, _ socket: Int32, isConnected: Bool
  ) throws(Errno) -> String? {
    try RouteCheck.fault(
      of: target, socket: socket, isConnected: isConnected, user: child.identity,
      isListed: rule.lists(target))
  }

  private static let nameServer = SocketAddress(
    InternetAddress(NameServer.address)!, port: NameServer.port)

  // MARK: Connecting

  private func connect(
    _ request: ConnectRequest, _ target: SocketAddress, _ socket: PluginSocket
  ) {
    do {
      let attempt = ConnectionAttempt(
        request: request, target: target, isNonBlocking: socket.isNonBlocking,
        hasOwnLimit: socket.sendTimeout != nil && !socket.isNonBlocking,
        deadline: host.now.adding(milliseconds: Self.patience(for: socket)),
        socket: try StreamSocket.make(isIPv6: socket.isIPv6))
      let descriptor = attempt.socket.rawValue
      socket.copyOptions(to: descriptor)
      if let identity = child.identity {
        try StreamSocket.setOwner(descriptor, user: identity)
      }
      if let reason = try wayFault(target, descriptor, isConnected: false) {
        return refuse(request, target, reason, .permissionDenied)
      }
      switch try StreamSocket.connect(descriptor, to: target) {
      case .established: handOver(attempt)
      case .pending:
        lastAttempt += 1
        let number = lastAttempt
        attempts[number] = attempt
        attempt.token = host.loop.watch(descriptor, for: .output) { [unowned self] _ in
          drop(number)
          handOver(attempt)
        }
      }
    } catch {
      fail(request, target, error)
    }
  }

  private static func patience(for socket: PluginSocket) -> UInt64 {
    min(socket.isNonBlocking ? shortPatience : patience, socket.sendTimeout ?? .max)
  }

  /// Only an established socket is handed over: one that is not could be connected to somewhere
  /// else by other calls than `connect`, in the host's network.
  private func handOver(_ attempt: ConnectionAttempt) {
    let (request, target) = (attempt.request, attempt.target)
    let descriptor = attempt.socket.rawValue
    do throws(Errno) {
      if let error = try StreamSocket.takeError(descriptor) { throw error }
      guard StreamSocket.isEstablished(descriptor, with: target) else { throw .connectionReset }
      // The tables may be others than before the connect. Nothing has been sent.
      if let reason = try wayFault(target, descriptor, isConnected: true) {
        return refuse(request, target, reason, .permissionDenied)
      }
      connections.append(try LiveConnection(of: descriptor, with: target))
      if !attempt.isNonBlocking { try StreamSocket.setBlocking(descriptor) }
    } catch {
      return fail(request, target, error)
    }
    // The line is written before the keyboard can use what it records.
    guard record(target, "connected"), !isPaused else {
      return child.refuse(request, .connectionAborted)
    }
    do {
      _ = try child.complete(request, with: attempt.socket)
    } catch {
      child.refuse(request, .badFileDescriptor)
    }
  }

  // MARK: Names

  private func serveNames(_ request: ConnectRequest) {
    guard links.count < Self.linkLimit, host.startNames() else {
      return child.refuse(request, .connectionRefused)
    }
    do {
      let pair = try StreamSocket.pair()
      try DescriptorPassing.refuse(at: pair.first.rawValue)
      try StreamSocket.setBlocking(pair.second.rawValue)
      guard try child.complete(request, with: pair.second) else { return }
      let link = NameLink(
        pair.closeSecond(), loop: host.loop,
        ask: { [unowned self] query, reply in ask(query, reply) },
        ended: { [unowned self] link in links[ObjectIdentifier(link)] = nil })
      links[ObjectIdentifier(link)] = link
    } catch {
      child.refuse(request, .connectionRefused)
    }
  }

  private func ask(_ query: NameQuery, _ reply: @escaping ([UInt8]) -> Void) {
    // Whoever serves a name's zone hears of the question: the line is written before it is asked.
    guard let service = host.names, questions.take(at: host.now),
      record(query, AuditEvent.asked)
    else { return reply(NameReply.failure(to: query)) }
    service.ask(query, client: client) { [unowned self] outcome in
      switch outcome {
      case .noSuchName:
        record(query, "no-such-name")
        reply(NameReply.noSuchName(to: query))
      case .failure:
        record(query, "failed")
        reply(NameReply.failure(to: query))
      case .addresses(let addresses):
        guard let own = try? OwnAddresses.current() else {
          return reply(NameReply.failure(to: query))
        }
        let reached = addresses.filter { rule.reaches($0, own: own) && !isRefusedWay(to: $0) }
        if names.count + reached.count > Self.nameLimit { names = [:] }
        for address in reached { names[address.mappedOrSelf] = query.name }
        reply(NameReply.addresses(reached, to: query))
      }
    }
  }

  /// An address without any way stays: that there is none is for the connect to say.
  private func isRefusedWay(to address: InternetAddress) -> Bool {
    let isListed = rule.lists(address)
    return (try? RouteCheck.fault(of: address, user: child.identity, isListed: isListed)) != nil
  }

  // MARK: The log

  private func fail(_ request: ConnectRequest, _ target: SocketAddress, _ error: Errno) {
    record(target, error.name)
    child.refuse(request, error)
  }

  private func refuse(
    _ request: ConnectRequest, _ target: SocketAddress, _ reason: String, _ error: Errno
  ) {
    host.audit(
      AuditEvent(
        .refusal, keyboard: keyboard,
        [AuditField("capability", .term("network"))] + fields(target)
          + [AuditField("reason", .foreign(reason))]))
    child.refuse(request, error)
  }

  private func refuse(_ request: ConnectRequest, _ target: SocketAddress, _ error: any Error) {
    switch error {
    case PluginSocket.Fault.notTCP:
      refuse(request, target, "the socket is not a TCP socket", .permissionDenied)
    case PluginSocket.Fault.inUse:
      refuse(request, target, "the socket is in use already", .alreadyConnected)
    case PluginSocket.Fault.unreadable(let error): child.refuse(request, error)
    case let error as Errno: child.refuse(request, error)
    default: child.refuse(request, .permissionDenied)
    }
  }

  /// Always the same line, which is counted and not repeated.
  private func refuseForNow(_ request: ConnectRequest) {
    host.audit(
      AuditEvent(
        .refusal, keyboard: keyboard,
        [
          AuditField("capability", .term("network")), AuditField("reason", .term("too-many")),
        ]))
    child.refuse(request, .wouldBlock)
  }

  private func refuse(_ request: ConnectRequest, _ fault: SocketAddress.Fault) {
    let (reason, error): (String, Errno) =
      switch fault {
      case .size: ("an address of a wrong size", .invalidArgument)
      case .family(0): ("AF_UNSPEC, which would end a connection", .permissionDenied)
      case .family(1): ("AF_UNIX, a local service", .permissionDenied)
      case .family(let number): ("address family \(number)", .permissionDenied)
      case .scope: ("an IPv6 address with a scope", .permissionDenied)
      }
    host.audit(
      AuditEvent(
        .refusal, keyboard: keyboard,
        [
          AuditField("capability", .term("network")), AuditField("reason", .foreign(reason)),
        ]))
    child.refuse(request, error)
  }

  /// One line a connect. Nothing of what is sent is known here, or kept.
  @discardableResult
  private func record(_ target: SocketAddress, _ outcome: String) -> Bool {
    host.audit(
      AuditEvent(
        .connection, keyboard: keyboard,
        fields(target) + [AuditField("outcome", .foreign(outcome))]))
  }

  /// - Returns: whether it is in the log.
  @discardableResult
  private func record(_ query: NameQuery, _ outcome: StaticString) -> Bool {
    host.audit(
      AuditEvent(
        .lookup, keyboard: keyboard,
        [AuditField("name", .domainName(query.name)), AuditField("outcome", .term(outcome))]))
  }

  private func fields(_ target: SocketAddress) -> [AuditField] {
    var fields = [
      AuditField("address", .foreign(target.address.description)),
      AuditField("port", .integer(Int(target.port))),
    ]
    if let name = names[target.address.mappedOrSelf] {
      fields.append(AuditField("name", .domainName(name)))
    }
    return fields
  }
}

/// A connect that is under way.
private final class ConnectionAttempt {
  let request: ConnectRequest
  let target: SocketAddress
  let isNonBlocking: Bool
  /// Whether the keyboard itself had set how long it may take.
  let hasOwnLimit: Bool
  let deadline: HostTime
  let socket: FileDescriptor
  var token: PollLoop.Token?

  init(
    request: ConnectRequest, target: SocketAddress, isNonBlocking: Bool, hasOwnLimit: Bool,
    deadline: HostTime, socket: consuming FileDescriptor
  ) {
    self.request = request
    self.target = target
    self.isNonBlocking = isNonBlocking
    self.hasOwnLimit = hasOwnLimit
    self.deadline = deadline
    self.socket = socket
  }
}
