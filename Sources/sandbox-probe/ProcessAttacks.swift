import CSandboxProbe
import Glibc

/// New processes, new namespaces, and other people's processes.
enum ProcessAttacks {
  /// `process WAY`: a second process, which stays.
  static func process(_ words: [String]) {
    let made: Int
    switch words.word(0) {
    case "fork": made = Kernel.call(Kernel.Number.fork)
    case "clone": made = probe_clone(17)
    case "clone-high-bits": made = probe_clone(17 | 1 << 40)
    case "clone-thread-bits":
      // Flags that threads are made with, but for the one that makes them threads and for those
      // that share the stack: CLONE_FS, CLONE_FILES, CLONE_SYSVSEM.
      made = probe_clone(0x40600 | 17)
    case "clone-parent": made = probe_clone(0x8000 | 17)
    case "clone3": made = probe_clone3(0, 17)
    case "vfork":
      made = probe_vfork(probe_argument(0), idle(words))
    case "daemon":
      made = Kernel.call(Kernel.Number.fork)
      if made == 0 {
        Kernel.call(Kernel.Number.setsid)
        if Kernel.call(Kernel.Number.fork) == 0 { Kernel.pause() }
        Kernel.exit(0)
      }
    case "i386": made = probe_call_i386(2, 0, 0, 0, 0, 0)
    case "x32": made = Kernel.call(0x4000_0000 | Kernel.Number.fork)
    case "from-thread":
      Report.result(
        "thread",
        Int(
          probe_thread {
            let made = Kernel.call(Kernel.Number.fork)
            if made == 0 { Kernel.pause() }
            Report.result("fork", made)
          }))
      return Kernel.sleep(milliseconds: 50)
    default: return Report.line("unknown way")
    }
    if made == 0 { Kernel.pause() }
    Report.result(words.word(0), made)
  }

