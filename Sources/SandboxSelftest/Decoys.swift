import Glibc
import LinuxSystem

/// What one run attacks: made for the run, and gone with it.
final class Decoys {
  let folder: String
  /// What comes in the place of words in braces.
  private(set) var words: [String: String]
  let secret: String
  private var listener: Listener?
  private var terminal: Terminal?
  private(set) var victim: Victim?
  private var microphone: Microphone?
  private var inherited: Inherited?
  private var inheritedSocket: InheritedSocket?
  private var shared: SharedObject?
  /// Where the decoy file lies.
  private(set) var file: String
  private var before: FileState?
  private let kind: DecoyKind

  /// - Throws: a reason why this decoy cannot be made here.
  init(_ kind: DecoyKind, stage: Stage) throws(SelftestError) {
    secret = Machine.secret()
    self.kind = kind
    folder = "\(stage.folder)/run-\(Machine.secret())"
    file = "\(folder)/foreign/decoy"
    words = ["secret": secret, "self": "self", "host": "\(ProcessControl.identifier)"]
    try Machine.makeFolder(folder, mode: 0o711)
    try Machine.makeFolder("\(folder)/container", mode: 0o700)
    try Machine.makeFolder("\(folder)/shared", mode: 0o700)
    try Machine.makeFolder("\(folder)/foreign", mode: 0o777)
    if let identity = stage.identity {
      try Machine.setOwner("\(folder)/container", identity)
      try Machine.setOwner("\(folder)/shared", identity)
    }
    words["shell"] = (try? RealPath.resolve("/bin/sh")) ?? "/bin/sh"
    words["container"] = "\(folder)/container"
    try make(stage)
  }

  deinit {
    Machine.remove(folder)
    switch kind {
    case .bundleFile: Machine.remove(String(file.dropLast("/decoy".utf8.count)))
    case .sharedMemoryFile: Machine.removeSharedMemory(file)
    default: break
    }
  }

  private func make(_ stage: Stage) throws(SelftestError) {
    words["file"] = file
    switch kind {
    case .none, .missingFile: break
    case .secretFile:
      // Of a size that only who looks can know.
      let padding = Int.random(in: 1_000..<9_000)
      try Machine.write(
        "\(secret)\n" + String(repeating: "x", count: padding), to: file, mode: 0o666)
    case .targetFile: try Machine.write("untouched\n", to: file, mode: 0o666)
    case .terminal: try makeTerminal()
    case .typedTerminal:
      try makeTerminal()
      terminal?.type(secret)
    case .device: try Machine.makeDevice(file, like: "/dev/null")
    case .unixListener: try listen(.path(file))
    case .unixDatagram: try listen(.datagramPath(file))
    case .abstractListener: try listen(.abstract("keyhost-selftest-\(Machine.secret())"))
    case .tcpListener: try listen(.tcp("127.0.0.1"))
    case .tcp6Listener: try listen(.tcp6)
    case .ownAddressListener:
      guard let host = Listener.ownAddress() else {
        throw SelftestError("this machine has no address but its loopback")
      }
      try listen(.tcp(host))
    case .udpListener: try listen(.udp)
    case .everyAddressListener:
      try listen(.everywhere)
      words["own"] = Listener.ownAddress() ?? "no-own-address"
    case .sharedMemory, .sharedMessages, .sharedSemaphore, .messageQueue:
      let shared = try SharedObject(kind, secret: secret, home: stage.home)
      self.shared = shared
      words["key"] = "\(shared.key)"
      words["name"] = shared.name
    case .sharedMemoryFile:
      let name = StageFolder.prefix + Machine.secret()
      try stage.home.record(.sharedMemoryFile(name))
      file = "/dev/shm/\(name)"
      words["file"] = file
      try Machine.write("\(secret)\n", to: file, mode: 0o666)
    case .bundleFile:
      let own = "\(stage.bundle)/run-\(Machine.secret())"
      try Machine.makeFolder(own, mode: 0o777)
      file = "\(own)/decoy"
      words["file"] = file
      try Machine.write("untouched\n", to: file, mode: 0o666)
    case .setUserProgram:
      guard let program = Machine.contents(stage.probe, limit: 64 << 20) else {
        throw SelftestError("the attacker's program cannot be read")
      }
      try Machine.write(program, to: file, mode: 0o4755)
    case .victim, .ignorantVictim, .victimElsewhere:
      let victim = try Victim(
        stage, secret: kind == .ignorantVictim ? String(repeating: "-", count: 16) : secret,
        folder: folder, isElsewhere: kind == .victimElsewhere)
      self.victim = victim
      words["pid"] = "\(victim.process)"
      words["place"] = "\(victim.place)"
      words["descriptor"] = "\(Victim.descriptor)"
    case .microphone(let route):
      let microphone = try stage.microphone()
      self.microphone = microphone
      words["address"] = try microphone.address(route)
    case .inherited, .inheritedTarget:
      let inherited = try Inherited(
        folder: "\(folder)/foreign", text: kind == .inherited ? secret : "untouched")
      self.inherited = inherited
    case .inheritedSocket: inheritedSocket = try InheritedSocket()
    }
    // The attacker's own, so that it is the sandbox that is seen and not the file's mode.
    for path in [words["terminal"] ?? file, file] where kind != .setUserProgram {
      if let identity = stage.identity, Machine.status(path) != nil {
        try Machine.setOwner(path, identity)
      }
    }
    before = Machine.status(file)
  }

