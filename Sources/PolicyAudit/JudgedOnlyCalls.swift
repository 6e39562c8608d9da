import SandboxPolicy
import Seccomp

/// The calls that are never made to try a filter, but only judged by the kernel: namespaces, an empty
/// root and another id do not keep what they do inside the process that makes them.
enum JudgedOnlyCalls {
  /// The last number of the kernel's common table that was looked at for this list: `file_setattr`,
  /// Linux 6.17. What a later one does is not known.
  private static let lastKnown: UInt32 = 469

  /// Of each group: why it is here.
  private static let names: Set<String> = [
    // Keys are found by their serial, and belong to the user wherever the process is. A missing one
    // is asked for by a program that the kernel starts as root.
    "add_key", "request_key", "keyctl",
    // They write out what every process of the machine has written.
    "sync", "syncfs", "bdflush", "quotactl", "quotactl_fd",
    // There is one real-time clock.
    "settimeofday", "stime", "clock_settime", "clock_settime64", "adjtimex", "clock_adjtime",
    "clock_adjtime64",
    // The machine, its kernel, its disks, its devices, its log and its terminals: only privilege
    // protects them.
    "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module", "create_module",
    "delete_module", "swapon", "swapoff", "acct", "iopl", "ioperm", "pciconfig_read",
    "pciconfig_write", "pciconfig_iobase", "s390_pci_mmio_read", "s390_pci_mmio_write", "rtas",
    "syslog", "vhangup", "_sysctl", "nfsservctl",
    // By PRIO_USER and IOPRIO_WHO_USER they mean all processes of a user.
    "setpriority", "ioprio_set",
    // Programs and counters inside the kernel, by a setting open to everybody.
    "bpf", "perf_event_open",
  ]

  /// Why a call is only judged; nil when it may be made.
  ///
  /// - Parameter architecture: the one by whose table the number is meant.
  static func reason(
    _ number: UInt32, on architecture: SeccompArchitecture
  ) -> String? {
    // By the number, which is what would be made, and not by what it was called.
    let base = architecture == .x32 ? number & ~SeccompArchitecture.x32Bit : number
    // x32 has a few calls of its own behind the common ones, which do what those do.
    let isKnown =
      base <= lastKnown || architecture == .x32 && (512...547).contains(base)
    guard isKnown, let name = LibseccompTable().name(of: number, on: architecture) else {
      return "what this call does is not known here"
    }
    return names.contains(name) ? "what it does would reach beyond the process that makes it" : nil
  }
}
