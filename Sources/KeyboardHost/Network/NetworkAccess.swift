import NetworkBroker

/// What open access lets a keyboard connect to, beside the Internet's public addresses.
public struct NetworkAccess: Sendable, Equatable {
  /// What the user listed, each an address and a port.
  public var exceptions: Set<SocketAddress>

  public init(exceptions: Set<SocketAddress> = []) { self.exceptions = exceptions }
}
