import CSandboxProbe
import Glibc

/// The user's terminal.
enum TerminalAttacks {
  private static let pushInput: UInt = 0x5412
  private static let linux: UInt = 0x541c

  /// `terminal WAY PATH TEXT`.
  static func attack(_ words: [String]) {
    let text = Array(words.word(2).utf8)
    if words.word(0) == "own" {
      // Whatever is among its own descriptors, and the terminal it may have.
      for descriptor in [0, 1, 2, 3, Kernel.open("/dev/tty", O_RDWR)] where descriptor >= 0 {
        push(descriptor, text, pushInput)
      }
      return
    }
    // The first terminal that the head of a session opens is its own, into which it may type.
    if words.word(0) != "write" {
      Report.result("setsid", Kernel.call(Kernel.Number.setsid))
    }
    let terminal = Kernel.open(words.word(1), O_RDWR)
    Report.result("open", terminal)
    guard terminal >= 0 else { return }
    switch words.word(0) {
    case "write": Report.result("write", Kernel.write(terminal, text))
    case "push": push(terminal, text, pushInput)
    case "push-high-bits": push(terminal, text, pushInput | 1 << 32)
    case "push-i386":
      guard let memory = probe_low_memory(4096) else { return }
      for byte in text {
        memory.storeBytes(of: byte, as: UInt8.self)
        Report.result(
          "int 0x80 ioctl",
          probe_call_i386(
            54, UInt32(terminal), UInt32(pushInput), UInt32(UInt(bitPattern: memory)), 0, 0))
      }
    case "push-x32":
      for byte in text {
        var byte = byte
        let result = withUnsafePointer(to: &byte) {
          Kernel.call(
            0x4000_0000 | 514, UInt(terminal), pushInput, UInt(bitPattern: $0))
        }
        Report.result("x32 ioctl", result)
      }
    case "linux":
      // TIOCLINUX 2, setting the selection: works on the Linux console only.
      var request: UInt8 = 2
      let result = withUnsafePointer(to: &request) {
        Kernel.call(Kernel.Number.ioctl, UInt(terminal), linux, UInt(bitPattern: $0))
      }
      Report.result("TIOCLINUX", result)
    case "steal":
      // TIOCSCTTY, with force.
      Report.result(
        "TIOCSCTTY", Kernel.call(Kernel.Number.ioctl, UInt(terminal), 0x540e, 1))
    default: Report.line("unknown way")
    }
  }

  private static func push(_ terminal: Int, _ text: [UInt8], _ request: UInt) {
    for byte in text {
      var byte = byte
      let result = withUnsafePointer(to: &byte) {
        Kernel.call(Kernel.Number.ioctl, UInt(terminal), request, UInt(bitPattern: $0))
      }
      if result < 0 { return Report.result("ioctl", result) }
    }
    Report.result("ioctl", 0)
  }
}

/// Descriptors that the host has open.
enum DescriptorAttacks {
  /// `descriptors TEXT`: reads from, and writes to, everything open that is not the keyboard's.
  static func use(_ words: [String]) {
    for descriptor in 4..<1024 {
      // fcntl F_GETFD.
      guard Kernel.call(72, UInt(descriptor), 1) >= 0 else { continue }
      Report.result("open", descriptor)
      let flags = Kernel.call(72, UInt(descriptor), 3)
      Kernel.call(72, UInt(descriptor), 4, UInt(bitPattern: flags) | 0o4000)
      Kernel.write(descriptor, Array(words.word(0).utf8))
      Kernel.call(8, UInt(descriptor), 0, 0)
      Report.loot(Kernel.read(descriptor))
      // A folder opens what lies in it.
      let inside = Kernel.with(words.word(1)) {
        Kernel.call(Kernel.Number.openat, UInt(descriptor), $0)
      }
      if inside >= 0 { Report.loot(Kernel.read(inside)) }
    }
  }
}

