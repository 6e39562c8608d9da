import Glibc
import LinuxSystem
import TerminalText

/// The files that belong to the program itself, found from where the program lies and from nothing
/// else: no environment variable chooses what is trusted.
public struct InstalledResources: Sendable, Equatable {
  /// The program that puts the sandbox around itself and becomes the keyboard.
  public let launcher: String
  /// The folder of policies.
  public let policies: String
  /// The folder of templates for `keyhost new`.
  public let templates: String
  /// The Swift package that has the `KeyboardExtension` library.
  public let sdk: String

  /// Finds the resources of the running program.
  ///
  /// Installed: `PREFIX/bin/keyhost`, `PREFIX/libexec/keyhost/keyhost-launcher` and
  /// `PREFIX/share/keyhost`. While developing: the program anywhere below a folder that holds
  /// `Package.swift` and `Policies`, the launcher beside the program.
  /// - Parameter program: the program's real path; by default that of this process.
  public init(program: String? = nil) throws(StoreError) {
    let program = if let program { program } else { try Self.runningProgram() }
    let folder = Self.parent(program)
    let prefix = Self.parent(folder)
    if folder.hasSuffix("/bin"), Self.exists(prefix + "/share/keyhost/Policies") {
      launcher = prefix + "/libexec/keyhost/keyhost-launcher"
      policies = prefix + "/share/keyhost/Policies"
      templates = prefix + "/share/keyhost/Templates"
      sdk = prefix + "/share/keyhost/sdk"
      return
    }
    var root = folder
    while root != "/" {
      if Self.exists(root + "/Package.swift"), Self.exists(root + "/Policies") {
        launcher = folder + "/keyhost-launcher"
        policies = root + "/Policies"
        templates = root + "/Templates"
        sdk = root
        return
      }
      root = Self.parent(root)
    }
    throw StoreError(
      .file,
      "the files that belong to \(VisibleText.escape(program)) are not there: neither "
        + "\(prefix)/share/keyhost nor a source tree around it. Install the program again")
  }

  /// The path of a policy, checked: whoever could change it could open the sandbox.
  public func policy(_ name: String) throws(StoreError) -> String {
    let path = policies + "/" + name
    try Self.checkTrusted(path)
    return path
  }

  /// The launcher's path, checked likewise.
  public func trustedLauncher() throws(StoreError) -> String {
    try Self.checkTrusted(launcher)
    return launcher
  }

  /// The attacker of `keyhost selftest`, which lies beside the launcher, checked likewise: it also
  /// runs outside the sandbox.
  public func trustedProbe() throws(StoreError) -> String {
    let path = Self.parent(launcher) + "/sandbox-probe"
    try Self.checkTrusted(path)
    return path
  }

  /// Refuses a file that somebody other than root and this user can change: by its permissions, its
  /// owner, or those of a folder above it.
  static func checkTrusted(_ path: String) throws(StoreError) {
    guard exists(path) else {
      throw StoreError(
        .file, "\(path), which belongs to this program, is not there. Install the program again")
    }
    let status = try fileOperation { () throws(FileError) in try FileStatus(path: path) }
    guard status.kind == .regular else {
      throw StoreError(.refused, "\(path) is a \(status.kind.rawValue), not a file")
    }
    try check(status, path)
    var folder = parent(path)
    while true {
      let status = try fileOperation { () throws(FileError) in
        try FileStatus(path: folder, followingLinks: true)
      }
      // In a sticky folder, such as /tmp, nobody can replace what belongs to another.
      if status.permissions & UInt32(S_ISVTX) == 0 { try check(status, folder) }
      if folder == "/" { return }
      folder = parent(folder)
    }
  }

  private static func check(_ status: FileStatus, _ path: String) throws(StoreError) {
    if status.isWritableByOthers {
      throw StoreError(
        .refused,
        "\(path) can be changed by everybody and is not trusted: `chmod o-w` takes that away")
    }
    if status.isWritableByGroup, status.group != 0 {
      throw StoreError(
        .refused,
        "\(path) can be changed by the group id \(status.group) and is not trusted: `chmod g-w` "
          + "takes that away")
    }
    guard status.owner == 0 || status.owner == geteuid() else {
      throw StoreError(
        .refused,
        "\(path) belongs to the user id \(status.owner), neither to root nor to you, and is not "
          + "trusted")
    }
  }

  private static func runningProgram() throws(StoreError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else {
      throw StoreError(.file, "cannot tell where this program lies: /proc/self/exe is not readable")
    }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func parent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  private static func exists(_ path: String) -> Bool {
    (try? FileStatus(path: path, followingLinks: true)) != nil
  }
}
