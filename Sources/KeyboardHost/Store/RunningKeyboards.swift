import Glibc
import LinuxSystem
import TerminalText

/// The records of the keyboards that run by some settings: a folder beside the settings file, so that
/// whoever changes those settings finds every one, whichever host has it.
///
/// A host makes the record before a keyboard's own code runs, and looks at the settings once more
/// behind it. Who takes a right away changes the settings first, and looks at the records behind
/// that. So one of the two sees the other, at whatever point a host was when it was stopped.
struct RunningKeyboards: Sendable {
  /// How long hosts have to end their keyboards by themselves, in milliseconds: that is the way
  /// without loss.
  static let patience: UInt64 = 300
  /// How long a process may take to end after that, in milliseconds.
  static let limit: UInt64 = 5_000
  /// A larger record is damaged.
  private static let sizeLimit = 1 << 20

  private let path: String

  init(paths: HostPaths) { path = paths.configuration + "/running" }

  init(settingsFolder: String) { path = settingsFolder + "/running" }

  /// Leaves word of a keyboard that is about to run, and removes what hosts that were killed have left.
  func enter(_ keyboard: RunningKeyboard) throws(FileError) {
    let folder = try DirectoryHandle.make(path: path, mode: 0o700)
    for name in (try? folder.names()) ?? [] {
      guard let process = name.string.flatMap(RunningKeyboard.Process.init(fileName:)) else {
        continue
      }
      if process.standing == .gone { try? folder.removeFile(name) }
    }
    let name = FileName(keyboard.process.fileName)
    let temporary = FileName(".\(name).new")
    if try folder.contains(temporary) { try folder.removeFile(temporary) }
    let file = try folder.openFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do throws(FileError) {
      // It is of no use after a crash of the system, so that it need not be on the disk.
      try file.write(keyboard.encodedRights())
      try folder.rename(temporary, to: name, in: folder)
    } catch {
      try? folder.removeFile(temporary)
      throw error
    }
  }

  /// Takes the word back, of a process that has ended.
  func leave(_ process: RunningKeyboard.Process) {
    guard let folder = try? DirectoryHandle(path: path), process.standing == .gone else { return }
    try? folder.removeFile(FileName(process.fileName))
  }

  /// All records. Where there is no folder, nothing has run.
  func all() throws(FileError) -> [RunningKeyboard] {
    let folder: DirectoryHandle
    do throws(FileError) { folder = try DirectoryHandle(path: path) } catch {
      if error.code == ENOENT { return [] }
      throw error
    }
    var found: [RunningKeyboard] = []
    for name in try folder.names() {
      guard let process = name.string.flatMap(RunningKeyboard.Process.init(fileName:)) else {
        continue
      }
      var rights: RunningKeyboard.Rights?
      if let file = try? folder.openFile(name, flags: O_RDONLY | O_NONBLOCK),
        let bytes = try? file.read(upTo: Self.sizeLimit)
      {
        rights = RunningKeyboard.Rights(decoding: bytes)
      }
      found.append(RunningKeyboard(process: process, rights: rights))
    }
    return found
  }

  /// Waits until every keyboard with more rights than the settings give has ended, and ends those
  /// whose host does not.
  /// - Parameters:
  ///   - settings: as they are in the file by now.
  ///   - others: processes that have to end besides.
  /// - Throws: when one cannot be ended, or nobody can know whether it has; it says which.
  func end(
    exceeding settings: HostSettings, and others: [RunningKeyboard] = [],
    patience: UInt64 = Self.patience, limit: UInt64 = Self.limit
  ) throws(StoreError) {
    let began = MonotonicClock.nanoseconds
    func passed() -> UInt64 { (MonotonicClock.nanoseconds - began) / 1_000_000 }
    while true {
      // They are read anew each time: a host that was slow may have made one more.
      let records = try fileOperation { () throws(FileError) in try all() }
      var left = records.filter { $0.exceeds(settings) }
      for other in others where !left.contains(where: { $0.process == other.process }) {
        left.append(other)
      }
      left.removeAll { $0.process.standing == .gone }
      guard !left.isEmpty else { return }
      if passed() >= patience {
        for running in left { try? running.process.kill() }
      }
      guard passed() < limit + patience else { throw Self.stillRunning(left) }
      usleep(5_000)
    }
  }

  private static func stillRunning(_ left: [RunningKeyboard]) -> StoreError {
    let named = left.map { running in
      let keyboard = running.rights.map { "`\(VisibleText.escape($0.keyboard))`" } ?? "a keyboard"
      let process = running.process
      guard case .unknown(let reason) = process.standing else {
        return "\(keyboard), process \(process.number)"
      }
      return "\(keyboard), process \(process.number): \(reason)"
    }
    return StoreError(
      .busy,
      "the settings are changed, but what was taken away may still be used by what runs ("
        + named.joined(separator: "; ") + "): end `keyhost`, or that process")
  }
}
