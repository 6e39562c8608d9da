import Glibc
import LinuxSystem
import PluginManifest
import TerminalText

/// The installed apps: folders `IDENTIFIER.app` below ``HostPaths/apps``.
///
/// An app is copied beside its place, checked there, and renamed into place: it is there whole or
/// not at all. Every change is recorded in the audit log before it takes effect.
public struct AppRegistry: Sendable {
  let paths: HostPaths
  let settings: SettingsStore
  let containers: ContainerStore
  private static let temporaryPrefix = ".new-"

  public init(paths: HostPaths) {
    self.paths = paths
    settings = SettingsStore(paths: paths)
    containers = ContainerStore(paths: paths)
  }

  /// What is installed. One damaged bundle does not hide the others.
  public func list() throws(StoreError) -> AppListing {
    var listing = AppListing()
    let names: [FileName]
    do { names = try DirectoryHandle(path: paths.apps).names() } catch  where error.code == ENOENT {
      return listing
    } catch {
      throw StoreError(.file, VisibleText.escape("\(error)"))
    }
    for name in names {
      guard let text = name.string, !text.hasPrefix("."), text.hasSuffix(".app") else { continue }
      let identifier = String(text.dropLast(4))
      do throws(BundleError) {
        let bundle = try AppBundle(reading: paths.apps + "/" + text)
        guard bundle.manifest.identifier == identifier else {
          throw BundleError(
            file: "Info.plist", message: "`CFBundleIdentifier` is not the one it was installed as")
        }
        listing.apps.append(InstalledApp(bundle))
      } catch {
        listing.faults.append(AppListing.Fault(app: identifier, error: error))
      }
    }
    return listing
  }

  /// The installed keyboard of that id, or nil.
  public func keyboard(_ identifier: String) throws(StoreError) -> InstalledKeyboard? {
    try list().keyboard(identifier)
  }

  /// Makes what is missing of a keyboard's containers, with their owners and permissions, as
  /// before each launch.
  /// - Returns: the id the keyboard runs under, when the host is root.
  public func prepareContainers(
    for keyboard: InstalledKeyboard, settings: HostSettings
  ) throws(StoreError) -> UInt32? {
    let identifier = keyboard.manifest.identifier
    let identity = settings.identities[identifier]
    if geteuid() == 0, identity == nil {
      throw StoreError(
        .damaged,
        "the keyboard `\(identifier)` has no user id of its own in \(paths.settingsFile): install "
          + "its app again")
    }
    try containers.prepare(keyboard: identifier, identity: identity)
    let app = keyboard.manifest.appIdentifier
    guard geteuid() == 0 else {
      try containers.prepare(app: app, writers: [])
      return nil
    }
    // Every launch comes by here: what other apps there are must not slow it.
    let bundle = try? AppBundle(reading: paths.apps + "/" + app + ".app")
    let writers = bundle.map { InstalledApp($0) }?.keyboards
      .filter { settings.openAccess.contains($0.manifest.identifier) }
      .compactMap { settings.identities[$0.manifest.identifier] }
    try containers.prepare(app: app, writers: writers ?? [])
    return identity
  }

  /// Installs a bundle, or replaces the installed version of the same app. Nothing is enabled by
  /// it. The list and open access that is still asked for stay as they are; but a keyboard that asks
  /// for open access, and did not before, is taken out of the list until the user puts it there.
  @discardableResult public func install(
    from path: String, log: AuditLog
  ) throws(StoreError) -> InstallOutcome {
    let apps = try makeAppsFolder()
    return try settings.update(log: log) { (settings) throws(StoreError) in
      try removeTemporaries(in: apps)
      let temporary = Self.temporaryPrefix + String(getpid())
      do throws(StoreError) {
        let bundle = try copy(path, to: FileName(temporary), in: apps)
        let before = try list()
        try refuseConflicts(of: bundle.manifest, with: before)
        try refuseForeignKeyboards(of: bundle.manifest, settings)
        let old = before.apps.first { $0.manifest.identifier == bundle.manifest.identifier }
        var dropped: Set<String> = []
        if before.identifiers.contains(bundle.manifest.identifier) {
          dropped = try traces(of: bundle.manifest.identifier, in: settings, before)
            .subtracting(bundle.manifest.keyboards.map(\.identifier))
        }
        return try plan(
          bundle, replacing: old, dropping: dropped.sorted(), temporary: temporary, &settings)
      } catch {
        try? apps.removeTree(FileName(temporary))
        if error.kind == .refused {
          _ = try? log.write(
            AuditEvent(
              .refusal,
              [
                AuditField("action", .term("install")),
                AuditField("reason", .foreign(error.message)),
              ]))
        }
        throw error
      }
    }
  }

