import CSandboxProbe
import Glibc

/// Files that are not the keyboard's.
enum FileAttacks {
  /// `read WAY PATH`: opens a file in one way, and tells what it holds.
  static func read(_ words: [String]) {
    let path = words.word(1)
    switch words.word(0) {
    case "open": loot(Kernel.with(path) { Kernel.call(Kernel.Number.open, $0) })
    case "openat": loot(Kernel.open(path, O_RDONLY))
    case "openat2":
      var how: (UInt64, UInt64, UInt64) = (0, 0, 0)
      loot(
        withUnsafePointer(to: &how) { how in
          Kernel.with(path) {
            Kernel.call(437, Kernel.atWorkingDirectory, $0, UInt(bitPattern: how), 24)
          }
        })
    case "x32": loot(Kernel.with(path) { Kernel.call(0x4000_0000 | Kernel.Number.open, $0) })
    case "sign": loot(Kernel.with(path) { Kernel.call(1 << 32 | Kernel.Number.open, $0) })
    case "i386": loot32(path)
    case "access-mode-3": controlled(path)
    case "handle": handle(path)
    case "ring": loot(Ring()?.open(path) ?? -1)
    case "tree": loot(tree(path))
    case "link": linked(path)
    case "symbolic": symbolic(path)
    case "preadv2": preadv2(path)
    case "map": map(path)
    case "dots": dots(path)
    default: Report.line("unknown way")
    }
  }

  private static func loot(_ descriptor: Int) {
    Report.result("open", descriptor)
    if descriptor >= 0 { Report.loot(Kernel.read(descriptor)) }
  }

  private static func loot32(_ path: String) {
    guard let memory = probe_low_memory(8192) else { return Report.line("no low memory") }
    let bytes = Array(path.utf8) + [0]
    bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    let place = UInt32(UInt(bitPattern: memory))
    let descriptor = probe_call_i386(5, place, 0, 0, 0, 0)
    Report.result("int 0x80 open", descriptor)
    guard descriptor >= 0 else { return }
    let got = probe_call_i386(3, UInt32(descriptor), place + 4096, 4096, 0, 0)
    guard got > 0 else { return }
    let buffer = UnsafeRawBufferPointer(start: memory + 4096, count: got)
    Report.loot(Array(buffer))
  }

  /// Access mode 3 is for ioctl alone, and nobody is asked for a right; /proc opens it again.
  private static func controlled(_ path: String) {
    let descriptor = Kernel.open(path, 3)
    Report.result("open", descriptor)
    if descriptor >= 0 { loot(Kernel.open("/proc/self/fd/\(descriptor)", O_RDONLY)) }
  }

  private static func handle(_ path: String) {
    // struct file_handle: bytes, type, then up to 128 bytes.
    var handle = [UInt32](repeating: 0, count: 34)
    handle[0] = 128
    var mount: Int32 = 0
    let result = handle.withUnsafeMutableBytes { handle in
      withUnsafeMutablePointer(to: &mount) { mount in
        Kernel.with(path) {
          Kernel.call(
            303, Kernel.atWorkingDirectory, $0, UInt(bitPattern: handle.baseAddress),
            UInt(bitPattern: mount), 0)
        }
      }
    }
    Report.result("name_to_handle_at", result)
    let place = Kernel.open("/", O_RDONLY)
    loot(
      handle.withUnsafeBytes {
        Kernel.call(304, UInt(bitPattern: place), UInt(bitPattern: $0.baseAddress), 0)
      })
  }

  /// open_tree copies a mount, from which nothing stops a walk.
  private static func tree(_ path: String) -> Int {
    let copy = Kernel.with("/") { Kernel.call(428, Kernel.atWorkingDirectory, $0, 1 | 0x8000) }
    Report.result("open_tree", copy)
    guard copy >= 0 else { return copy }
    return Kernel.with(String(path.dropFirst())) {
      Kernel.call(Kernel.Number.openat, UInt(bitPattern: copy), $0)
    }
  }

  static func container(_ words: [String], _ index: Int) -> String {
    Kernel.environment("KEYHOST_CONTAINER") ?? words.word(index)
  }

  private static var own: String {
    Kernel.environment("KEYHOST_CONTAINER") ?? Kernel.environment("TMPDIR") ?? "."
  }

  private static func linked(_ path: String) {
    let place = "\(own)/linked"
    let result = Kernel.with(path) { old in
      Kernel.with(place) { Kernel.call(Kernel.Number.link, old, $0) }
    }
    Report.result("link", result)
    loot(Kernel.open(place, O_RDONLY))
  }