  private func makeTerminal() throws(SelftestError) {
    let terminal = try Terminal()
    self.terminal = terminal
    words["terminal"] = terminal.path
  }

  private func listen(_ place: Listener.Place) throws(SelftestError) {
    let listener = try Listener(place)
    self.listener = listener
    words["address"] = listener.address
    if listener.port > 0 { words["port"] = "\(listener.port)" }
  }

  /// The attacker's arguments. The secret is told only to those who are to bring it somewhere.
  func arguments(_ attack: Attack) -> [String] { attack.arguments.map(fill) }

  /// A text with what the decoys are called in it.
  func fill(_ text: String) -> String {
    words.reduce(text) { text, word in text.replacing("{\(word.key)}", with: word.value) }
  }

  /// Descriptors that are open in the starter when the attacker starts.
  var inheritedDescriptors: [Int32] {
    inherited?.descriptors ?? inheritedSocket?.descriptors ?? []
  }

  var tone: Int? { microphone?.frequency }

  /// Whether the secret has come.
  func hasReceived() -> Bool {
    let bytes = Array(secret.utf8)
    if let listener { return Machine.contains(listener.receive(), bytes) }
    if let terminal { return Machine.contains(terminal.receive(), bytes) }
    if let victim { return Machine.contains(victim.environment, bytes) }
    if let inherited { return inherited.hasReceived(secret) }
    if let inheritedSocket { return inheritedSocket.hasReceived(secret) }
    return Machine.contains(Machine.contents(file) ?? [], bytes)
  }

  var hasChanged: Bool { shared?.hasChanged ?? (Machine.status(file) != before) }

  var size: Int { before?.size ?? 0 }
}

/// Open files that a starter forgot to close, at the numbers 40 and up.
final class Inherited {
  private let file: FileDescriptor
  private let directory: FileDescriptor
  private let path: String

  init(folder: String, text: String) throws(SelftestError) {
    path = "\(folder)/left-open"
    try Machine.write("\(text)\n", to: path, mode: 0o666)
    do {
      file = try FileDescriptor.open(path, .readWrite).lifted(to: 40)
      directory = try FileDescriptor.open(folder, [.read, .directory]).lifted(to: 40)
    } catch {
      throw SelftestError("cannot keep \(path) open: \(error)")
    }
  }

  var descriptors: [Int32] { [file.rawValue, directory.rawValue] }

  func hasReceived(_ secret: String) -> Bool {
    Machine.contains(Machine.contents(path) ?? [], Array(secret.utf8))
  }
}

/// A connection of which the starter forgot to close one end.
final class InheritedSocket {
  private let kept: FileDescriptor
  private let forgotten: FileDescriptor
  private var received: [UInt8] = []

  init() throws(SelftestError) {
    var ends: [Int32] = [-1, -1]
    let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0, &ends) == 0 else {
      throw Machine.failed("make", "a pair of sockets")
    }
    kept = FileDescriptor(owning: ends[0])
    do {
      forgotten = try FileDescriptor(owning: ends[1]).lifted(to: 40)
    } catch {
      throw SelftestError("no pair of sockets: \(error)")
    }
  }

  var descriptors: [Int32] { [forgotten.rawValue] }

  func hasReceived(_ secret: String) -> Bool {
    received += (try? kept.read(upTo: 4096)) ?? []
    return Machine.contains(received, Array(secret.utf8))
  }
}
