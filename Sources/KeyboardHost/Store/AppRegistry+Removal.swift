import Glibc
import LinuxSystem
import PluginManifest

extension AppRegistry {
  /// Removes an app, its keyboards' places in the list and their grants. Nothing outside the host's
  /// own folders is touched.
  ///
  /// Done also on a full disk and where it cannot be recorded. When something of it cannot be removed
  /// the grants are gone all the same.
  /// - Parameters:
  ///   - keepingData: whether the containers and the values of settings stay, for an app of that id
  ///     that is installed again. Removing it once more without this removes them too.
  ///   - log: nil if it cannot be had.
  ///   - unrecorded: hears why what was done is not in the log.
  /// - Returns: the ids of the keyboards that are gone.
  @discardableResult public func remove(
    _ identifier: String, keepingData: Bool, log: AuditLog?,
    unrecorded: (String) -> Void = { _ in }
  ) throws(StoreError) -> [String] {
    try settings.update(log: log, unrecorded: unrecorded) { (settings) throws(StoreError) in
      let listing = try list()
      let app = listing.apps.first { $0.manifest.identifier == identifier }
      let isInstalled = listing.identifiers.contains(identifier)
      let hasKept = settings.owners.values.contains(identifier)
      if !isInstalled, keepingData || !hasKept {
        throw StoreError(
          .refused,
          "no app `\(identifier)` is installed: `keyhost apps list` shows those that are")
      }
      let own = app?.manifest.keyboards.map(\.identifier) ?? []
      let traces = try traces(of: identifier, in: settings, listing)
      let keyboards = own + traces.subtracting(own).sorted()
      for keyboard in keyboards {
        settings.forget(keyboard)
        // The id stays reserved while something on the disk belongs to it.
        if !keepingData { settings.identities[keyboard] = nil }
        settings.owners[keyboard] = keepingData ? identifier : nil
      }
      if !keepingData { settings.appSettings[identifier] = nil }
      var change = PlannedChange(result: keyboards, takesAway: true)
      change.events = [
        AuditEvent(
          .remove, app: identifier,
          [
            AuditField("keyboards", .list(keyboards.map { .foreign($0) })),
            AuditField("keptData", .boolean(keepingData)),
          ])
      ]
      change.apply = { () throws(StoreError) in
        // What was kept goes first: should it fail, the app is still there to be removed again.
        if !keepingData {
          for keyboard in keyboards { try self.containers.remove(keyboard: keyboard) }
          try self.containers.remove(app: identifier)
        }
        guard isInstalled else { return }
        try fileOperation { () throws(FileError) in
          let apps = try DirectoryHandle(path: self.paths.apps)
          let gone = FileName(".gone-\(getpid())")
          if try apps.contains(gone) { try apps.removeTree(gone) }
          try apps.rename(FileName(identifier + ".app"), to: gone, in: apps)
          try apps.removeTree(gone)
        }
      }
      return change
    }
  }

  /// The ids of all keyboards of an app that the settings or the containers know.
  func traces(
    of app: String, in settings: HostSettings, _ listing: AppListing
  ) throws(StoreError) -> Set<String> {
    let known = settings.knownKeyboards.union(try containers.owners())
    let installed = Dictionary(
      listing.apps.flatMap { app in
        app.manifest.keyboards.map { ($0.identifier, app.manifest.identifier) }
      }, uniquingKeysWith: { first, _ in first })
    let others = Set(listing.identifiers + settings.owners.values)
      .filter { $0.hasPrefix(app + ".") }
    return known.filter { keyboard in
      if let owner = settings.owners[keyboard] ?? installed[keyboard] { return owner == app }
      // Settings that were damaged and begun anew say nothing of it. Then it is the app with the longest
      // id that the keyboard's begins with.
      return keyboard.hasPrefix(app + ".") && !others.contains { keyboard.hasPrefix($0 + ".") }
    }
  }
}

extension HostSettings {
  /// The ids of all keyboards that something is kept for.
  var knownKeyboards: Set<String> {
    openAccess.union(enabledPlugins).union(allowedHosts.keys).union(identities.keys)
      .union(weakenings.keys).union(services.keys).union(owners.keys)
  }

  /// Takes a keyboard out of the list, with all that was granted to it.
  mutating func forget(_ keyboard: String) {
    enabledKeyboards.removeAll { $0 == keyboard }
    openAccess.remove(keyboard)
    allowedHosts[keyboard] = nil
    services[keyboard] = nil
    weakenings[keyboard] = nil
  }
}
