import NetworkBroker
import PluginManifest
import SandboxLaunch
import TerminalText

/// The user's choices about keyboards: which are used, in which order, and what they may.
/// Each change is recorded in the audit log before it takes effect.
public struct KeyboardChoices: Sendable {
  /// What happens to a keyboard's private container when it is granted open access. It may have
  /// kept what was typed while it could not send it anywhere.
  public enum ContainerTreatment: String, Sendable, CaseIterable { case empty, keep }

  private let registry: AppRegistry
  private var settings: SettingsStore { registry.settings }
  var store: SettingsStore { registry.settings }

  public init(paths: HostPaths) { registry = AppRegistry(paths: paths) }

  /// The list in the user's order, followed by what is installed but not in the list.
  public func list() throws(StoreError) -> [ListedKeyboard] {
    let choices = try settings.load()
    let listing = try registry.list()
    let installed = listing.keyboards
    let others = installed.map(\.manifest.identifier)
      .filter { !choices.enabledKeyboards.contains($0) }
    return (choices.enabledKeyboards + others).map { identifier in
      if identifier == HostSettings.systemKeyboard {
        return ListedKeyboard(
          identifier: identifier, displayName: "System keyboard", app: nil, isEnabled: true,
          isInstalled: true, requestsOpenAccess: false, hasOpenAccess: false)
      }
      let manifest = installed.first { $0.manifest.identifier == identifier }?.manifest
      return ListedKeyboard(
        identifier: identifier, displayName: manifest?.displayName, app: manifest?.appIdentifier,
        isEnabled: choices.enabledKeyboards.contains(identifier), isInstalled: manifest != nil,
        damage: manifest == nil ? listing.fault(ofKeyboard: identifier)?.story : nil,
        requestsOpenAccess: manifest?.requestsOpenAccess ?? false,
        hasOpenAccess: choices.openAccess.contains(identifier),
        allowedHosts: (choices.allowedHosts[identifier] ?? []).map(\.description).sorted(),
        services: (choices.services[identifier] ?? []).map(\.rawValue).sorted())
    }
  }