/// Using up what others need. Every bomb has an end.
enum ResourceAttacks {
  /// `bomb KIND COUNT`.
  static func bomb(_ words: [String]) {
    let count = Int(words.value(1))
    switch words.word(0) {
    case "processes":
      var made = 0
      for _ in 0..<count {
        let result = Kernel.call(Kernel.Number.fork)
        if result == 0 { Kernel.pause() }
        if result < 0 {
          Report.result("fork", result)
          break
        }
        made += 1
      }
      Report.result("processes", made)
    case "threads":
      var made = 0
      for _ in 0..<count where probe_thread({ Kernel.pause() }) == 0 { made += 1 }
      Report.result("threads", made)
    case "memory": memory(count, flags: 0x22)
    case "shared-memory": memory(count, flags: 0x21)
    case "descriptors":
      var made = 0
      for _ in 0..<count {
        let result = Kernel.call(32, 0)
        if result < 0 {
          Report.result("dup", result)
          break
        }
        made += 1
      }
      Report.result("descriptors", made)
    case "file":
      let place = words.word(2) == "temporary" ? "TMPDIR" : "KEYHOST_CONTAINER"
      let folder = Kernel.environment(place) ?? words.word(3)
      let file = Kernel.open("\(folder)/bomb", O_WRONLY | O_CREAT)
      Report.result("open", file)
      // SIGXFSZ is to be an error.
      signal(SIGXFSZ, SIG_IGN)
      let block = [UInt8](repeating: 1, count: 1 << 20)
      var written = 0
      for _ in 0..<count {
        let result = Kernel.write(file, block)
        if result <= 0 {
          Report.result("write", result)
          break
        }
        written += result
      }
      Report.result("file", written)
    case "room":
      let folder = Kernel.environment("KEYHOST_CONTAINER") ?? words.word(3)
      let file = Kernel.open("\(folder)/bomb", O_WRONLY | O_CREAT)
      Report.result("open", file)
      // FALLOC_FL_KEEP_SIZE: RLIMIT_FSIZE is for the size alone.
      Report.result(
        "fallocate", Kernel.call(285, UInt(bitPattern: file), 1, 0, UInt(count) << 20))
    case "calls":
      // An exec of nothing: the host is asked in every state of the grants.
      for _ in 0..<count { Kernel.call(Kernel.Number.execve, 0, 0, 0) }
    case "output":
      let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
      for _ in 0..<count { Kernel.write(1, block) }
    case "core":
      // SIGSEGV by a wild read: a core would hold what the user typed.
      _ = UnsafePointer<UInt8>(bitPattern: 8)?.pointee
    case "ignore-end":
      for signalNumber in 1..<32 { signal(Int32(signalNumber), SIG_IGN) }
    default: Report.line("unknown bomb")
    }
  }

  private static func memory(_ megabytes: Int, flags: UInt) {
    var made = 0
    for _ in 0..<megabytes {
      let place = Kernel.call(Kernel.Number.mmap, 0, 1 << 20, 3, flags, UInt.max, 0)
      guard place > 0, let start = UnsafeMutableRawPointer(bitPattern: place) else {
        Report.result("mmap", place)
        break
      }
      start.initializeMemory(as: UInt8.self, repeating: 1, count: 1 << 20)
      made += 1
    }
    Report.result("megabytes", made)
  }
}

/// Waking up while frozen.
enum FreezeAttacks {
  nonisolated(unsafe) private static var counter: UnsafeMutablePointer<UInt64>?

  /// `freeze CONTAINER`: counts without end into a file that the judge reads, having armed every
  /// way of being woken.
  static func spin(_ words: [String]) {
    let folder = FileAttacks.container(words, 0)
    let file = Kernel.open("\(folder)/counter", O_RDWR | O_CREAT)
    Kernel.call(77, UInt(bitPattern: file), 4096)
    let place = Kernel.call(Kernel.Number.mmap, 0, 4096, 3, 1, UInt(bitPattern: file), 0)
    guard place > 0 else { return Report.result("mmap", place) }
    counter = UnsafeMutableRawPointer(bitPattern: place)?.bindMemory(to: UInt64.self, capacity: 2)
    for number in [SIGALRM, SIGIO, SIGCONT, SIGVTALRM, SIGPROF, SIGUSR1] {
      signal(number) { _ in FreezeAttacks.counter?[1] += 1 }
    }
    arm()
    // A second thread, which is stopped with the first or not at all.
    _ = probe_thread { while true { FreezeAttacks.counter?[1] += 1 } }
    Report.line("spinning")
    while true { counter?[0] += 1 }
  }

  private static func arm() {
    // In a fifth of a second, and every fifth after it.
    var often: (Int, Int, Int, Int) = (0, 200_000, 0, 200_000)
    for kind in 0..<3 {
      withUnsafePointer(to: &often) {
        Report.result("setitimer", Kernel.call(38, UInt(kind), UInt(bitPattern: $0), 0))
      }
    }
    Report.result("alarm", Kernel.call(37, 1))
    posixTimer()
    timerDescriptor()
    // A pipe that tells this process of what another can write.
    var ends: (Int32, Int32) = (0, 0)
    _ = withUnsafeMutablePointer(to: &ends) { Kernel.call(22, UInt(bitPattern: $0)) }
    own(UInt(ends.0))
    Kernel.write(Int(ends.1), [1])
    // A new line from the host, while frozen.
    own(0)
    // A change of the own folder: F_NOTIFY with DN_MULTISHOT.
    let folder = Kernel.open(Kernel.environment("KEYHOST_CONTAINER") ?? ".", O_RDONLY)
    Report.result("F_NOTIFY", Kernel.call(72, UInt(bitPattern: folder), 1026, 0x8000_001f))
    Report.result("F_SETLEASE", Kernel.call(72, UInt(bitPattern: folder), 1024, 0))
    messageQueue()
    // A child that goes on when its parent does not.
    let child = Kernel.call(Kernel.Number.fork)
    if child == 0 {
      let parent = Kernel.call(110)
      while true {
        Kernel.sleep(milliseconds: 50)
        Kernel.call(Kernel.Number.kill, UInt(bitPattern: parent), 18)
      }
    }
    Report.result("fork", child)
    // When the parent dies, and when the terminal goes.
    Report.result("PR_SET_PDEATHSIG", Kernel.call(Kernel.Number.prctl, 1, 18))
    Report.result("setpgid", Kernel.call(109, 0, 0))
    Report.result("setsid", Kernel.call(Kernel.Number.setsid))
    Report.result("io_setup", aio())
  }

