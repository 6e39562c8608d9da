import LinuxSystem
import SandboxPolicy

/// Where the places of a profile's file rules are: on this machine, and as the keyboard sees them.
struct LaunchPlaces {
  private let request: LaunchRequest
  private let hasPrivateRoot: Bool
  /// The interpreter, as an absolute path with no link in it.
  private let interpreter: String?

  init(_ request: LaunchRequest, hasPrivateRoot: Bool) {
    self.request = request
    self.hasPrivateRoot = hasPrivateRoot
    interpreter = request.interpreter.map { (try? RealPath.resolve($0)) ?? $0 }
  }

  // In the private root these are fixed, so that no path tells a keyboard on whose machine, or in
  // whose app, it is.

  static let shownBundle = "/bundle"
  private static let shownContainer = "/container"

  var bundle: String { hasPrivateRoot ? Self.shownBundle : request.bundlePath }

  var container: String {
    hasPrivateRoot ? Self.shownContainer : request.containerPath ?? Self.shownContainer
  }

  var sharedContainer: String? {
    request.sharedContainerPath.map { hasPrivateRoot ? "/shared" : $0 }
  }

  /// Without a private root there is no private `/tmp`: the container serves.
  var temporary: String { hasPrivateRoot ? "/tmp" : container }

  /// One thing of the machine, and where it is shown.
  private struct Showing {
    var source: String
    var target: String
    var rights: Set<FileRight>
    var isRequired: Bool
  }

  /// For Landlock: rules for the paths that the keyboard sees.
  func pathRules(_ files: [FileRule]) -> [LaunchPlan.PathRule] {
    var rules = files.flatMap(showings).map { showing in
      LaunchPlan.PathRule(
        path: hasPrivateRoot ? showing.target : showing.source,
        rights: showing.rights.reduce(0) { $0 | $1.landlockBit }, isRequired: showing.isRequired)
    }
    if hasPrivateRoot {
      for rule in files {
        guard let folder = memoryFolder(rule.place) else { continue }
        rules.append(
          LaunchPlan.PathRule(
            path: folder.path, rights: rule.rights.reduce(0) { $0 | $1.landlockBit },
            isRequired: true))
      }
    }
    return rules
  }

  /// The most files of the private `/tmp`.
  private static let temporaryEntries: UInt64 = 4_096

  /// What is in memory: the private `/tmp`, and a container that is thrown away.
  private func memoryFolder(_ place: FileRule.Place) -> LaunchPlan.MemoryFolder? {
    switch place {
    case .temporary:
      LaunchPlan.MemoryFolder(
        path: temporary, size: request.limits.temporaryFiles, entries: Self.temporaryEntries)
    case .container where request.containerPath == nil:
      LaunchPlan.MemoryFolder(
        path: container, size: request.limits.containerQuota,
        entries: UInt64(ContainerQuota.maximumEntries))
    default: nil
    }
  }

  /// For the private root: `/tmp`, which programs look for whatever the rules say, and what the
  /// rules name.
  func memoryFolders(_ files: [FileRule]) -> [LaunchPlan.MemoryFolder] {
    guard hasPrivateRoot else { return [] }
    let places = [FileRule.Place.temporary, .container]
    return places.filter { place in
      place == .temporary || files.contains { $0.place == place }
    }.compactMap(memoryFolder)
  }

  /// For the private root. What lies beneath something shown already, with no more rights, needs
  /// no mount of its own.
  func binds(_ files: [FileRule]) -> [LaunchPlan.Bind] {
    guard hasPrivateRoot else { return [] }
    let all = files.filter { OwnFiles.contents(of: $0.place) == nil }.flatMap(showings)
    return all.filter { showing in
      !all.contains { other in
        showing.source == showing.target && other.source == other.target
          && showing.source.hasPrefix(other.source + "/")
          && showing.rights.isSubset(of: other.rights)
      }
    }.map { showing in
      LaunchPlan.Bind(
        source: showing.source, target: showing.target,
        isWritable: !showing.rights.isDisjoint(with: Self.writing),
        isExecutable: showing.rights.contains(.execute), isRequired: showing.isRequired)
    }
  }

  /// The places that are not this machine's files but the launch's own.
  func ownFiles(_ files: [FileRule]) -> [LaunchPlan.File] {
    guard hasPrivateRoot else { return [] }
    return files.compactMap { rule in
      guard case .path(let path) = rule.place, let contents = OwnFiles.contents(of: rule.place)
      else { return nil }
      return LaunchPlan.File(path: path, contents: contents)
    }
  }

  /// `/lib` and `/lib64`, where the system has them as links.
  var links: [LaunchPlan.Link] {
    guard hasPrivateRoot else { return [] }
    return Self.oldLibraries.compactMap { path in
      RealPath.link(at: path).map { LaunchPlan.Link(path: path, destination: $0) }
    }
  }

  private static let oldLibraries = ["/lib", "/lib64"]
  /// Without any of these a mount is read-only.
  private static let writing: Set<FileRight> = [
    .writeFile, .truncate, .makeRegularFile, .makeDirectory, .makeSymbolicLink, .removeFile,
    .removeDirectory, .refer,
  ]

  private func showings(_ rule: FileRule) -> [Showing] {
    func show(_ source: String, as target: String, isRequired: Bool = true) -> Showing {
      Showing(source: source, target: target, rights: rule.rights, isRequired: isRequired)
    }
    switch rule.place {
    case .bundle: return [show(request.bundlePath, as: bundle)]
    case .container:
      guard let path = request.containerPath else { return [] }
      return [show(path, as: container)]
    case .sharedContainer:
      guard let path = request.sharedContainerPath, let sharedContainer else { return [] }
      return [show(path, as: sharedContainer)]
    case .temporary: return []
    case .interpreter:
      guard let named = request.interpreter, let interpreter else { return [] }
      return [show(interpreter, as: named)] + settings(of: interpreter)
    case .path("/usr/lib"):
      // The dynamic loader's path is the system's choice: beneath `/lib64`, which is a folder or a
      // link to one beside `/usr/lib`.
      let siblings =
        ["/usr/lib64"] + Self.oldLibraries.filter { RealPath.link(at: $0) == nil }
      return [show("/usr/lib", as: "/usr/lib", isRequired: !rule.isOptional)]
        + siblings.map { show($0, as: $0, isRequired: false) }
    case .path(let path): return [show(path, as: path, isRequired: !rule.isOptional)]
    }
  }

  /// A Python reads its `sitecustomize` through a link to here, and complains when it cannot.
  private func settings(of interpreter: String) -> [Showing] {
    guard let name = interpreter.split(separator: "/").last, name.hasPrefix("python3") else {
      return []
    }
    let path = "/etc/\(name)"
    return [
      Showing(source: path, target: path, rights: [.readFile, .readDirectory], isRequired: false)
    ]
  }
}

extension LaunchRequest {
  /// Where the profile lets the keyboard write, by the paths it may know them under: with and
  /// without the private root.
  var writablePlaces: [String] {
    files.filter { $0.rights.contains(.writeFile) }.flatMap { rule -> [String] in
      [true, false].flatMap { hasPrivateRoot -> [String] in
        let places = LaunchPlaces(self, hasPrivateRoot: hasPrivateRoot)
        switch rule.place {
        case .container: return [places.container]
        case .sharedContainer: return places.sharedContainer.map { [$0] } ?? []
        case .temporary: return [places.temporary]
        case .path(let path): return [path]
        case .bundle, .interpreter: return []
        }
      }
    }
  }
}
