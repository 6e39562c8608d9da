/// Every attack there is, class by class.
public enum AttackCatalog {
  public static let all: [Attack] =
    architecture + widths + siblings + terminal + processes + namespaces + others + kernel + files
    + descriptors + microphone + network + consent + resources

  public static func attacks(of attackClass: AttackClass) -> [Attack] {
    all.filter { $0.attackClass == attackClass }
  }

  static let architecture: [Attack] = [
    Attack(
      .architecture, "i386-open", "read a file by int 0x80 (CVE-2009-0835)",
      ["read", "i386", "{file}"], on: .secretFile, seenBy: .secretTaken,
      stoppedBy: .foreignCalls),
    Attack(
      .architecture, "i386-socket", "make a socket by int 0x80",
      ["socket", "2", "1", "0", "i386"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
    Attack(
      .architecture, "i386-socketcall", "make a socket by the socketcall multiplexer",
      ["socket", "1", "1", "0", "socketcall"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
    Attack(
      .architecture, "i386-fork", "fork by int 0x80", ["process", "i386", "{secret}"], on: .none,
      seenBy: .process, stoppedBy: .newProcesses),
    Attack(
      .architecture, "i386-terminal", "type into a terminal by int 0x80",
      ["terminal", "push-i386", "{terminal}", "{secret}"], on: .terminal, seenBy: .secretArrived,
      stoppedBy: .terminal),
    Attack(
      .architecture, "i386-trace", "trace a process by int 0x80",
      ["victim", "trace-i386", "{pid}"], on: .victim, seenBy: .victimChanged,
      stoppedBy: .otherProcesses),
    Attack(
      .architecture, "i386-ipc", "read shared memory by the ipc multiplexer",
      ["shared", "memory-i386", "{key}"], on: .sharedMemory, seenBy: .secretTaken,
      stoppedBy: .sharedObjects),
    Attack(
      .architecture, "x32-open", "read a file by an x32 number",
      ["read", "x32", "{file}"], on: .secretFile, seenBy: .secretTaken,
      stoppedBy: .foreignCalls),
    Attack(
      .architecture, "x32-socket", "make a socket by an x32 number",
      ["socket", "2", "1", "0", "x32"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
    Attack(
      .architecture, "x32-fork", "fork by an x32 number", ["process", "x32", "{secret}"],
      on: .none, seenBy: .process, stoppedBy: .newProcesses),
    Attack(
      .architecture, "x32-execute", "become another program by an x32 number",
      ["execute", "x32", "{self}", "{secret}"], on: .none, seenBy: .program,
      stoppedBy: .newProcesses),
    Attack(
      .architecture, "x32-terminal", "type into a terminal by an x32 number",
      ["terminal", "push-x32", "{terminal}", "{secret}"], on: .terminal, seenBy: .secretArrived,
      stoppedBy: .terminal),
  ]

  static let widths: [Attack] = [
    Attack(
      .widths, "terminal-bit-32", "type into a terminal with bit 32 set (CVE-2019-10063)",
      ["terminal", "push-high-bits", "{terminal}", "{secret}"], on: .terminal,
      seenBy: .secretArrived, stoppedBy: .terminal),
    Attack(
      .widths, "family-bit-32", "a socket of family AF_UNIX + 2^32",
      ["socket", "0x100000001", "1", "0"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
    Attack(
      .widths, "connect-bit-32", "reach a listener with family AF_INET + 2^32",
      ["connect", "high-bits", "{address}", "{secret}"], on: .tcpListener,
      seenBy: .secretArrived, stoppedBy: .network),
    Attack(
      .widths, "algorithm-bit-32", "a socket of family AF_ALG + 2^32",
      ["socket", "0x100000026", "5", "0"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
    Attack(
      .widths, "clone-bit-40", "clone with flags that the kernel does not look at",
      ["process", "clone-high-bits", "{secret}"], on: .none, seenBy: .process,
      stoppedBy: .newProcesses),
    Attack(
      .widths, "console-selection", "paste by TIOCLINUX (CVE-2023-28100)",
      ["terminal", "linux", "{terminal}", "{secret}"], on: .terminal, seenBy: .secretArrived,
      stoppedBy: .terminal),
  ]

  static let siblings: [Attack] = [
    Attack(
      .siblings, "openat2", "openat2 beside openat", ["read", "openat2", "{file}"],
      on: .secretFile, seenBy: .secretTaken, stoppedBy: .filesByRareCalls),
    Attack(
      .siblings, "preadv2", "preadv2 beside pread", ["read", "preadv2", "{file}"],
      on: .secretFile, seenBy: .secretTaken, stoppedBy: .filesByRareCalls),
    Attack(
      .siblings, "access-mode-3", "open with access mode 3, which no rule is asked about",
      ["read", "access-mode-3", "{file}"], on: .secretFile, seenBy: .secretTaken,
      stoppedBy: .filesByRareCalls),
    Attack(
      .siblings, "open-tree", "copy the mounts (CVE-2021-41133)", ["read", "tree", "{file}"],
      on: .secretFile, seenBy: .secretTaken,
      stoppedBy: Protection(
        "foreign-files", [[.seccomp], [.landlock]],
        incidental: Protection.namespaces.union([.capabilities, .identity, .noNewPrivileges])),
      needsRoot: true),
    Attack(
      .siblings, "clone3", "clone3 beside clone", ["process", "clone3", "{secret}"], on: .none,
      seenBy: .process, stoppedBy: .newProcesses),
    Attack(
      .siblings, "vfork", "vfork beside fork", ["process", "vfork", "{secret}"], on: .none,
      seenBy: .process, stoppedBy: .newProcesses),
    Attack(
      .siblings, "clone-thread-bits", "clone with flags of a thread but not the one",
      ["process", "clone-thread-bits", "{secret}"], on: .none, seenBy: .process,
      stoppedBy: .newProcesses),
    Attack(
      .siblings, "execveat", "execveat beside execve",
      ["execute", "execveat", "{self}", "{secret}"],
      on: .none, seenBy: .program, stoppedBy: .newProcesses),
    Attack(
      .siblings, "fchmodat2", "fchmodat2 beside chmod", ["change", "fchmodat2", "{file}"],
      on: .targetFile, seenBy: .changed, stoppedBy: .filteredMetadata),
    Attack(
      .siblings, "handle-signal", "pidfd_send_signal beside kill",
      ["victim", "handle-signal", "{pid}"], on: .victim, seenBy: .victimChanged,
      stoppedBy: .otherProcesses),
    Attack(
      .siblings, "sendmmsg", "sendmmsg beside sendto",
      ["connect", "sendmmsg", "{address}", "{secret}"], on: .udpListener, seenBy: .secretArrived,
      stoppedBy: .network),
  ]

  static let terminal: [Attack] = [
    Attack(
      .terminal, "push", "type into a terminal by TIOCSTI (CVE-2017-5226)",
      ["terminal", "push", "{terminal}", "{secret}"], on: .terminal, seenBy: .secretArrived,
      stoppedBy: .terminal),
    Attack(
      .terminal, "write", "write to a terminal",
      ["terminal", "write", "{terminal}", "{secret}"], on: .terminal, seenBy: .secretArrived,
      stoppedBy: .terminalFile),
    Attack(
      .terminal, "read", "read what is typed into a terminal", ["read", "openat", "{terminal}"],
      on: .typedTerminal, seenBy: .secretTaken, stoppedBy: .terminalFile),
  ]

  static let processes: [Attack] = [
    process("fork"), process("clone"), process("clone-parent"), process("daemon"),
    process("from-thread"),
    Attack(
      .processes, "execve", "become another program",
      ["execute", "execve", "{self}", "{secret}"], on: .none, seenBy: .program,
      stoppedBy: .newProcesses),
    Attack(
      .processes, "execve-thread", "become another program from a second thread",
      ["execute", "thread", "{self}", "{secret}"], on: .none, seenBy: .program,
      stoppedBy: .newProcesses),
    Attack(
      .processes, "execve-descriptor", "become another program by descriptor",
      ["execute", "descriptor", "{self}", "{secret}"], on: .none, seenBy: .program,
      stoppedBy: .newProcesses),
    Attack(
      .processes, "shell", "become a shell",
      ["execute", "shell", "/bin/sh", "{secret}"], on: .none, seenBy: .executable("{shell}"),
      stoppedBy: .foreignPrograms),
    Attack(
      .processes, "set-user-id", "become a program that takes its owner's rights",
      ["execute", "execve", "{file}", "{secret}"], on: .setUserProgram,
      seenBy: .executable("{file}"), stoppedBy: .foreignPrograms),
    Attack(
      .processes, "execve-memory", "become a program that lies in no file",
      ["execute", "memory", "{self}", "{secret}"], on: .none, seenBy: .program,
      stoppedBy: .newProcesses),
  ]

  private static func process(_ way: String) -> Attack {
    Attack(
      .processes, way, "a second process by \(way)", ["process", way, "{secret}"], on: .none,
      seenBy: .process, stoppedBy: .newProcesses)
  }

  static let namespaces: [Attack] = {
    let flags = [
      ("mount", "0x20000"), ("user", "0x10000000"), ("process", "0x20000000"),
      ("network", "0x40000000"), ("interprocess", "0x8000000"), ("name", "0x4000000"),
      ("control-group", "0x2000000"), ("time", "0x80"),
    ]
    return flags.flatMap { name, flag in
      ["unshare-user", "clone-user", "clone3"].filter { way in
        // CLONE_NEWTIME is a signal number to clone(2).
        !(name == "time" && way == "clone-user")
      }.map { way in
        Attack(
          .namespaces, "\(way)-\(name)", "a new \(name) namespace by \(way)",
          ["namespace", way, flag, "{secret}"], on: .none, seenBy: .namespace,
          stoppedBy: .kernelSurface)
      }
    } + [
      join("file", "setns"), join("handle", "setns-process"),
    ]
  }()

  private static func join(_ name: String, _ way: String) -> Attack {
    // By a handle of the process in one call: user, network, name and interprocess namespaces.
    Attack(
      .namespaces, "join-\(name)", "join another's namespaces by a \(name)",
      ["namespace", way, "0x5c000000", "{pid}", "{secret}"], on: .victimElsewhere,
      seenBy: .namespace, stoppedBy: .kernelSurface)
  }
}

extension Protection {
  /// The filter alone, with nothing else in the way of it.
  static let filter = Protection("kernel-surface", [[.seccomp]])
}