  private static func symbolic(_ path: String) {
    let place = "\(own)/symbolic"
    let result = Kernel.with(path) { old in
      Kernel.with(place) { Kernel.call(Kernel.Number.symlink, old, $0) }
    }
    Report.result("symlink", result)
    loot(Kernel.open(place, O_RDONLY))
  }

  private static func preadv2(_ path: String) {
    let descriptor = Kernel.open(path, O_RDONLY)
    Report.result("open", descriptor)
    guard descriptor >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let got = buffer.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return withUnsafePointer(to: &vector) {
        Kernel.call(327, UInt(descriptor), UInt(bitPattern: $0), 1, UInt.max, UInt.max, 0)
      }
    }
    Report.result("preadv2", got)
    if got > 0 { Report.loot(Array(buffer[..<got])) }
  }

  private static func map(_ path: String) {
    let descriptor = Kernel.open(path, O_RDONLY)
    Report.result("open", descriptor)
    guard descriptor >= 0 else { return }
    let place = Kernel.call(Kernel.Number.mmap, 0, 4096, 1, 2, UInt(descriptor), 0)
    guard place > 0, let start = UnsafeRawPointer(bitPattern: place) else { return }
    Report.loot(Array(UnsafeRawBufferPointer(start: start, count: 64)))
  }

  /// Up and out of the own folder.
  private static func dots(_ path: String) {
    let up = String(repeating: "/..", count: 12)
    loot(Kernel.open("\(own)\(up)\(path)", O_RDONLY))
  }

  /// A file of the own bundle, by the name that the host knows and by the one in a private root.
  private static func ownBundle(_ path: String) -> [String] {
    guard let bundle = Kernel.environment("KEYHOST_BUNDLE") else { return [path] }
    let parts = path.split(separator: "/").suffix(2).joined(separator: "/")
    return [path, "\(bundle)/\(parts)"]
  }

  /// `lock WAY PATH`: locks a file for reading, which takes no right but that of opening it, and
  /// keeps it locked.
  static func lock(_ words: [String]) {
    for path in ownBundle(words.word(1)) {
      let file = Kernel.open(path, O_RDONLY)
      guard file >= 0 else {
        Report.result("open", file)
        continue
      }
      // F_RDLCK from the beginning to the end; l_pid is 0.
      let record = [UInt64](repeating: 0, count: 4)
      let result = record.withUnsafeBytes { record in
        let place = UInt(bitPattern: record.baseAddress)
        return switch words.word(0) {
        case "lock-record": Kernel.call(72, UInt(file), 6, place)
        case "lock-description": Kernel.call(72, UInt(file), 37, place)
        default: Kernel.call(73, UInt(file), 1)
        }
      }
      Report.result(words.word(0), result)
    }
  }

  /// `write WAY PATH TEXT`: puts a text into a file.
  static func write(_ words: [String]) {
    let path = words.word(1)
    let text = Array("\(words.word(2))\n".utf8)
    func put(_ descriptor: Int) {
      Report.result("open", descriptor)
      if descriptor >= 0 { Report.result("write", Kernel.write(descriptor, text)) }
    }
    switch words.word(0) {
    case "append": put(Kernel.open(path, O_WRONLY | O_CREAT | O_APPEND, 0o666))
    case "replace":
      // What an editor does: a new file takes the old one's name.
      put(Kernel.open("\(path).new", O_WRONLY | O_CREAT, 0o666))
      let result = Kernel.with("\(path).new") { old in
        Kernel.with(path) { Kernel.call(Kernel.Number.rename, old, $0) }
      }
      Report.result("rename", result)
    case "creat": put(Kernel.with(path) { Kernel.call(Kernel.Number.creat, $0, 0o666) })
    case "own":
      // Of its own bundle, wherever that is shown to it.
      for path in ownBundle(path) {
        put(Kernel.open(path, O_WRONLY | O_APPEND))
        put(Kernel.open("\(path).new", O_WRONLY | O_CREAT, 0o666))
        let result = Kernel.with("\(path).new") { old in
          Kernel.with(path) { Kernel.call(Kernel.Number.rename, old, $0) }
        }
        Report.result("rename", result)
      }
    case "device": put(Kernel.open(path, O_RDWR | O_NONBLOCK))
    case "ring": put(Ring()?.open(path, O_WRONLY | O_APPEND) ?? -1)
    case "temporary":
      // A file without a name gets one.
      let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
      let descriptor = Kernel.open(folder, O_RDWR | 0o20200000, 0o666)
      put(descriptor)
      let result = Kernel.with("/proc/self/fd/\(descriptor)") { old in
        Kernel.with(path) {
          Kernel.call(265, Kernel.atWorkingDirectory, old, Kernel.atWorkingDirectory, $0, 0x400)
        }
      }
      Report.result("linkat", result)
    case "symbolic":
      let place = "\(own)/out"
      let result = Kernel.with(path) { old in
        Kernel.with(place) { Kernel.call(Kernel.Number.symlink, old, $0) }
      }
      Report.result("symlink", result)
      put(Kernel.open(place, O_WRONLY | O_CREAT | O_APPEND, 0o666))
    default: Report.line("unknown way")
    }
  }

  /// `change WAY PATH`: what a file is, not what it holds.
  static func change(_ words: [String]) {
    let path = words.word(1)
    let result = Kernel.with(path) { path in
      switch words.word(0) {
      case "chmod": Kernel.call(Kernel.Number.chmod, path, 0o777)
      case "fchmodat": Kernel.call(268, Kernel.atWorkingDirectory, path, 0o777)
      case "fchmodat2": Kernel.call(452, Kernel.atWorkingDirectory, path, 0o777, 0)
      case "fchmod":
        Kernel.call(
          Kernel.Number.fchmod,
          UInt(bitPattern: Kernel.call(Kernel.Number.openat, Kernel.atWorkingDirectory, path)),
          0o777)
      case "utimensat": Kernel.call(280, Kernel.atWorkingDirectory, path, zeroTimes, 0)
      case "utimes": Kernel.call(235, path, zeroTimes)
      case "truncate": Kernel.call(Kernel.Number.truncate, path, 0)
      case "open-truncate":
        Kernel.call(Kernel.Number.openat, Kernel.atWorkingDirectory, path, UInt(O_TRUNC))
      case "setxattr":
        Kernel.with("user.keyhost") { name in
          Kernel.with("taken") { Kernel.call(188, path, name, $0, 5, 0) }
        }
      case "unlink": Kernel.call(87, path)
      case "unlink-own":
        ownBundle(words.word(1)).reduce(-1) { last, path in
          max(last, Kernel.with(path) { Kernel.call(87, $0) })
        }
      case "rename": Kernel.with("\(own)/moved") { Kernel.call(Kernel.Number.rename, path, $0) }
      default: -1
      }
    }
    Report.result(words.word(0), result)
  }

  private static let zeroTimes: UInt = {
    let times = UnsafeMutablePointer<timespec>.allocate(capacity: 2)
    times.initialize(repeating: timespec(tv_sec: 1, tv_nsec: 0), count: 2)
    return UInt(bitPattern: times)
  }()

  /// `steal PATH`: whether a file is there at all, and since when.
  static func steal(_ words: [String]) {
    var found = [UInt8](repeating: 0, count: 256)
    let result = found.withUnsafeMutableBytes { found in
      Kernel.with(words.word(0)) {
        Kernel.call(Kernel.Number.stat, $0, UInt(bitPattern: found.baseAddress))
      }
    }
    Report.result("stat", result)
    // st_size is at 48.
    let size = found.withUnsafeBytes { $0.load(fromByteOffset: 48, as: Int.self) }
    if result == 0 { Report.line("size=\(size)") }
  }

  nonisolated(unsafe) private static var racing = true
  nonisolated(unsafe) private static var first: UInt = 0
  nonisolated(unsafe) private static var second: UInt = 0

  /// `race PATH`: exchanges a good file with a link to a bad one while opening it, many times.
  static func race(_ words: [String]) {
    let good = "\(own)/good"
    let bad = "\(own)/bad"
    Kernel.close(Kernel.open(good, O_WRONLY | O_CREAT, 0o600))
    _ = Kernel.with(words.word(0)) { old in
      Kernel.with(bad) { Kernel.call(Kernel.Number.symlink, old, $0) }
    }
    first = UInt(bitPattern: strdup(good))
    second = UInt(bitPattern: strdup(bad))
    let started = probe_thread {
      // renameat2 with RENAME_EXCHANGE.
      while FileAttacks.racing {
        Kernel.call(
          316, Kernel.atWorkingDirectory, FileAttacks.first, Kernel.atWorkingDirectory,
          FileAttacks.second, 2)
      }
    }
    Report.result("thread", Int(started))
    let end = Clock.milliseconds + 500
    while Clock.milliseconds < end {
      let descriptor = Kernel.open(good, O_RDONLY)
      guard descriptor >= 0 else { continue }
      let bytes = Kernel.read(descriptor)
      Kernel.close(descriptor)
      if !bytes.isEmpty {
        Report.loot(bytes)
        break
      }
    }
    racing = false
  }
}
