import CSandboxProbe
import Glibc

/// Parts of the kernel that a keyboard has no business with. Each leaves an open descriptor, or
/// something else that can be seen from outside.
enum KernelObjects {
  /// `object KIND [SECRET]`.
  static func make(_ words: [String]) {
    let secret = words.word(1)
    let result: Int
    switch words.word(0) {
    case "io_uring": result = Ring()?.descriptor ?? -1
    case "bpf": result = program()
    case "bpf-map":
      // BPF_MAP_CREATE of an array: type, key size, value size, entries.
      var attributes = [UInt32](repeating: 0, count: 32)
      attributes[0...3] = [2, 4, 8, 1]
      result = attributes.withUnsafeBytes {
        Kernel.call(321, 0, UInt(bitPattern: $0.baseAddress), 72)
      }
    case "perf": result = performance()
    case "userfaultfd": result = Kernel.call(323, 0o2000000)
    case "userfaultfd-user": result = Kernel.call(323, 0o2000001)
    case "memfd": result = Kernel.with(secret) { Kernel.call(319, $0, 0) }
    case "memfd_secret": result = Kernel.call(447, 0)
    case "fsopen": result = Kernel.with("tmpfs") { Kernel.call(430, $0, 0) }
    case "fanotify": result = Kernel.call(300, 0, 0)
    case "fanotify-user": result = Kernel.call(300, 0x200, 0)
    case "inotify": result = Kernel.call(294, 0)
    case "signalfd":
      var mask: UInt64 = 1
      result = withUnsafePointer(to: &mask) {
        Kernel.call(289, UInt.max, UInt(bitPattern: $0), 8, 0)
      }
    case "pidfd": result = Kernel.call(434, UInt(bitPattern: Kernel.call(Kernel.Number.getpid)), 0)
    case "landlock":
      var attributes: UInt64 = 1
      result = withUnsafePointer(to: &attributes) {
        Kernel.call(444, UInt(bitPattern: $0), 8, 0)
      }
    case "watch-queue":
      var ends: (Int32, Int32) = (0, 0)
      result = withUnsafeMutablePointer(to: &ends) {
        Kernel.call(293, UInt(bitPattern: $0), 0o200)
      }
    case "message-queue":
      result = Kernel.with(secret) { Kernel.call(240, $0, UInt(O_RDWR | O_CREAT), 0o600, 0) }
      // The name goes at once; the queue stays for as long as it is open.
      _ = Kernel.with(secret) { Kernel.call(241, $0) }
    case "shared-memory":
      // A key that the judge can look for in /proc/sysvipc.
      result = Kernel.call(29, number(secret), 4096, 0o1600)
    case "semaphore": result = Kernel.call(64, number(secret), 1, 0o1600)
    case "system-message-queue": result = Kernel.call(68, number(secret), 0o1600)
    case "key":
      // A session keyring of its own, KEYCTL_JOIN_SESSION_KEYRING, which ends with the process.
      // /proc/keys shows it to others of the same user.
      result = Kernel.with(secret) { Kernel.call(250, 1, $0) }
    case "personality":
      // READ_IMPLIES_EXEC.
      result = Kernel.call(135, 0x040_0000)
    case "dumpable": result = Kernel.call(Kernel.Number.prctl, 4, 0)
    case "no-death-signal": result = Kernel.call(Kernel.Number.prctl, 1, 0)
    case "limits":
      var limit: (UInt, UInt) = (1 << 20, 1 << 20)
      // RLIMIT_NOFILE; the judge reads /proc/PID/limits.
      result = withUnsafePointer(to: &limit) {
        Kernel.call(302, 0, 7, UInt(bitPattern: $0), 0)
      }
    case "hostname":
      result = Kernel.with(secret) { Kernel.call(170, $0, UInt(secret.utf8.count)) }
    case "priority": result = Kernel.call(141, 0, 0, 19)
    default: return Report.line("unknown object")
    }
    Report.result(words.word(0), result)
  }

  /// The smallest socket filter: `r0 = 0; exit`.
  private static func program() -> Int {
    let code: [UInt64] = [0x0000_0000_0000_00b7, 0x0000_0000_0000_0095]
    return Array("GPL".utf8CString).withUnsafeBytes { license in
      code.withUnsafeBytes { code in
        var attributes = [UInt64](repeating: 0, count: 16)
        attributes[0] = 1 | 2 << 32
        attributes[1] = UInt64(UInt(bitPattern: code.baseAddress))
        attributes[2] = UInt64(UInt(bitPattern: license.baseAddress))
        return attributes.withUnsafeBytes {
          Kernel.call(321, 5, UInt(bitPattern: $0.baseAddress), 72)
        }
      }
    }
  }

  /// Counting its own clock ticks, which needs the least of rights.
  private static func performance() -> Int {
    var attributes = [UInt64](repeating: 0, count: 16)
    attributes[0] = 1 | 128 << 32
    // Nothing of the kernel's or a hypervisor's.
    attributes[5] = 1 << 5 | 1 << 6
    return attributes.withUnsafeBytes {
      Kernel.call(298, UInt(bitPattern: $0.baseAddress), 0, UInt.max, UInt.max, 0)
    }
  }
}
