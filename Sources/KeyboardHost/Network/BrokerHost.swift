/// What a ``ConnectionBroker`` needs of whoever runs it.
protocol BrokerHost: AnyObject {
  var loop: PollLoop { get }
  /// The moment of the last wake-up.
  var now: HostTime { get }
  /// Looks up names, once ``startNames()`` has been called.
  var names: NameService? { get }
  /// Begins to look up names, if that has not begun.
  /// - Returns: whether they are looked up.
  func startNames() -> Bool
  /// Writes a line of the audit log.
  /// - Returns: whether it is written.
  @discardableResult
  func audit(_ event: AuditEvent) -> Bool
}

extension HostDriver: BrokerHost {}
