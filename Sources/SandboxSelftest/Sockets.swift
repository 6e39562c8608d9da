import Glibc
import LinuxSystem

/// A listener that decoys are made of.
final class Listener {
  private let descriptor: FileDescriptor
  private let isStream: Bool
  /// As the attacker is told it.
  let address: String
  private var received: [UInt8] = []

  enum Place {
    case path(String)
    case abstract(String)
    case datagramPath(String)
    case tcp(String)
    case tcp6
    /// [::], to which IPv4's addresses come as well.
    case everywhere
    case udp
  }

  init(_ place: Place) throws(SelftestError) {
    let family: Int32
    let type: __socket_type
    switch place {
    case .path, .abstract: (family, type) = (AF_UNIX, SOCK_STREAM)
    case .datagramPath: (family, type) = (AF_UNIX, SOCK_DGRAM)
    case .tcp: (family, type) = (AF_INET, SOCK_STREAM)
    case .tcp6, .everywhere: (family, type) = (AF_INET6, SOCK_STREAM)
    case .udp: (family, type) = (AF_INET, SOCK_DGRAM)
    }
    isStream = type == SOCK_STREAM
    let number = socket(
      family, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw SelftestError("no socket: \(Errno(rawValue: errno))") }
    descriptor = FileDescriptor(owning: number)
    let bytes: [UInt8]
    switch place {
    case .path(let path), .datagramPath(let path): bytes = [1, 0] + Array(path.utf8) + [0]
    case .abstract(let name): bytes = [1, 0, 0] + Array(name.utf8)
    case .tcp(let host):
      bytes = [2, 0, 0, 0] + Self.bytes(host) + [UInt8](repeating: 0, count: 8)
    case .udp: bytes = [2, 0, 0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    case .everywhere: bytes = [10, 0] + [UInt8](repeating: 0, count: 26)
    case .tcp6:
      bytes = [10, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 15) + [1, 0, 0, 0, 0]
    }
    let bound = unsafe bytes.withUnsafeBytes { bytes in
      unsafe bind(
        number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    guard bound == 0, !isStream || listen(number, 8) == 0 else {
      throw SelftestError("no listener: \(Errno(rawValue: errno))")
    }
    switch place {
    case .path(let path):
      try Machine.setMode(path, 0o666)
      address = "unix:\(path)"
    case .datagramPath(let path):
      try Machine.setMode(path, 0o666)
      address = "unix-datagram:\(path)"
    case .abstract(let name): address = "unix:@\(name)"
    case .tcp(let host): address = "tcp:\(host):\(Self.port(number))"
    case .udp: address = "udp:127.0.0.1:\(Self.port(number))"
    case .everywhere: address = "tcp6:\(String(repeating: "0", count: 32)):\(Self.port(number))"
    case .tcp6:
      address = "tcp6:\(String(repeating: "0", count: 31))1:\(Self.port(number))"
    }
  }

  static func bytes(_ host: String) -> [UInt8] {
    host.split(separator: ".").compactMap { UInt8($0) }
  }

  private static func port(_ number: Int32) -> UInt16 {
    var bytes = [UInt8](repeating: 0, count: 28)
    var size = socklen_t(bytes.count)
    _ = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe getsockname(
        number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
  }

  var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }

  /// All that has come, so far.
  func receive() -> [UInt8] {
    if !isStream {
      while let bytes = try? descriptor.read(upTo: 4096), !bytes.isEmpty { received += bytes }
      return received
    }
    while true {
      let number = Glibc.accept(descriptor.rawValue, nil, nil)
      guard number >= 0 else { return received }
      let connection = FileDescriptor(owning: number)
      // The attacker has written by the time it says that it has ended.
      var entries = [PollEntry(number, .input)]
      _ = try? poll(&entries, milliseconds: 20)
      received += (try? FileDescriptor.read(from: connection.rawValue, upTo: 4096)) ?? []
    }
  }

  /// An address of this machine that is not its loopback, or nil.
  static func ownAddress() -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var entry = unsafe list
    while let current = unsafe entry {
      unsafe entry = current.pointee.ifa_next
      guard let address = unsafe current.pointee.ifa_addr,
        unsafe address.pointee.sa_family == UInt16(AF_INET)
      else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: address, count: 8)
      let host = (4..<8).map { Int(unsafe bytes[$0]) }
      if host[0] != 127 { return host.map(String.init).joined(separator: ".") }
    }
    return nil
  }
}

/// A pseudo terminal of the run's own.
final class Terminal {
  private let terminal: PseudoTerminal
  var path: String { terminal.path }

  init() throws(SelftestError) {
    do {
      terminal = try PseudoTerminal()
    } catch {
      throw SelftestError("no terminal: \(error)")
    }
    // Anybody may use it: what is to be seen is the sandbox, not the file's mode.
    try Machine.setMode(terminal.path, 0o666)
  }

  func type(_ text: String) { _ = try? terminal.user.write(Array(text.utf8)[...]) }

  private var shown: [UInt8] = []
  private var typed: [UInt8] = []

  /// What has been shown, and what has been typed into it, so far.
  func receive() -> [UInt8] {
    shown += (try? terminal.user.read(upTo: 4096)) ?? []
    typed += (try? terminal.programs.read(upTo: 4096)) ?? []
    return shown + typed
  }
}
