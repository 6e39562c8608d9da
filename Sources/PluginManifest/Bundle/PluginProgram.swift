import Glibc
import LinuxSystem

/// What a keyboard's executable is, and what it needs to run.
public struct PluginProgram: Sendable, Equatable {
  /// A script's interpreter below `/usr/bin`; nil for an ELF program.
  public var interpreter: String?
  /// The one argument that may follow the interpreter on a script's first line.
  public var interpreterArgument: String?

  /// Checks the executable of that name.
  /// - Parameter place: its path in the bundle, for messages.
  init(
    checking name: String, in folder: borrowing DirectoryHandle, at place: String
  ) throws(BundleError) {
    let explain: (Int32) -> String? = {
      switch $0 {
      case ENOENT: "it is missing, but `CFBundleExecutable` names it"
      case ELOOP: "it is a link where the program itself belongs"
      default: nil
      }
    }
    let file = try BundleWalk.attempt(place, explain: explain) { () throws(FileError) in
      try folder.openFile(FileName(name))
    }
    let status = try BundleWalk.attempt(place) { () throws(FileError) in try file.status() }
    guard status.kind == .regular else {
      throw BundleError(
        file: place, message: "it is a \(status.kind.rawValue) where a program belongs")
    }
    guard status.isExecutable else {
      throw BundleError(
        file: place, message: "it is not executable: change that with `chmod +x`")
    }
    let start = try BundleWalk.attempt(place) { () throws(FileError) in
      try file.read(at: 0, upTo: 256)
    }
    if start.starts(with: Array("#!".utf8)) {
      let line = try ScriptInterpreter(firstBytes: start, place: place)
      interpreter = line.path
      interpreterArgument = line.argument
    } else if start.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
      try ELFProgram(file: file, place: place).checkLibraries(bundle: folder.path)
    } else {
      throw BundleError(
        file: place,
        message: "it is neither an ELF program nor a script that begins with `#!/usr/bin/…`")
    }
  }
}