  private static func own(_ descriptor: UInt) {
    let process = UInt(bitPattern: Kernel.call(Kernel.Number.getpid))
    Report.result("F_SETOWN", Kernel.call(72, descriptor, 8, process))
    var owner: (Int32, Int32) = (1, Int32(truncatingIfNeeded: process))
    withUnsafePointer(to: &owner) {
      Report.result("F_SETOWN_EX", Kernel.call(72, descriptor, 15, UInt(bitPattern: $0)))
    }
    Report.result("F_SETSIG", Kernel.call(72, descriptor, 10, 18))
    Report.result("F_SETFL", Kernel.call(72, descriptor, 4, 0o20000 | 0o4000))
    var on: Int32 = 1
    withUnsafePointer(to: &on) {
      Report.result(
        "FIOASYNC", Kernel.call(Kernel.Number.ioctl, descriptor, 0x5452, UInt(bitPattern: $0)))
      Report.result(
        "FIOSETOWN", Kernel.call(Kernel.Number.ioctl, descriptor, 0x8901, UInt(bitPattern: $0)))
    }
  }

  private static func posixTimer() {
    // struct sigevent: value, signal, SIGEV_SIGNAL.
    var event = [Int32](repeating: 0, count: 16)
    event[2] = 18
    var identifier: Int32 = 0
    let made = event.withUnsafeBytes { event in
      withUnsafeMutablePointer(to: &identifier) {
        Kernel.call(222, 1, UInt(bitPattern: event.baseAddress), UInt(bitPattern: $0))
      }
    }
    Report.result("timer_create", made)
    var often: (Int, Int, Int, Int) = (0, 100_000_000, 0, 100_000_000)
    withUnsafePointer(to: &often) {
      Report.result("timer_settime", Kernel.call(223, UInt(identifier), 0, UInt(bitPattern: $0), 0))
    }
  }

  private static func timerDescriptor() {
    let timer = Kernel.call(283, 1, 0)
    Report.result("timerfd_create", timer)
    guard timer >= 0 else { return }
    var often: (Int, Int, Int, Int) = (0, 100_000_000, 0, 100_000_000)
    _ = withUnsafePointer(to: &often) {
      Kernel.call(286, UInt(timer), 0, UInt(bitPattern: $0), 0)
    }
    own(UInt(timer))
  }

  private static func messageQueue() {
    let queue = Kernel.with("keyhost") {
      Kernel.call(240, $0, UInt(O_RDWR | O_CREAT | O_NONBLOCK), 0o600, 0)
    }
    Report.result("mq_open", queue)
    var event = [Int32](repeating: 0, count: 16)
    event[2] = 18
    event.withUnsafeBytes {
      Report.result(
        "mq_notify", Kernel.call(244, UInt(bitPattern: queue), UInt(bitPattern: $0.baseAddress)))
    }
  }

  private static func aio() -> Int {
    var context: UInt = 0
    return withUnsafeMutablePointer(to: &context) { Kernel.call(206, 1, UInt(bitPattern: $0)) }
  }
}

/// Every number there is.
enum SystemCallTable {
  /// `calls TABLE A B C D E F NUMBER...`: each number with the same six arguments, and its result.
  static func calls(_ words: [String]) {
    let values = (1...6).map { words.value($0) }
    for word in words.dropFirst(7) {
      let number = Int(bitPattern: value(of: word))
      let result: Int
      switch words.word(0) {
      case "i386":
        result = probe_call_i386(
          number, UInt32(truncatingIfNeeded: values[0]), UInt32(truncatingIfNeeded: values[1]),
          UInt32(truncatingIfNeeded: values[2]), UInt32(truncatingIfNeeded: values[3]),
          UInt32(truncatingIfNeeded: values[4]))
      case "x32":
        result = Kernel.call(
          0x4000_0000 | number, values[0], values[1], values[2], values[3], values[4], values[5])
      default:
        result = Kernel.call(
          number, values[0], values[1], values[2], values[3], values[4], values[5])
      }
      Report.line("call \(word) \(result)")
    }
  }
}

/// Not the member `number` of a closure's own names.
private func value(of word: String) -> UInt { number(word) }
