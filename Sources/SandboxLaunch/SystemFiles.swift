import LinuxSystem

/// What a keyboard sees of the system: libraries, time zones, locales, three devices, and its
/// interpreter with the interpreter's library.
struct SystemFiles {
  /// The interpreter of a script, as an absolute path with no link in it; nil for a program.
  private let interpreter: String?
  /// The path that the script names.
  private let namedInterpreter: String?

  init(interpreter: String?) {
    namedInterpreter = interpreter
    self.interpreter = interpreter.map { (try? RealPath.resolve($0)) ?? $0 }
  }

  /// Folders of shared libraries, and of an interpreter's own library (`/usr/lib/python3`).
  private static let libraries = ["/usr/lib", "/usr/lib64"]
  /// On a system where `/lib` is no link into `/usr`.
  private static let oldLibraries = ["/lib", "/lib64"]
  private static let data = [
    "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale",
    "/usr/lib/locale",
  ]

  /// A Python reads its `sitecustomize` from here, and complains when it must not.
  private var interpreterSettings: [String] {
    guard let name = interpreter?.split(separator: "/").last, name.hasPrefix("python3") else {
      return []
    }
    return ["/etc/\(name)"]
  }

  /// For Landlock.
  var rules: [LaunchPlan.PathRule] {
    var rules: [LaunchPlan.PathRule] = []
    func add(_ paths: [String], _ access: LaunchPlan.PathAccess) {
      rules += paths.map { LaunchPlan.PathRule(path: $0, access: access, isRequired: false) }
    }
    add(Self.libraries + Self.oldLibraries, .readAndExecute)
    add(Self.data + interpreterSettings, .read)
    if let namedInterpreter { add([namedInterpreter], .readAndExecute) }
    add(["/dev/null", "/dev/zero"], .device)
    add(["/dev/urandom"], .read)
    return rules
  }

  /// For the private root.
  var binds: [LaunchPlan.Bind] {
    var binds: [LaunchPlan.Bind] = []
    func add(_ path: String, to target: String? = nil, runs: Bool = false, writes: Bool = false) {
      binds.append(
        LaunchPlan.Bind(
          source: path, target: target ?? path, isWritable: writes, isExecutable: runs,
          isRequired: false))
    }
    add("/usr/lib", runs: true)
    add("/usr/lib64", runs: true)
    for path in Self.oldLibraries where RealPath.link(at: path) == nil { add(path, runs: true) }
    for path in Self.data where path != "/usr/lib/locale" { add(path) }
    for path in interpreterSettings { add(path) }
    if let namedInterpreter, let interpreter { add(interpreter, to: namedInterpreter, runs: true) }
    for device in ["/dev/null", "/dev/zero", "/dev/urandom"] { add(device, writes: true) }
    return binds
  }

  /// `/lib` and `/lib64` where the system has them as links.
  var links: [LaunchPlan.Link] {
    Self.oldLibraries.compactMap { path in
      RealPath.link(at: path).map { LaunchPlan.Link(path: path, destination: $0) }
    }
  }
}
