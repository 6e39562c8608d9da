import Glibc
import LinuxSystem

/// What the observer reads of the machine, and the few calls that decoys are made with.
enum Machine {
  static var isRoot: Bool { geteuid() == 0 }

  /// All of a file, as far as there is one. Files of /proc have no size to go by.
  static func contents(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, [.read, .nonBlocking]) else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      guard let more = try? file.read(upTo: 65_536) else { break }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  static func text(_ path: String) -> String? {
    contents(path).map { String(decoding: $0, as: UTF8.self) }
  }

  static func names(_ path: String) -> [String] {
    guard let folder = try? DirectoryHandle(path: path), let names = try? folder.names() else {
      return []
    }
    return names.map(\.description)
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Every process whose command line holds a word.
  static func processes(with word: String) -> [Int32] {
    let bytes = Array(word.utf8)
    return names("/proc").compactMap { Int32($0) }.filter { process in
      contains(contents("/proc/\(process)/cmdline") ?? [], bytes)
    }
  }

  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard !part.isEmpty, bytes.count >= part.count else { return false }
    return bytes.indices.dropLast(part.count - 1).contains { start in
      bytes[start] == part[0] && bytes[start..<start + part.count].elementsEqual(part)
    }
  }

  /// Sixteen random hexadecimal digits.
  static func secret() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func kill(_ process: Int32) { _ = Glibc.kill(process, SIGKILL) }

  /// Kills a process that has the word on its command line. One that is this process's own child,
  /// as those made with CLONE_PARENT are, is nobody else's to fetch, and is fetched.
  static func end(_ process: Int32, knownBy word: String) {
    guard let handle = try? ProcessHandle(process),
      contains(contents("/proc/\(process)/cmdline") ?? [], Array(word.utf8))
    else { return }
    try? handle.send(Signals.kill)
    var entries = [PollEntry(handle.rawValue, .input)]
    _ = try? poll(&entries, milliseconds: 200)
    do {
      if try handle.status(.exited) == nil { handle.reapInBackground() }
    } catch {
      // Somebody else's child.
    }
  }

  static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

  // MARK: Files

  static func makeFolder(_ path: String, mode: UInt32) throws(SelftestError) {
    guard unsafe mkdir(path, mode) == 0, unsafe chmod(path, mode) == 0 else {
      throw failed("make", path)
    }
  }

  static func write(_ text: String, to path: String, mode: UInt32) throws(SelftestError) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SelftestError) {
    do {
      let file = try FileDescriptor.open(path, [.write, .create], permissions: mode)
      var rest = bytes[...]
      while !rest.isEmpty { rest = rest.dropFirst(try file.write(rest)) }
    } catch {
      throw SelftestError("cannot write \(path): \(error)")
    }
    guard unsafe chmod(path, mode) == 0 else { throw failed("set the mode of", path) }
  }

  static func setMode(_ path: String, _ mode: UInt32) throws(SelftestError) {
    guard unsafe chmod(path, mode) == 0 else { throw failed("open up", path) }
  }

  static func setOwner(_ path: String, _ owner: UInt32) throws(SelftestError) {
    guard unsafe chown(path, owner, owner) == 0 else { throw failed("give away", path) }
  }

  static func remove(_ path: String) {
    guard path.hasPrefix("/tmp/keyhost-selftest-"), let slash = path.lastIndex(of: "/"),
      let folder = try? DirectoryHandle(path: String(path[..<slash]))
    else { return }
    try? folder.removeTree(FileName(String(path[path.index(after: slash)...])))
  }

  static func removeSharedMemory(_ path: String) {
    if path.hasPrefix("/dev/shm/keyhost-selftest-") { _ = unsafe unlink(path) }
  }

  static func status(_ path: String) -> FileState? {
    var found = stat()
    guard unsafe lstat(path, &found) == 0 else { return nil }
    return FileState(
      inode: UInt64(found.st_ino), mode: found.st_mode, size: Int(found.st_size),
      modified: found.st_mtim.tv_sec,
      changed: found.st_ctim.tv_sec * 1_000_000_000 + found.st_ctim.tv_nsec)
  }

  /// The regular files that a process has open: their sizes and what they take up, in bytes.
  static func openFiles(_ process: Int32) -> [(size: Int, room: Int)] {
    let folder = "/proc/\(process)/fd"
    return names(folder).compactMap { name -> (size: Int, room: Int)? in
      var found = stat()
      guard unsafe stat("\(folder)/\(name)", &found) == 0, found.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return (Int(found.st_size), Int(clamping: found.st_blocks) * 512)
    }
  }

  /// Whether a lock of another program keeps this one from a lock of its own.
  static func isLocked(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var record = flock()
    record.l_type = Int16(F_WRLCK)
    record.l_whence = Int16(SEEK_SET)
    if unsafe fcntl(file, F_GETLK, &record) == 0, record.l_type != Int16(F_UNLCK) { return true }
    return flock(file, LOCK_EX | LOCK_NB) != 0
  }

  static func makeDevice(_ path: String, like other: String) throws(SelftestError) {
    var found = stat()
    guard unsafe stat(other, &found) == 0 else { throw failed("examine", other) }
    guard unsafe mknod(path, S_IFCHR | 0o666, found.st_rdev) == 0, unsafe chmod(path, 0o666) == 0
    else {
      throw failed("make the device", path)
    }
  }

  static func failed(_ verb: String, _ path: String) -> SelftestError {
    SelftestError("cannot \(verb) \(path): \(Errno(rawValue: errno))")
  }
}

/// What can be changed of a file without changing what it holds.
struct FileState: Equatable {
  var inode: UInt64
  var mode: UInt32
  var size: Int
  var modified: Int
  /// Nanoseconds; attributes and links count.
  var changed: Int
}

/// Why the selftest cannot be made at all.
public struct SelftestError: Error, CustomStringConvertible {
  public let description: String
  /// Whether it is only that a decoy cannot be made here.
  let isOfDecoy: Bool

  init(_ description: String, isOfDecoy: Bool = false) {
    self.description = description
    self.isOfDecoy = isOfDecoy
  }
}
