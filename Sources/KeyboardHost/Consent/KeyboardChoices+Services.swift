import PluginManifest
import TerminalText

/// Grants of services: the contacts, the location.
extension KeyboardChoices {
  /// Grants a keyboard with open access a service that its manifest has a reason for.
  public func grant(
    _ service: KeyboardService, to keyboard: String, log: AuditLog
  ) throws(StoreError) {
    try store.update(log: log) { (settings) throws(StoreError) in
      let manifest = try decideGrant(of: service, to: keyboard, settings, log)
      settings.services[keyboard, default: []].insert(service)
      return PlannedChange(
        result: (),
        events: [
          AuditEvent(
            .grant, keyboard: keyboard, app: manifest.appIdentifier,
            [AuditField("capability", .term(service))])
        ])
    }
  }

  /// What a keyboard says that it wants a service for; not safe to show as it is.
  /// - Throws: when it could not be granted, with what to do.
  public func usage(
    of service: KeyboardService, by keyboard: String, log: AuditLog
  ) throws(StoreError) -> String {
    let manifest = try decideGrant(of: service, to: keyboard, try store.load(), log)
    return manifest.usageDescriptions[service] ?? ""
  }

  /// Takes a service away again, also from a keyboard that is not installed any more. Done also on a
  /// full disk and where it cannot be recorded, as ``remove(_:log:unrecorded:)``.
  public func revoke(
    _ service: KeyboardService, from keyboard: String, log: AuditLog?,
    unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) {
    try store.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      guard settings.services[keyboard]?.remove(service) != nil else {
        _ = try installed(keyboard)
        throw StoreError(
          .refused, "the keyboard `\(keyboard)` was not granted `\(service.rawValue)`")
      }
      if settings.services[keyboard]?.isEmpty == true { settings.services[keyboard] = nil }
      return PlannedChange(
        result: (),
        events: [
          AuditEvent(
            .revoke, keyboard: keyboard, [AuditField("capability", .term(service))])
        ], takesAway: true)
    }
  }

  private func decideGrant(
    of service: KeyboardService, to keyboard: String, _ settings: HostSettings, _ log: AuditLog
  ) throws(StoreError) -> KeyboardManifest {
    let manifest = try installed(keyboard).manifest
    let name = service.rawValue
    guard manifest.usageDescriptions[service] != nil else {
      throw refusal(
        "not-requested", manifest, log,
        "the keyboard `\(keyboard)` does not say what it wants `\(name)` for: its Info.plist has no "
          + "`\(service.usageKey)`", of: .term(service))
    }
    guard manifest.requestsOpenAccess, settings.openAccess.contains(keyboard) else {
      throw refusal(
        "no-open-access", manifest, log,
        "`\(name)` is granted only to a keyboard with open access, which `\(keyboard)` does not have: "
          + "`keyhost grant \(keyboard) open-access` first", of: .term(service))
    }
    guard settings.services[keyboard]?.contains(service) != true else {
      throw StoreError(.refused, "the keyboard `\(keyboard)` was granted `\(name)` already")
    }
    return manifest
  }
}
