import Glibc
import LinuxSystem

/// What selftests have left that were killed before they could clear up.
public enum Leftovers {
  /// Removes the folders of this user's selftests that are dead, ends what they had started, and
  /// removes what they made outside of their folders. What cannot be removed stays.
  public static func remove() {
    for name in Machine.names(StageFolder.place) where name.hasPrefix(StageFolder.prefix) {
      remove(name)
    }
  }

  private static func remove(_ name: String) {
    let path = "\(StageFolder.place)/\(name)"
    // Anybody can make a folder of such a name; a link is not followed.
    guard let folder = try? DirectoryHandle(path: path), let status = try? folder.ownStatus(),
      status.owner == ProcessControl.user, isDead(name)
    else { return }
    // A lock tells of one that runs where its number means nothing here.
    guard let lock = try? folder.openFile(StageFolder.lockName, flags: O_RDWR) else {
      // Made a moment ago, or killed before it had its lock.
      if isOld(path) { Machine.remove(path) }
      return
    }
    guard (try? lock.lock(waitingMilliseconds: 0)) == true else { return }
    clear(path, folder)
  }

  /// The same for what this process itself has made so far, when it is to end before it is done.
  public static func removeOwn() {
    let prefix = "\(StageFolder.prefix)\(ProcessControl.identifier)-"
    for name in Machine.names(StageFolder.place) where name.hasPrefix(prefix) {
      let path = "\(StageFolder.place)/\(name)"
      guard let folder = try? DirectoryHandle(path: path), let status = try? folder.ownStatus(),
        status.owner == ProcessControl.user
      else { continue }
      clear(path, folder)
    }
  }

  private static func clear(_ path: String, _ folder: borrowing DirectoryHandle) {
    endProcesses(of: path)
    if let records = try? folder.openDirectory(StageFolder.recordsName),
      let names = try? records.names()
    {
      for record in names { RecordedObject(named: record.description)?.remove() }
    }
    Machine.remove(path)
  }

  /// Whether the process that a folder is named after is gone.
  private static func isDead(_ name: String) -> Bool {
    let parts = name.dropFirst(StageFolder.prefix.count).split(separator: "-")
    guard parts.count == 3, let process = Int32(parts[0]), let start = Int(parts[1]) else {
      return false
    }
    return ProcessControl.startTime(of: process) != start
  }

  private static func isOld(_ path: String) -> Bool {
    guard let status = Machine.status(path) else { return false }
    return time(nil) - status.modified > 60
  }

  /// Attackers and victims are programs of the folder; the sound server has its socket in there.
  private static func endProcesses(of path: String) {
    for process in Machine.processes(with: "\(path)/") {
      let words = (Machine.contents("/proc/\(process)/cmdline") ?? []).split(separator: 0)
      let program = String(decoding: words.first ?? [], as: UTF8.self)
      guard program.hasPrefix("\(path)/") || program == Microphone.processName else { continue }
      Machine.end(process, knownBy: "\(path)/")
    }
  }
}