  private func makeAppsFolder() throws(StoreError) -> DirectoryHandle {
    let isRoot = geteuid() == 0
    let apps = try fileOperation { () throws(FileError) in
      try DirectoryHandle.make(path: paths.apps, mode: isRoot ? 0o711 : 0o700)
    }
    guard isRoot else { return apps }
    // A keyboard runs under an id of its own, which has to walk to its bundle.
    var place = ""
    for part in paths.apps.utf8.split(separator: UInt8(ascii: "/")) {
      place += "/" + Substring(part)
      let status = try fileOperation { () throws(FileError) in
        try FileStatus(path: place, followingLinks: true)
      }
      guard status.permissions & 0o001 != 0 else {
        throw StoreError(
          .file,
          "a keyboard runs under a user id of its own, which cannot pass through \(place): allow it "
            + "with `chmod o+x \(place)`, or set XDG_DATA_HOME to another folder")
      }
    }
    return apps
  }

  /// Removes what installations that were killed have left. The lock is held: none is under way.
  private func removeTemporaries(in apps: borrowing DirectoryHandle) throws(StoreError) {
    let names = try fileOperation { () throws(FileError) in try apps.names() }
    for name in names where name.description.hasPrefix(".") {
      try fileOperation { () throws(FileError) in try apps.removeTree(name) }
    }
  }

  private func copy(
    _ path: String, to name: FileName, in apps: borrowing DirectoryHandle
  ) throws(StoreError) -> AppBundle {
    try fileOperation { () throws(FileError) in try apps.makeDirectory(name, mode: 0o700) }
    let folder = try fileOperation { () throws(FileError) in try apps.openDirectory(name) }
    do { return try AppBundle(copying: path, into: folder) } catch {
      throw StoreError(.refused, "\(VisibleText.escape(path)) is refused: \(error)")
    }
  }

  private func refuseConflicts(
    of manifest: AppManifest, with listing: AppListing
  ) throws(StoreError) {
    for app in listing.apps where app.manifest.identifier != manifest.identifier {
      let taken = [app.manifest.identifier] + app.manifest.keyboards.map(\.identifier)
      for identifier in [manifest.identifier] + manifest.keyboards.map(\.identifier)
      where taken.contains(where: { $0.lowercased() == identifier.lowercased() }) {
        throw StoreError(
          .refused,
          "the id `\(identifier)` belongs to the installed app `\(app.manifest.identifier)` already"
        )
      }
    }
    // Of a damaged app only the beginning of its keyboards' ids is known.
    for fault in listing.faults where fault.app != manifest.identifier {
      let taken = fault.app.lowercased()
      let keyboards = manifest.keyboards.map(\.identifier).filter {
        // An app `a.b` may stand beside a damaged app `a`, with its own keyboards.
        !(manifest.identifier.lowercased() + ".").hasPrefix(taken + ".")
          && $0.lowercased().hasPrefix(taken + ".")
      }
      let own = manifest.identifier.lowercased() == taken ? [manifest.identifier] : []
      if let identifier = (own + keyboards).first {
        throw StoreError(
          .refused,
          "the id `\(identifier)` belongs to the installed app `\(fault.app)`, which is damaged: "
            + "remove that first")
      }
    }
  }

  /// What was kept was kept for the app that stored it.
  private func refuseForeignKeyboards(
    of manifest: AppManifest, _ settings: HostSettings
  ) throws(StoreError) {
    for keyboard in manifest.keyboards.map(\.identifier) {
      guard let owner = settings.owners[keyboard], owner != manifest.identifier else { continue }
      throw StoreError(
        .refused,
        "what the app `\(owner)` stored for its keyboard `\(keyboard)` is still there, and is "
          + "nobody else's: `keyhost apps remove \(owner)` removes it")
    }
  }

