import LinuxSystem

extension ELFProgram {
  /// The folders in which a library may lie: what the sandbox has. The loader's cache may name
  /// more, but a keyboard could not open those.
  private static let systemFolders = [
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
  ]

  /// Refuses a program whose loader or libraries, or what those need in turn, would not be found.
  /// - Parameter bundle: the keyboard's own bundle, which `$ORIGIN` stands for.
  func checkLibraries(bundle: String) throws(BundleError) {
    if let loader {
      guard ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"].contains(where: loader.hasPrefix),
        !loader.utf8.split(separator: UInt8(ascii: "/"))
          .contains(where: { $0.elementsEqual("..".utf8) }), Self.isFile(loader)
      else {
        throw BundleError(
          file: place, message: "its loader \(quoted(loader)) is not one of this system")
      }
    }
    var seen: Set<String> = []
    var pending: [(name: String, folders: [String])] = []
    let own = Self.folders(searchPath, origin: bundle, bundle: bundle)
    pending += libraries.map { ($0, own) }
    var next = 0
    while next < pending.count {
      let (name, folders) = pending[next]
      next += 1
      guard seen.insert(name).inserted else { continue }
      guard seen.count <= 512 else {
        throw BundleError(file: place, message: "it needs more than 512 libraries")
      }
      guard !name.utf8.contains(UInt8(ascii: "/")),
        let folder = (folders + Self.systemFolders).first(where: { Self.isFile($0 + "/" + name) })
      else { throw missing(name) }
      let path = folder + "/" + name
      // The system's own libraries stand where their package put them, with what they need.
      guard folder.hasPrefix(bundle) else { continue }
      let file = try BundleWalk.attempt(path) { () throws(FileError) in
        try OpenFile(followingLinksTo: path)
      }
      let library = try ELFProgram(file: file, place: place)
      // A library is searched by its own RUNPATH, and by RPATH of the one that needs it.
      let inner = Self.folders(library.searchPath, origin: folder, bundle: bundle) + folders
      pending += library.libraries.map { ($0, inner) }
    }
  }

  private func missing(_ name: String) -> BundleError {
    var advice = "put it into the bundle, and link with the run path `$ORIGIN`"
    if name.hasPrefix("libswift") || name.hasPrefix("lib_Foundation")
      || name.hasPrefix("libFoundation") || name == "libdispatch.so"
    {
      advice = "build with `-c release` and `-static-executable` or `-static-stdlib`"
    }
    return BundleError(
      file: place,
      message: "it needs the library \(quoted(name)), which is neither in the bundle nor in the "
        + "system's folders: \(advice)")
  }

  /// The folders of a run path that lie inside the bundle or the system's folders.
  private static func folders(
    _ searchPath: [String], origin: String, bundle: String
  ) -> [String] {
    searchPath.compactMap { entry in
      let path =
        entry.hasPrefix("$ORIGIN")
        ? origin + entry.dropFirst("$ORIGIN".count)
        : entry.hasPrefix("${ORIGIN}") ? origin + entry.dropFirst("${ORIGIN}".count) : entry
      guard path.utf8.first == UInt8(ascii: "/"), let plain = plain(path) else { return nil }
      let isAllowed =
        plain == bundle || plain.hasPrefix(bundle + "/") || systemFolders.contains(plain)
      return isAllowed ? plain : nil
    }
  }

  /// The path without `.` and `..`; nil when it would lead above the root.
  private static func plain(_ path: String) -> String? {
    var parts: [Substring] = []
    // By bytes, as the kernel does: a letter may join a slash to itself among characters.
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) })
    where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func isFile(_ path: String) -> Bool {
    (try? FileStatus(path: path, followingLinks: true))?.kind == .regular
  }
}
