import LinuxSystem
import SandboxLaunch

/// The broker of one keyboard without a host around it: what an attacker with open access meets in
/// the selftest is what every keyboard with open access meets.
///
/// Not `Sendable`: it belongs to the thread of its keyboard, which must outlive it.
package final class LoneBroker: BrokerHost {
  package let loop = PollLoop()
  private(set) var now = HostTime(nanoseconds: MonotonicClock.nanoseconds)
  private(set) var names: NameService?
  /// What a host would have logged.
  package private(set) var events: [AuditEvent] = []
  private var broker: ConnectionBroker?

  /// Takes over the connects of a keyboard.
  package init(_ child: SandboxedChild, keyboard: String, access: NetworkAccess) {
    let broker = ConnectionBroker(
      keyboard: keyboard, client: 1, access: access, child: child, host: self)
    self.broker = broker
    child.onConnect = { [weak self] request in
      self?.refresh()
      self?.broker?.handle(request)
    }
  }

  /// Ends what is under way. To be called before this is let go of.
  package func close() {
    broker?.close()
    broker = nil
  }

  /// Whether ``turn()`` has to be called again soon: a connect is under way, or names are asked.
  package var isBusy: Bool { broker?.deadline != nil || names != nil }

  /// Handles what shows, and never waits.
  package func turn() {
    refresh()
    try? loop.run(milliseconds: 0)
    refresh()
    broker?.check()
  }

  private func refresh() { now = HostTime(nanoseconds: MonotonicClock.nanoseconds) }

  func startNames() -> Bool {
    if names == nil { names = try? NameService(loop: loop) }
    return names != nil
  }

  @discardableResult
  func audit(_ event: AuditEvent) -> Bool {
    events.append(event)
    return true
  }
}
