/// How long the host waits for a keyboard. All in milliseconds.
public struct HostDeadlines: Sendable, Equatable {
  /// From launch to the answer of `initialize`; events wait meanwhile.
  public var start: UInt64 = 2_000
  /// From sending an event to giving it to the system keyboard.
  public var event: UInt64 = 100
  /// From sending an event to the end of a keyboard that has not answered.
  public var unresponsive: UInt64 = 1_000
  /// From the signal to the confirmation that a keyboard stands still.
  public var freeze: UInt64 = 200
  /// From a keyboard's question to a service to the answer that there is none.
  public var service: UInt64 = 15_000
  /// From asking a keyboard to end, when the host ends, to ending it.
  public var shutDown: UInt64 = 300
  /// How long a keyboard has to run before its earlier failures are forgiven.
  public var healthy: UInt64 = 60_000
  /// The delay before the first restart; it doubles with each failure.
  public var restart: UInt64 = 1_000
  /// So many failures within ``failureWindow`` disable the keyboard.
  public var maximumFailures = 5
  public var failureWindow: UInt64 = 60_000

  public init() {}
}
