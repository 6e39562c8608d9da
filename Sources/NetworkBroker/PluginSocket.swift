import Glibc
import LinuxSystem

/// What a keyboard's own socket is, as far as the one that takes its place must be like it.
public struct PluginSocket: Sendable, Equatable {
  /// Why a keyboard's descriptor cannot be connected.
  public enum Fault: Error, Equatable, Sendable {
    /// Not a TCP stream socket over IPv4 or IPv6.
    case notTCP
    /// Connected, connecting or listening.
    case inUse
    case unreadable(Errno)
  }

  public let isIPv6: Bool
  /// `O_NONBLOCK` is set.
  public let isNonBlocking: Bool
  /// `SO_SNDTIMEO`, which bounds a blocking connect, in milliseconds; nil when it is not set.
  public let sendTimeout: UInt64?
  private var options: [Option]

  private struct Option: Sendable, Equatable {
    var level: Int32
    var name: Int32
    var value: [UInt8]
  }

  /// Looks at a duplicate of the keyboard's descriptor. Nothing of it is changed.
  public init(examining descriptor: Int32) throws(Fault) {
    do {
      let domain = try StreamSocket.integer(descriptor, SOL_SOCKET, SO_DOMAIN)
      guard domain == AF_INET || domain == AF_INET6,
        try StreamSocket.integer(descriptor, SOL_SOCKET, SO_TYPE) == SOCK_STREAM.rawValue,
        try StreamSocket.integer(descriptor, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP
      else { throw Fault.notTCP }
      isIPv6 = domain == AF_INET6
      guard try StreamSocket.tcpState(descriptor) == StreamSocket.closedState else {
        throw Fault.inUse
      }
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0 else { throw Fault.unreadable(Errno(rawValue: errno)) }
      isNonBlocking = flags & O_NONBLOCK != 0
      let timeout = try StreamSocket.option(descriptor, SOL_SOCKET, SO_SNDTIMEO)
      sendTimeout = Self.milliseconds(timeout)
      options = try Self.read(descriptor, isIPv6: isIPv6)
    } catch let fault as Fault {
      throw fault
    } catch let error as Errno {
      throw error.rawValue == ENOTSOCK ? .notTCP : .unreadable(error)
    } catch {
      throw .unreadable(.invalidArgument)
    }
  }

  /// Gives a new socket the options that the keyboard had set on its own. The defaults of the two
  /// network namespaces may differ, so only what is not the new socket's own value is set. An
  /// option that cannot be set is left: the connection works without.
  public func copyOptions(to descriptor: Int32) {
    for option in options {
      let own = try? StreamSocket.option(descriptor, option.level, option.name)
      if own != option.value {
        try? StreamSocket.setOption(descriptor, option.level, option.name, option.value)
      }
    }
  }

  /// The options of the policy's allow list that outlive a connect. SO_LINGER is not on it: the last
  /// close of a socket that lingers waits, and the host can be made to be the last. Nor are the
  /// sizes of the buffers, which are the kernel's memory.
  private static func read(_ descriptor: Int32, isIPv6: Bool) throws(Errno) -> [Option] {
    var names: [(level: Int32, name: Int32)] = [
      (SOL_SOCKET, SO_REUSEADDR), (SOL_SOCKET, SO_KEEPALIVE),
      (SOL_SOCKET, SO_RCVTIMEO), (SOL_SOCKET, SO_SNDTIMEO), (tcp, TCP_NODELAY),
      (tcp, TCP_KEEPIDLE), (tcp, TCP_KEEPINTVL), (tcp, TCP_KEEPCNT), (tcp, TCP_USER_TIMEOUT),
    ]
    if isIPv6 { names.append((Int32(IPPROTO_IPV6), IPV6_V6ONLY)) }
    var found: [Option] = []
    for (level, name) in names {
      found.append(
        Option(
          level: level, name: name, value: try StreamSocket.option(descriptor, level, name)))
    }
    return found
  }

  /// Of a `struct timeval` of two 64-bit numbers; rounded up.
  private static func milliseconds(_ value: [UInt8]) -> UInt64? {
    guard value.count == 16 else { return nil }
    let parts = [value[..<8], value[8...]].map { bytes in
      bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    guard parts[0] < 1 << 32, parts[1] < 1_000_000, parts != [0, 0] else { return nil }
    return parts[0] * 1_000 + (parts[1] + 999) / 1_000
  }

  private static let tcp = Int32(IPPROTO_TCP)
}
