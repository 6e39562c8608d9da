import Glibc
import LinuxSystem

/// The folder that all of one stage's files lie in, removed with the value. What the stage makes
/// outside of it is recorded in it first, so that whoever finds the folder of a process that was
/// killed can remove that too.
final class StageFolder {
  let path: String
  /// Held for as long as the folder is in use: the kernel lets go of it with the process.
  private let lock: OpenFile

  static let place = "/tmp"
  static let prefix = "keyhost-selftest-"
  static let lockName: FileName = "lock"
  static let recordsName: FileName = "records"

  /// Its name tells whose it is: a process's number, and the time of its start in clock ticks, which
  /// together name one process.
  init() throws(SelftestError) {
    let start = ProcessControl.startTime(of: ProcessControl.identifier) ?? 0
    let name = "\(Self.prefix)\(ProcessControl.identifier)-\(start)-XXXXXX"
    var template = Array("\(Self.place)/\(name)".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw Machine.failed("make", "\(Self.place)/\(name)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      let folder = try DirectoryHandle(path: path)
      lock = try folder.openFile(Self.lockName, flags: O_RDWR | O_CREAT, mode: 0o600)
      guard try lock.lock(waitingMilliseconds: 0) else {
        throw SelftestError("\(path) is somebody else's")
      }
      try folder.makeDirectory(Self.recordsName, mode: 0o700)
      try folder.setPermissions(0o711)
    } catch {
      throw SelftestError("cannot prepare \(path): \(error)")
    }
  }

  deinit { Machine.remove(path) }

  /// To be called before the object is made.
  func record(_ object: RecordedObject) throws(SelftestError) {
    try Machine.write("", to: "\(path)/\(Self.recordsName)/\(object.name)", mode: 0o600)
  }

  /// To be called once the object is gone.
  func forget(_ object: RecordedObject) {
    _ = unsafe unlink("\(path)/\(Self.recordsName)/\(object.name)")
  }
}
