import CSandboxProbe
import Glibc

/// The kernel, without the C library between.
enum Kernel {
  /// Results are as the kernel gives them: errors are negative.
  @discardableResult
  static func call(
    _ number: Int, _ a: UInt = 0, _ b: UInt = 0, _ c: UInt = 0, _ d: UInt = 0, _ e: UInt = 0,
    _ f: UInt = 0
  ) -> Int {
    probe_call(number, a, b, c, d, e, f)
  }

  static func with<Result>(_ text: String, _ body: (UInt) -> Result) -> Result {
    text.withCString { body(UInt(bitPattern: $0)) }
  }

  static func open(_ path: String, _ flags: Int32, _ mode: UInt = 0o600) -> Int {
    with(path) { call(Number.openat, atWorkingDirectory, $0, UInt(bitPattern: Int(flags)), mode) }
  }

  static func close(_ descriptor: Int) { call(Number.close, UInt(bitPattern: descriptor)) }

  static func read(_ descriptor: Int, _ count: Int = 4096) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = buffer.withUnsafeMutableBytes {
      call(Number.read, UInt(bitPattern: descriptor), UInt(bitPattern: $0.baseAddress), UInt(count))
    }
    return got > 0 ? Array(buffer[..<got]) : []
  }

  @discardableResult
  static func write(_ descriptor: Int, _ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes {
      call(
        Number.write, UInt(bitPattern: descriptor), UInt(bitPattern: $0.baseAddress),
        UInt($0.count))
    }
  }

  /// Reads until a newline; false at the end of the input.
  @discardableResult
  static func waitForInput() -> Bool {
    while true {
      let byte = read(0, 1)
      if byte.isEmpty { return false }
      if byte == [UInt8(ascii: "\n")] { return true }
    }
  }

  static func exit(_ code: UInt) -> Never {
    while true { call(Number.exitGroup, code) }
  }

  /// Does nothing for as long as anybody could want to see it, and no longer: a judge that is gone
  /// cannot end what it has started.
  static func pause() -> Never {
    let end = Clock.milliseconds + 20_000
    while Clock.milliseconds < end { sleep(milliseconds: 500) }
    exit(0)
  }

  /// Blocking, for less than a second.
  static func sleep(milliseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    _ = withUnsafePointer(to: &time) { call(Number.nanosleep, UInt(bitPattern: $0)) }
  }

  static let atWorkingDirectory = UInt(bitPattern: -100)

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// x86-64's numbers.
  enum Number {
    static let read = 0
    static let write = 1
    static let open = 2
    static let close = 3
    static let stat = 4
    static let mmap = 9
    static let ioctl = 16
    static let pause = 34
    static let nanosleep = 35
    static let getpid = 39
    static let socket = 41
    static let connect = 42
    static let sendto = 44
    static let sendmsg = 46
    static let recvmsg = 47
    static let bind = 49
    static let listen = 50
    static let socketpair = 53
    static let fork = 57
    static let execve = 59
    static let kill = 62
    static let truncate = 76
    static let rename = 82
    static let creat = 85
    static let link = 86
    static let symlink = 88
    static let chmod = 90
    static let fchmod = 91
    static let setsid = 112
    static let prctl = 157
    static let openat = 257
    static let exitGroup = 231
  }
}

enum Clock {
  /// Since some time.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

/// What the probe says of itself, on the protocol's descriptor, or on the standard output where
/// there is none.
enum Report {
  private static let descriptor = Kernel.call(72, 3, 1) >= 0 ? 3 : 1  // fcntl F_GETFD

  static func line(_ text: String) { Kernel.write(descriptor, Array("\(text)\n".utf8)) }

  /// The raw result of one call.
  static func result(_ what: String, _ value: Int) { line("result \(what) \(value)") }

  /// What was got hold of.
  static func loot(_ bytes: [UInt8]) {
    Kernel.write(descriptor, bytes)
    line("")
  }
}

func number(_ text: String) -> UInt {
  if text.hasPrefix("0x") { return UInt(text.dropFirst(2), radix: 16) ?? 0 }
  return UInt(text) ?? UInt(bitPattern: Int(text) ?? 0)
}

extension Array where Element == String {
  /// Arguments that were not given are empty.
  func word(_ index: Int) -> String { index < count ? self[index] : "" }
  func value(_ index: Int) -> UInt { number(word(index)) }
}

let attacks: [String: @Sendable ([String]) -> Void] = [
  "idle": { _ in Kernel.pause() },
  "idle-elsewhere": ProcessAttacks.idleElsewhere,
  "read": FileAttacks.read,
  "write": FileAttacks.write,
  "change": FileAttacks.change,
  "lock": FileAttacks.lock,
  "steal": FileAttacks.steal,
  "race": FileAttacks.race,
  "connect": SocketAttacks.connect,
  "socket": SocketAttacks.socket,
  "swap": SocketAttacks.swap,
  "listen": SocketAttacks.listen,
  "object": KernelObjects.make,
  "shared": SharedObjects.use,
  "process": ProcessAttacks.process,
  "execute": ProcessAttacks.execute,
  "namespace": ProcessAttacks.namespace,
  "victim": ProcessAttacks.victim,
  "terminal": TerminalAttacks.attack,
  "descriptors": DescriptorAttacks.use,
  "bomb": ResourceAttacks.bomb,
  "freeze": FreezeAttacks.spin,
  "calls": SystemCallTable.calls,
]