  private func plan(
    _ bundle: AppBundle, replacing old: InstalledApp?, dropping dropped: [String],
    temporary: String, _ settings: inout HostSettings
  ) throws(StoreError) -> PlannedChange<InstallOutcome> {
    let identifier = bundle.manifest.identifier
    var newlyRequest: [String] = []
    var lost: [String] = []
    var disabled: [DisabledKeyboard] = []
    // What is there under the id of a keyboard that this app did not have is nobody's, and does not
    // become the new one's: neither a place in the list nor a stored byte.
    let fresh = bundle.manifest.keyboards.map(\.identifier).filter { id in
      settings.owners[id] != identifier
        && old?.manifest.keyboards.contains { $0.identifier == id } != true
    }
    var revoked = (fresh + dropped).filter { settings.openAccess.contains($0) }
    for keyboard in fresh + dropped {
      settings.forget(keyboard)
      settings.identities[keyboard] = nil
      settings.owners[keyboard] = nil
    }
    let list = settings.enabledKeyboards
    for keyboard in bundle.manifest.keyboards {
      let id = keyboard.identifier
      settings.owners[id] = identifier
      let before = old?.manifest.keyboards.first { $0.identifier == id }
      if keyboard.requestsOpenAccess, let before, !before.requestsOpenAccess {
        newlyRequest.append(id)
      }
      // The user has chosen one that did not ask. Of a damaged version nobody knows.
      if keyboard.requestsOpenAccess, before?.requestsOpenAccess != true,
        let index = list.firstIndex(of: id)
      {
        settings.enabledKeyboards.removeAll { $0 == id }
        disabled.append(DisabledKeyboard(identifier: id, position: index + 1))
      }
      // Consent was given to a keyboard that asked. One that did not ask has none, whatever the
      // settings say.
      if !keyboard.requestsOpenAccess || before?.requestsOpenAccess != true {
        if settings.openAccess.remove(id) != nil { lost.append(id) }
        settings.allowedHosts[id] = nil
        settings.services[id] = nil
        settings.weakenings[id] = nil
      }
      // Nor does a grant outlive what the user was told of it.
      settings.services[id] = settings.services[id]?.filter {
        keyboard.usageDescriptions[$0] != nil
      }
      if settings.services[id]?.isEmpty == true { settings.services[id] = nil }
      if geteuid() == 0, settings.identities[id] == nil {
        settings.identities[id] = try containers.identity(for: id, settings: settings)
      }
    }
    revoked = lost + revoked
    var fields = [
      AuditField("version", .foreign(bundle.manifest.version)),
      AuditField(
        "keyboards", .list(bundle.manifest.keyboards.map { .foreign($0.identifier) })),
    ]
    if let old { fields.append(AuditField("replaced", .foreign(old.manifest.version))) }
    let reset = settings.dropUnusableSettings(of: identifier, bundle.manifest.settings)
    let final = identifier + ".app"
    let planned = settings
    var installed = InstalledApp(bundle)
    installed.move(to: paths.apps + "/" + final)
    let outcome = InstallOutcome(
      app: installed, replacedVersion: old?.manifest.version,
      newlyRequestOpenAccess: newlyRequest, disabled: disabled, lostOpenAccess: lost,
      resetSettings: reset)
    var change = PlannedChange(
      result: outcome, events: [AuditEvent(.install, app: identifier, fields)])
    change.events += disabled.map {
      AuditEvent(
        .keyboards, keyboard: $0.identifier, app: identifier,
        [
          AuditField("change", .term("remove")), AuditField("position", .integer($0.position)),
          AuditField("by", .term("update")),
        ])
    }
    change.events += revoked.map {
      AuditEvent(.revoke, keyboard: $0, app: identifier, [AuditField("by", .term("update"))])
    }
    change.cancel = {
      guard let apps = try? DirectoryHandle(path: self.paths.apps) else { return }
      try? apps.removeTree(FileName(temporary))
    }
    change.apply = { () throws(StoreError) in
      // Before the new version is there: it must not find them, whatever happens in between.
      for keyboard in fresh { try self.containers.remove(keyboard: keyboard) }
      try self.putInPlace(temporary: FileName(temporary), as: FileName(final))
      for keyboard in outcome.app.keyboards {
        _ = try self.prepareContainers(for: keyboard, settings: planned)
      }
      for keyboard in dropped { try self.containers.remove(keyboard: keyboard) }
    }
    return change
  }

  private func putInPlace(temporary: FileName, as final: FileName) throws(StoreError) {
    try fileOperation { () throws(FileError) in
      let apps = try DirectoryHandle(path: paths.apps)
      // Never half there: the new version takes the old one's name in one step.
      if try apps.contains(final) {
        try apps.exchange(temporary, with: final)
        try apps.removeTree(temporary)
      } else {
        try apps.rename(temporary, to: final, in: apps)
      }
      try apps.synchronize()
    }
  }
}

extension InstalledApp {
  /// The same app at another path.
  fileprivate mutating func move(to newPath: String) {
    for index in keyboards.indices {
      keyboards[index].bundlePath = newPath + keyboards[index].bundlePath.dropFirst(path.count)
      keyboards[index].executablePath =
        newPath + keyboards[index].executablePath.dropFirst(path.count)
    }
    path = newPath
  }
}

extension AppRegistry {
  /// The user's choices.
  public func load() throws(StoreError) -> HostSettings { try settings.load() }
}
