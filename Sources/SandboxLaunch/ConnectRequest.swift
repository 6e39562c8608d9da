/// A keyboard's `connect(2)` that waits for an answer. The kernel never runs the call itself.
public struct ConnectRequest: Sendable, Equatable {
  /// The kernel's name for it.
  let id: UInt64
  /// The keyboard's descriptor.
  public let descriptor: Int32
  /// The host's own copy of the address: what the keyboard changes in its memory afterwards changes
  /// nothing. Nil when it could not be read.
  public let address: [UInt8]?
}
