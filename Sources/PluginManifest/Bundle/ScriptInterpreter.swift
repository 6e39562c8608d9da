import Glibc
import LinuxSystem

/// The first line of a script. Interpreters are looked up in `/usr/bin` alone, never by a caller's
/// `PATH`: who sets the PATH must not choose what runs.
struct ScriptInterpreter {
  let path: String
  let argument: String?

  /// - Parameter firstBytes: the file's first 256 bytes: as far as the kernel reads
  ///   (`BINPRM_BUF_SIZE`).
  init(firstBytes: [UInt8], place: String) throws(BundleError) {
    guard let end = firstBytes.firstIndex(of: UInt8(ascii: "\n")) else {
      throw BundleError(
        file: place, message: "its first line is longer than the 255 bytes the kernel reads")
    }
    guard let line = String(validating: firstBytes[2..<end], as: UTF8.self) else {
      throw BundleError(file: place, message: "its first line is not valid UTF-8")
    }
    if line.hasSuffix("\r") {
      throw BundleError(
        file: place, message: "its first line ends with a carriage return: save it with Unix lines")
    }
    let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    guard let command = words.first.map(String.init) else {
      throw BundleError(file: place, message: "its first line names no interpreter after `#!`")
    }
    let rest = words.count > 1 ? words[1].trimmingBlanks : ""
    let name = command.split(separator: "/").last.map(String.init) ?? ""
    if name == "env" {
      throw BundleError(
        file: place,
        message: "its first line looks the interpreter up with `env`, which is refused: write "
          + "`#!\(Self.direct(rest))`")
    }
    // On Debian /bin is /usr/bin.
    guard command == "/usr/bin/" + name || command == "/bin/" + name else {
      throw BundleError(
        file: place,
        message: "its interpreter \(quoted(command)) is not in /usr/bin: write "
          + "\(quoted("#!/usr/bin/" + name))")
    }
    path = "/usr/bin/" + name
    argument = rest.isEmpty ? nil : rest
    try Self.check(path, place: place)
  }

  /// What to write in place of `env …`.
  private static func direct(_ arguments: String) -> String {
    var words = arguments.split(separator: " ").map(String.init)
    while let word = words.first, word.hasPrefix("-") || word.contains("=") { words.removeFirst() }
    guard let name = words.first else { return "/usr/bin/python3" }
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let line = (["/usr/bin/" + last] + words.dropFirst()).joined(separator: " ")
    return String(quoted(line).dropFirst().dropLast())
  }

  private static func check(_ path: String, place: String) throws(BundleError) {
    let status: FileStatus
    let start: [UInt8]
    do {
      status = try FileStatus(path: path, followingLinks: true)
      let file = try OpenFile(followingLinksTo: path)
      start = try file.read(at: 0, upTo: 4)
    } catch {
      throw BundleError(
        file: place, message: "its interpreter \(quoted(path)) cannot be used: \(error.reason)")
    }
    guard status.kind == .regular, status.isExecutable, start == [0x7f, 0x45, 0x4c, 0x46] else {
      throw BundleError(
        file: place, message: "its interpreter \(quoted(path)) is not an ELF program")
    }
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
