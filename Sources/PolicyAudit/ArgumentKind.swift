/// How the kernel reads an argument of a call: what a filter has to compare, and what it cannot.
public enum ArgumentKind: Sendable, Hashable {
  /// An int or another 32-bit type: the upper half of the register is ignored.
  case word
  /// A long, a size or an address that is a number: all 64 bits count.
  case long
  /// An address of memory, which says nothing about what lies there when the kernel reads it.
  case pointer

  /// The kind of one argument on 64-bit architectures, from the kernel's own declarations
  /// (`SYSCALL_DEFINE`); nil for calls and arguments that policies have no conditions on.
  public static func of(_ call: String, argument index: Int) -> ArgumentKind? {
    guard let kinds = table[call], index < kinds.utf8.count else { return nil }
    switch Array(kinds.utf8)[index] {
    case UInt8(ascii: "i"): return .word
    case UInt8(ascii: "l"): return .long
    case UInt8(ascii: "p"): return .pointer
    default: return nil
    }
  }

  /// The calls whose arguments are known here.
  static var knownCalls: [String] { table.keys.sorted() }

  /// One letter an argument: i for 32 bits, l for 64, p for a pointer.
  private static let table: [String: String] = [
    "accept": "ipp", "accept4": "ippi", "access": "pi", "arch_prctl": "il", "bind": "ipi",
    "bpf": "ipi", "chmod": "pi", "clock_adjtime": "ip", "clock_settime": "ip",
    "clone": "ilppl", "clone3": "pl", "close_range": "iii", "connect": "ipi", "creat": "pi",
    "dup3": "iii", "epoll_ctl": "iiip", "execve": "ppp", "execveat": "ipppi",
    "faccessat2": "ipii", "fchmod": "ii", "fchmodat": "ipi", "fcntl": "iil", "flock": "ii",
    "fsconfig": "iippi", "fsmount": "iii", "fsopen": "pi", "fspick": "ipi", "futex": "piippi",
    "getsockopt": "iiipp", "io_uring_enter": "iiiipl", "io_uring_register": "iipi",
    "io_uring_setup": "ip", "ioctl": "iil", "kcmp": "iiill", "keyctl": "illll", "kill": "ii",
    "listen": "ii", "madvise": "lli", "membarrier": "iii", "memfd_create": "pi", "mknod": "pii",
    "mmap": "llllll", "mount": "ppplp", "mprotect": "lll", "mremap": "lllll", "open": "pii",
    "open_tree": "ipi", "openat": "ipii", "openat2": "ippl", "perf_event_open": "piiil",
    "personality": "i", "pidfd_getfd": "iii", "pidfd_open": "ii", "pidfd_send_signal": "iipi",
    "pipe2": "pi", "prctl": "illll", "prlimit64": "iipp", "process_vm_readv": "iplpll",
    "ptrace": "llll", "quotactl": "ipip", "reboot": "iiip", "renameat2": "ipipi",
    "rt_sigqueueinfo": "iip", "seccomp": "iip", "sendmmsg": "ipii", "sendmsg": "ipi",
    "sendto": "iplipi", "setgid": "i",
    "setns": "ii", "setpriority": "iii", "setregid": "ii", "setresgid": "iii",
    "setresuid": "iii", "setreuid": "ii", "setsockopt": "iiipi", "setuid": "i", "shmctl": "iip",
    "shutdown": "ii", "signalfd4": "ipli", "socket": "iii", "socketpair": "iiip",
    "splice": "ipipli",
    "syslog": "ipi", "tgkill": "iii", "timer_create": "ipp", "tkill": "ii", "umount2": "pi",
    "unlinkat": "ipi", "unshare": "l", "userfaultfd": "i", "vmsplice": "ipli", "waitid": "iipip",
  ]
}
