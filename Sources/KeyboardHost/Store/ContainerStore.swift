import Glibc
import LinuxSystem
import PluginManifest

/// The containers: folders in which keyboards keep what they keep. What is in them was written by
/// programs that are not trusted, and no link in them is followed.
struct ContainerStore: Sendable {
  let paths: HostPaths

  private var keyboards: String { paths.containers + "/keyboards" }
  private var apps: String { paths.containers + "/apps" }

  /// The folder around containers is the host's alone: a keyboard may open its own container to
  /// everybody, and nobody gets there all the same. Keyboards see their containers in their private
  /// root, which is made before ids are dropped, not under this path.
  private func folder(_ path: String) throws(StoreError) -> DirectoryHandle {
    try fileOperation { () throws(FileError) in
      let folder = try DirectoryHandle.make(path: path, mode: 0o700)
      if geteuid() == 0 { try folder.setPermissions(0o700) }
      return folder
    }
  }

  /// Makes a keyboard's private container when it is missing: mode 0700, owned by its id.
  func prepare(keyboard: String, identity: UInt32?) throws(StoreError) {
    let folder = try folder(keyboards)
    try fileOperation { () throws(FileError) in
      if try !folder.contains(FileName(keyboard)) {
        try folder.makeDirectory(FileName(keyboard), mode: 0o700)
      }
      let container = try folder.openDirectory(FileName(keyboard))
      guard geteuid() == 0, let identity else { return }
      if try container.ownStatus().owner != identity {
        try container.setOwner(identity, group: identity)
      }
      try container.setPermissions(0o700)
    }
  }

  /// Makes an app's shared container when it is missing.
  ///
  /// As root it belongs to the one keyboard of the app that has open access. With none it is
  /// root's and can only be read; with several all may write to it, and which of the app's keyboards
  /// may is decided by Landlock alone.
  func prepare(app: String, writers: [UInt32]) throws(StoreError) {
    let folder = try folder(apps)
    try fileOperation { () throws(FileError) in
      if try !folder.contains(FileName(app)) {
        try folder.makeDirectory(FileName(app), mode: 0o700)
      }
      guard geteuid() == 0 else { return }
      let container = try folder.openDirectory(FileName(app))
      let owner = writers.count == 1 ? writers[0] : 0
      let mode: UInt32 = writers.count > 1 ? 0o777 : 0o755
      // Only where it has to be: changes wait for the folder, at which another keyboard of the app can be.
      let status = try container.ownStatus()
      if status.owner != owner { try container.setOwner(owner, group: owner) }
      if status.permissions != mode { try container.setPermissions(mode) }
    }
  }

  /// Gives a keyboard a new, empty private container, and lays the old one aside for
  /// ``removeLaidAside()``: a program that still runs keeps its rights to the old folder and has none
  /// to the new one, and a host that runs it sees that there is another.
  func layAside(keyboard: String, identity: UInt32?) throws(StoreError) {
    guard KeyboardIdentifier.fault(of: keyboard) == nil else { return }
    let folder = try folder(keyboards)
    // The new folder stands before the old one goes, or it could get its inode number, by which a
    // host knows that it is another. On a full disk there may be no room for two.
    do throws(FileError) {
      var serial = 0
      while try folder.contains(FileName(".removed-\(getpid())-old-\(serial)")) { serial += 1 }
      try folder.rename(
        FileName(keyboard), toNew: FileName(".removed-\(getpid())-old-\(serial)"))
    } catch { try remove(keyboard: keyboard) }
    do throws(StoreError) { try prepare(keyboard: keyboard, identity: identity) } catch {
      try removeLaidAside()
      try prepare(keyboard: keyboard, identity: identity)
    }
  }

  /// Removes the containers that were laid aside, and what a removal that was killed has left.
  func removeLaidAside() throws(StoreError) { try removeLeftovers(in: try folder(keyboards)) }

  /// The ids of the keyboards that have a private container.
  func owners() throws(StoreError) -> [String] {
    let folder = try folder(keyboards)
    return try fileOperation { () throws(FileError) in try folder.names() }.compactMap(\.string)
      .filter { !$0.hasPrefix(".") }
  }

  func remove(keyboard: String) throws(StoreError) {
    // From a settings file that was written by hand it could be anything, a path included.
    guard KeyboardIdentifier.fault(of: keyboard) == nil else { return }
    try remove(keyboard, from: keyboards)
  }
  func remove(app: String) throws(StoreError) { try remove(app, from: apps) }

  private func remove(_ name: String, from path: String) throws(StoreError) {
    let folder = try folder(path)
    try fileOperation { () throws(FileError) in
      if try folder.contains(FileName(name)) { try folder.removeTree(FileName(name)) }
    }
    try removeLeftovers(in: folder)
  }

  /// Removes what a removal that was killed has left.
  private func removeLeftovers(in folder: borrowing DirectoryHandle) throws(StoreError) {
    try fileOperation { () throws(FileError) in
      for rest in try folder.names() where rest.description.hasPrefix(".removed-") {
        try folder.removeTree(rest)
      }
    }
  }

  /// The id for a keyboard that has none in the settings: the owner of its container if it has
  /// one, or else one that nobody uses and that owns no container.
  func identity(
    for keyboard: String, settings: HostSettings
  ) throws(StoreError) -> UInt32 {
    let folder = try folder(keyboards)
    let found = try fileOperation { () throws(FileError) in
      var own: UInt32?
      var owners: Set<UInt32> = []
      for name in try folder.names() {
        let owner = try folder.status(name).owner
        owners.insert(owner)
        if name == FileName(keyboard), KeyboardIdentity.range.contains(owner) { own = owner }
      }
      return (own, owners)
    }
    if let own = found.0, !settings.identities.values.contains(own) { return own }
    guard
      let next = KeyboardIdentity.next(used: settings.identities.values, owners: found.1)
    else {
      throw StoreError(.refused, "all user ids for keyboards are in use: remove an app first")
    }
    return next
  }
}