  /// Puts an installed keyboard at a position of the list, or at its end: before the system
  /// keyboard where that is the last, so that it is used. One that is in the list stays where it
  /// is, unless another position is asked for.
  /// - Parameter position: from 1.
  public func add(
    _ keyboard: String, position: Int? = nil, log: AuditLog
  ) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      if let index = settings.enabledKeyboards.firstIndex(of: keyboard) {
        guard position == nil || position == index + 1 else {
          throw StoreError(
            .refused, "the keyboard `\(keyboard)` is in the list already: move it instead")
        }
        return PlannedChange(result: ())
      }
      let manifest = try installed(keyboard).manifest
      let end = settings.enabledKeyboards.count + 1
      let isSystemLast = settings.enabledKeyboards.last == HostSettings.systemKeyboard
      let place = try checked(position ?? (isSystemLast ? end - 1 : end), upTo: end)
      settings.enabledKeyboards.insert(keyboard, at: place - 1)
      return PlannedChange(
        result: (), events: [event("add", keyboard, manifest.appIdentifier, place)])
    }
  }

  /// Takes a keyboard out of the list. It stays installed, and keeps what was granted to it.
  ///
  /// This, as every taking away, is done also on a full disk and where it cannot be recorded.
  /// - Parameters:
  ///   - log: nil if it cannot be had.
  ///   - unrecorded: hears why what was done is not in the log.
  public func remove(
    _ keyboard: String, log: AuditLog?, unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) {
    try settings.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      let place = try place(of: keyboard, in: settings)
      guard keyboard != HostSettings.systemKeyboard else {
        throw StoreError(
          .refused,
          "the system keyboard cannot be removed: it serves the fields that refuse all others")
      }
      settings.enabledKeyboards.remove(at: place - 1)
      return PlannedChange(
        result: (), events: [event("remove", keyboard, nil, place)], takesAway: true)
    }
  }

  /// Empties a keyboard's private container: what it has learned and kept is gone. Done also on a full
  /// disk and where it cannot be recorded, as ``remove(_:log:unrecorded:)``.
  public func empty(
    _ keyboard: String, log: AuditLog?, unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) {
    try settings.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      let app = try installed(keyboard).manifest.appIdentifier
      let identity = settings.identities[keyboard]
      var change = PlannedChange(
        result: (),
        events: [
          AuditEvent(
            .keyboards, keyboard: keyboard, app: app, [AuditField("change", .term("empty"))])
        ], takesAway: true)
      // A keyboard that runs would go on making things in what is being removed: its host has to
      // hear of it first.
      change.isAnnounced = true
      change.endsKeyboard = keyboard
      change.prepare = { () throws(StoreError) in
        try self.registry.containers.layAside(keyboard: keyboard, identity: identity)
      }
      change.apply = { () throws(StoreError) in try self.registry.containers.removeLaidAside() }
      return change
    }
  }

  /// Moves a keyboard to another position in the list.
  /// - Parameter position: from 1.
  public func move(
    _ keyboard: String, to position: Int, log: AuditLog
  ) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      let place = try place(of: keyboard, in: settings)
      let target = try checked(position, upTo: settings.enabledKeyboards.count)
      settings.enabledKeyboards.remove(at: place - 1)
      settings.enabledKeyboards.insert(keyboard, at: target - 1)
      return PlannedChange(result: (), events: [event("move", keyboard, nil, target)])
    }
  }

  /// Grants a keyboard open access; or, to one that has it, more addresses.
  /// - Parameters:
  ///   - container: what happens to its private container first; nothing if it has open access.
  ///   - hosts: addresses that the keyboard may connect to beside the Internet's public ones, each
  ///     `ADDRESS:PORT`.
  public func grantOpenAccess(
    _ keyboard: String, container: ContainerTreatment, allowedHosts hosts: [String] = [],
    log: AuditLog
  ) throws(StoreError) {
    let hosts = try Self.allowedHosts(hosts)
    try settings.update(log: log) { (settings) throws(StoreError) in
      let (manifest, isNew, added) = try decideGrant(keyboard, hosts, settings, log)
      settings.openAccess.insert(keyboard)
      if !added.isEmpty { settings.allowedHosts[keyboard, default: []].formUnion(added) }
      // What a version without a broker had to leave out.
      settings.requireNetworkNamespace(keyboard)
      var fields = [AuditField("capability", .term("open-access"))]
      if isNew { fields.append(AuditField("container", .term(container))) }
      if !added.isEmpty {
        fields.append(
          AuditField("allowedHosts", .list(added.map(\.description).sorted().map { .foreign($0) }))
        )
      }
      var change = PlannedChange(
        result: (),
        events: [
          AuditEvent(.grant, keyboard: keyboard, app: manifest.appIdentifier, fields)
        ])
      let identity = settings.identities[keyboard]
      if isNew, container == .empty {
        // A host that runs starts it with the grant at once: by then nothing may be left to send.
        change.prepare = { () throws(StoreError) in
          try self.registry.containers.layAside(keyboard: keyboard, identity: identity)
        }
        change.apply = { () throws(StoreError) in try self.registry.containers.removeLaidAside() }
      }
      return change
    }
  }

  /// Decides whether ``grantOpenAccess(_:container:allowedHosts:log:)`` would grant what is asked
  /// for, and changes nothing: for one who has a question to ask only if it would.
  /// - Returns: whether the keyboard has no open access yet, so that its container is a question.
  public func checkGrant(
    _ keyboard: String, allowedHosts hosts: [String] = [], log: AuditLog
  ) throws(StoreError) -> Bool {
    try decideGrant(keyboard, try Self.allowedHosts(hosts), try settings.load(), log).isNew
  }

  private func decideGrant(
    _ keyboard: String, _ hosts: Set<SocketAddress>, _ settings: HostSettings, _ log: AuditLog
  ) throws(StoreError) -> (manifest: KeyboardManifest, isNew: Bool, added: Set<SocketAddress>) {
    let manifest = try installed(keyboard).manifest
    guard manifest.requestsOpenAccess else {
      throw refusal(
        "not-requested", manifest, log,
        "the keyboard `\(keyboard)` does not ask for open access: its Info.plist has no "
          + "`RequestsOpenAccess` with the value <true/>")
    }
    let isNew = !settings.openAccess.contains(keyboard)
    let added = hosts.subtracting(settings.allowedHosts[keyboard] ?? [])
    guard isNew || !added.isEmpty else {
      throw StoreError(
        .refused,
        "the keyboard `\(keyboard)` has open access already"
          + (hosts.isEmpty ? "" : ", with these addresses"))
    }
    return (manifest, isNew, added)
  }

  private static func host(_ text: String) throws(StoreError) -> SocketAddress {
    guard let host = SocketAddress(text) else {
      let shown = VisibleText.escape(text, limit: 80)
      throw StoreError(
        .wrongUse,
        "`\(shown)` is not ADDRESS:PORT: write one IPv4 address, or one IPv6 address in "
          + "brackets, a colon and a port; no names, no ranges")
    }
    return host
  }

  private static func allowedHosts(_ texts: [String]) throws(StoreError) -> Set<SocketAddress> {
    guard !texts.isEmpty else { return [] }
    let own: Set<InternetAddress>
    do { own = try OwnAddresses.current() } catch {
      throw StoreError(
        .refused,
        "no address can be opened: this machine's own, which stay closed, are not known "
          + "(\(error))")
    }
    var hosts: Set<SocketAddress> = []
    for text in texts {
      let host = try host(text)
      // Where there is no way now, the connect will ask again.
      let fault =
        AddressRule.faultOfException(host, own: own)
        ?? (try? RouteCheck.fault(of: host.address, user: nil, isListed: true))
      if let fault {
        let shown = VisibleText.escape(text, limit: 80)
        throw StoreError(.refused, "`\(shown)` cannot be opened to a keyboard: \(fault)")
      }
      hosts.insert(host)
    }
    return hosts
  }

  /// Takes open access away again. Also for a keyboard that is not installed any more.
  /// Done also on a full disk and where it cannot be recorded, as
  /// ``remove(_:log:unrecorded:)``.
  public func revokeOpenAccess(
    _ keyboard: String, log: AuditLog?, unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) {
    try settings.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      guard settings.openAccess.remove(keyboard) != nil else { throw try hasNoAccess(keyboard) }
      settings.allowedHosts[keyboard] = nil
      // They stand on open access, and do not come back with it unasked.
      settings.services[keyboard] = nil
      settings.requireNetworkNamespace(keyboard)
      return PlannedChange(
        result: (),
        events: [
          AuditEvent(
            .revoke, keyboard: keyboard, [AuditField("capability", .term("open-access"))])
        ], takesAway: true)
    }
  }

  /// Closes addresses again that were opened to a keyboard, which keeps open access. Done also on a
  /// full disk and where it cannot be recorded, as ``remove(_:log:unrecorded:)``.
  /// - Parameter hosts: each `ADDRESS:PORT`, as the list shows it.
  public func revokeAllowedHosts(
    _ keyboard: String, hosts texts: [String], log: AuditLog?,
    unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) {
    var hosts: Set<SocketAddress> = []
    for text in texts { hosts.insert(try Self.host(text)) }
    try settings.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      guard settings.openAccess.contains(keyboard) else { throw try hasNoAccess(keyboard) }
      let opened = settings.allowedHosts[keyboard] ?? []
      if let missing = hosts.subtracting(opened).map(\.description).min() {
        throw StoreError(.refused, "`\(missing)` was not opened to the keyboard `\(keyboard)`")
      }
      let left = opened.subtracting(hosts)
      settings.allowedHosts[keyboard] = left.isEmpty ? nil : left
      let names = hosts.map(\.description).sorted()
      return PlannedChange(
        result: (),
        events: [
          AuditEvent(
            .revoke, keyboard: keyboard,
            [
              AuditField("capability", .term("allowed-hosts")),
              AuditField("allowedHosts", .list(names.map { .foreign($0) })),
            ])
        ], takesAway: true)
    }
  }

  private func hasNoAccess(_ keyboard: String) throws(StoreError) -> StoreError {
    _ = try installed(keyboard)
    return StoreError(.refused, "the keyboard `\(keyboard)` does not have open access")
  }

  /// A refusal that is recorded: somebody wanted more for a keyboard than it gets.
  func refusal(
    _ reason: StaticString, _ manifest: KeyboardManifest, _ log: AuditLog, _ message: String,
    of capability: AuditValue = .term("open-access")
  ) -> StoreError {
    let event = AuditEvent(
      .refusal, keyboard: manifest.identifier, app: manifest.appIdentifier,
      [
        AuditField("capability", capability), AuditField("reason", .term(reason)),
      ])
    // Nothing is changed by a refusal, so that it stands whether it can be recorded or not.
    _ = try? log.write(event)
    return StoreError(.refused, message)
  }

  func installed(_ keyboard: String) throws(StoreError) -> InstalledKeyboard {
    let listing = try registry.list()
    if let found = listing.keyboard(keyboard) { return found }
    if let fault = listing.fault(ofKeyboard: keyboard) {
      throw StoreError(.refused, "the keyboard `\(keyboard)` cannot be used: \(fault.story)")
    }
    throw StoreError(
      .refused,
      "no keyboard `\(keyboard)` is installed: `keyhost keyboards list` shows those that are")
  }

  private func place(
    of keyboard: String, in settings: HostSettings
  ) throws(StoreError) -> Int {
    guard let index = settings.enabledKeyboards.firstIndex(of: keyboard) else {
      throw StoreError(.refused, "the keyboard `\(keyboard)` is not in the list")
    }
    return index + 1
  }

  private func checked(_ position: Int, upTo end: Int) throws(StoreError) -> Int {
    guard (1...end).contains(position) else {
      throw StoreError(.refused, "there is no position \(position): the list goes from 1 to \(end)")
    }
    return position
  }

  private func event(
    _ change: StaticString, _ keyboard: String, _ app: String?, _ position: Int
  ) -> AuditEvent {
    AuditEvent(
      .keyboards, keyboard: keyboard, app: app,
      [AuditField("change", .term(change)), AuditField("position", .integer(position))])
  }
}

extension HostSettings {
  fileprivate mutating func requireNetworkNamespace(_ keyboard: String) {
    weakenings[keyboard]?.remove(SandboxLayer.networkNamespace.rawValue)
    if weakenings[keyboard]?.isEmpty == true { weakenings[keyboard] = nil }
  }
}