  private static func idle(_ words: [String]) -> UnsafePointer<UnsafeMutablePointer<CChar>?> {
    // The program's own name, "idle", and the secret by which the judge knows it.
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 4)
    list[0] = strdup(String(cString: probe_argument(0)))
    list[1] = strdup("idle")
    list[2] = strdup(words.last ?? "")
    list[3] = nil
    return UnsafePointer(list)
  }

  /// `execute WAY PATH SECRET`: becomes another program, which idles.
  static func execute(_ words: [String]) {
    // The probe itself is the one program that is everywhere.
    let path = words.word(1) == "self" ? String(cString: probe_argument(0)) : words.word(1)
    let list = idle(words)
    var none: UInt = 0
    let result = withUnsafePointer(to: &none) { none in
      let (arguments, environment) = (UInt(bitPattern: list), UInt(bitPattern: none))
      return Kernel.with(path) { path in
        switch words.word(0) {
        case "execve": Kernel.call(Kernel.Number.execve, path, arguments, environment)
        case "execveat":
          Kernel.call(322, Kernel.atWorkingDirectory, path, arguments, environment, 0)
        case "descriptor":
          Kernel.with("") {
            Kernel.call(
              322,
              UInt(
                bitPattern: Kernel.call(
                  Kernel.Number.openat, Kernel.atWorkingDirectory, path, 0o10000000)),
              $0, arguments, environment, 0x1000)
          }
        case "memory": memory(path, arguments, environment)
        case "shell": shell(words, path, environment)
        case "x32": Kernel.call(0x4000_0000 | 520, path, arguments, environment)
        case "thread": thread(path, arguments, environment)
        default: -1
        }
      }
    }
    Report.result(words.word(0), result)
  }

  /// A shell that reads its commands from the host's pipe.
  private static func shell(_ words: [String], _ path: UInt, _ environment: UInt) -> Int {
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 4)
    list[0] = strdup(words.word(1))
    list[1] = strdup("-s")
    list[2] = strdup(words.word(2))
    list[3] = nil
    return Kernel.call(Kernel.Number.execve, path, UInt(bitPattern: list), environment)
  }

  /// `idle-elsewhere`: a victim in namespaces of its own, which somebody could join.
  static func idleElsewhere(_ words: [String]) {
    // With the user namespace first, anybody may.
    Kernel.call(272, 0x1000_0000)
    Kernel.call(272, 0x4000_0000 | 0x0400_0000 | 0x0800_0000)
    Kernel.pause()
  }

  /// From a file that lies nowhere.
  private static func memory(_ path: UInt, _ arguments: UInt, _ environment: UInt) -> Int {
    let file = Kernel.with("program") { Kernel.call(319, $0, 0) }
    Report.result("memfd_create", file)
    let source = Kernel.call(Kernel.Number.openat, Kernel.atWorkingDirectory, path)
    guard file >= 0, source >= 0 else { return file }
    while true {
      let bytes = Kernel.read(source, 65_536)
      if bytes.isEmpty { break }
      Kernel.write(file, bytes)
    }
    return Kernel.with("") {
      Kernel.call(322, UInt(file), $0, arguments, environment, 0x1000)
    }
  }

  nonisolated(unsafe) private static var execution: (UInt, UInt, UInt) = (0, 0, 0)

  private static func thread(_ path: UInt, _ arguments: UInt, _ environment: UInt) -> Int {
    execution = (path, arguments, environment)
    let started = probe_thread {
      let (path, arguments, environment) = ProcessAttacks.execution
      Report.result(
        "execve", Kernel.call(Kernel.Number.execve, path, arguments, environment))
    }
    Kernel.sleep(milliseconds: 100)
    return Int(started)
  }

  /// `namespace WAY FLAG [PATH]`: other namespaces than those it was given.
  static func namespace(_ words: [String]) {
    let flag = words.value(1)
    let result: Int
    switch words.word(0) {
    case "unshare": result = Kernel.call(272, flag)
    case "unshare-user": result = Kernel.call(272, flag | 0x1000_0000)
    case "clone": result = probe_clone(flag | 17)
    case "clone-user": result = probe_clone(flag | 0x1000_0000 | 17)
    case "clone3": result = probe_clone3(flag | 0x1000_0000, 17)
    case "setns":
      // The user namespace gives the right to join the others.
      var last = -1
      for name in ["user", "net", "uts", "ipc"] {
        let file = Kernel.open("/proc/\(words.word(2))/ns/\(name)", O_RDONLY)
        Report.result("open", file)
        if file >= 0 { last = Kernel.call(308, UInt(file), 0) }
      }
      result = last
    case "setns-process":
      let process = Kernel.call(434, words.value(2), 0)
      Report.result("pidfd_open", process)
      result = Kernel.call(308, UInt(bitPattern: process), flag)
    default: return Report.line("unknown way")
    }
    if result == 0, words.word(0).hasPrefix("clone") { Kernel.pause() }
    Report.result(words.word(0), result)
  }

  /// `victim WAY PID ADDRESS SECRET DESCRIPTOR`: another process's memory, descriptors and life.
  static func victim(_ words: [String]) {
    let process = words.value(1)
    let address = words.value(2)
    let secret = words.word(3)
    switch words.word(0) {
    case "signal": Report.result("kill", Kernel.call(Kernel.Number.kill, process, 10))
    case "stop": Report.result("kill", Kernel.call(Kernel.Number.kill, process, 19))
    case "thread-signal": Report.result("tgkill", Kernel.call(234, process, process, 10))
    case "single-signal": Report.result("tkill", Kernel.call(200, process, 10))
    case "everybody": Report.result("kill", Kernel.call(Kernel.Number.kill, UInt.max, 0))
    case "queue":
      // A siginfo whose sender is the kernel's user code, SI_QUEUE.
      var information = [Int32](repeating: 0, count: 32)
      information[0] = 10
      information[2] = -1
      Report.result(
        "rt_sigqueueinfo",
        information.withUnsafeBytes {
          Kernel.call(129, process, 10, UInt(bitPattern: $0.baseAddress))
        })
    case "handle-signal":
      let handle = Kernel.call(434, process, 0)
      Report.result("pidfd_open", handle)
      Report.result("pidfd_send_signal", Kernel.call(424, UInt(bitPattern: handle), 10, 0, 0))
    case "owner-signal":
      // The kernel sends the signal when the pipe can be read.
      var ends: (Int32, Int32) = (0, 0)
      _ = withUnsafeMutablePointer(to: &ends) { Kernel.call(22, UInt(bitPattern: $0)) }
      Report.result("F_SETOWN", Kernel.call(72, UInt(ends.0), 8, process))
      Report.result("F_SETSIG", Kernel.call(72, UInt(ends.0), 10, 10))
      Report.result("F_SETFL", Kernel.call(72, UInt(ends.0), 4, 0o20000))
      Kernel.write(Int(ends.1), [1])
    case "limits":
      var limit: (UInt, UInt) = (7, 7)
      Report.result(
        "prlimit64",
        withUnsafePointer(to: &limit) { Kernel.call(302, process, 7, UInt(bitPattern: $0), 0) })
    case "read": transfer(310, process, address, [UInt8](repeating: 0, count: 64), isReading: true)
    case "write": transfer(311, process, address, Array(secret.utf8), isReading: false)
    case "memory-file":
      let file = Kernel.open("/proc/\(process)/mem", O_RDONLY)
      Report.result("open", file)
      guard file >= 0 else { return }
      Kernel.call(8, UInt(file), address, 0)
      Report.loot(Kernel.read(file, 64))
    case "environment":
      let file = Kernel.open("/proc/\(process)/environ", O_RDONLY)
      Report.result("open", file)
      if file >= 0 { Report.loot(Kernel.read(file)) }
    case "trace": trace(process, address)
    case "trace-i386":
      Report.result("int 0x80 ptrace", probe_call_i386(26, 16, UInt32(process), 0, 0, 0))
    case "descriptor":
      let handle = Kernel.call(434, process, 0)
      Report.result("pidfd_open", handle)
      let stolen = Kernel.call(438, UInt(bitPattern: handle), words.value(4), 0)
      Report.result("pidfd_getfd", stolen)
      if stolen >= 0 { Report.loot(Kernel.read(stolen, 64)) }
    case "descriptor-file":
      let file = Kernel.open("/proc/\(process)/fd/\(words.word(4))", O_RDONLY | O_NONBLOCK)
      Report.result("open", file)
      if file >= 0 { Report.loot(Kernel.read(file, 64)) }
    case "root":
      let file = Kernel.open("/proc/\(process)/root\(words.word(5))", O_RDONLY)
      Report.result("open", file)
      if file >= 0 { Report.loot(Kernel.read(file)) }
    case "priority": Report.result("setpriority", Kernel.call(141, 0, process, 19))
    case "scheduler":
      var parameter: Int32 = 0
      // SCHED_IDLE.
      Report.result(
        "sched_setscheduler",
        withUnsafePointer(to: &parameter) {
          Kernel.call(144, process, 5, UInt(bitPattern: $0))
        })
    case "affinity":
      var mask: UInt = 1
      Report.result(
        "sched_setaffinity",
        withUnsafePointer(to: &mask) { Kernel.call(203, process, 8, UInt(bitPattern: $0)) })
    case "be-traced": Report.result("ptrace", Kernel.call(101, 0))
    default: Report.line("unknown way")
    }
  }

  private static func transfer(
    _ number: Int, _ process: UInt, _ address: UInt, _ bytes: [UInt8], isReading: Bool
  ) {
    var buffer = bytes
    let result = buffer.withUnsafeMutableBytes { bytes in
      var own = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      var foreign = iovec(
        iov_base: UnsafeMutableRawPointer(bitPattern: address), iov_len: bytes.count)
      return withUnsafePointer(to: &own) { own in
        withUnsafePointer(to: &foreign) {
          Kernel.call(number, process, UInt(bitPattern: own), 1, UInt(bitPattern: $0), 1, 0)
        }
      }
    }
    Report.result(isReading ? "process_vm_readv" : "process_vm_writev", result)
    if isReading, result > 0 { Report.loot(buffer) }
  }

  private static func trace(_ process: UInt, _ address: UInt) {
    // PTRACE_SEIZE, then PTRACE_INTERRUPT, then PEEKDATA of 64 bytes.
    Report.result("ptrace", Kernel.call(101, 0x4206, process))
    Report.result("interrupt", Kernel.call(101, 0x4207, process))
    Kernel.sleep(milliseconds: 50)
    var loot: [UInt8] = []
    for index in 0..<8 {
      var word: UInt = 0
      let result = withUnsafeMutablePointer(to: &word) {
        Kernel.call(101, 2, process, address &+ UInt(8 * index), UInt(bitPattern: $0))
      }
      guard result == 0 else { return Report.result("peek", result) }
      withUnsafeBytes(of: word) { loot += $0 }
    }
    Report.loot(loot)
  }
}
