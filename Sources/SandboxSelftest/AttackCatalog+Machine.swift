extension AttackCatalog {
  static let others: [Attack] =
    [
      "signal", "stop", "thread-signal", "single-signal", "queue", "owner-signal", "limits",
      "trace",
      "priority", "scheduler", "affinity",
    ].map { way in
      Attack(
        .others, way, "\(way) of another process", ["victim", way, "{pid}", "{place}"], on: .victim,
        seenBy: .victimChanged, stoppedBy: .otherProcesses)
    }
    + [
      ("lock-record", "fcntl's locks"), ("lock-description", "fcntl's locks of open files"),
      ("lock-file", "flock"),
    ].map { way, name in
      Attack(
        .others, way, "lock a file that others see, by \(name)", ["lock", way, "{file}"],
        on: .bundleFile, seenBy: .locked, stoppedBy: .sharedFiles)
    } + [
      Attack(
        .others, "read-memory", "read another's memory by process_vm_readv",
        ["victim", "read", "{pid}", "{place}"], on: .victim, seenBy: .secretTaken,
        stoppedBy: .otherProcesses),
      Attack(
        .others, "trace-memory", "read another's memory by ptrace",
        ["victim", "trace", "{pid}", "{place}"], on: .victim, seenBy: .secretTaken,
        stoppedBy: .otherProcesses),
      Attack(
        .others, "write-memory", "write another's memory by process_vm_writev",
        ["victim", "write", "{pid}", "{place}", "{secret}"], on: .ignorantVictim,
        seenBy: .secretArrived, stoppedBy: .otherProcesses),
      Attack(
        .others, "shared-memory", "read System V shared memory", ["shared", "memory", "{key}"],
        on: .sharedMemory, seenBy: .secretTaken, stoppedBy: .sharedObjects),
      Attack(
        .others, "shared-messages", "take a System V message", ["shared", "messages", "{key}"],
        on: .sharedMessages, seenBy: .secretTaken, stoppedBy: .sharedObjects),
      Attack(
        .others, "shared-semaphore", "change a System V semaphore",
        ["shared", "semaphore", "{key}"], on: .sharedSemaphore, seenBy: .changed,
        stoppedBy: .sharedObjects),
      Attack(
        .others, "message-queue", "take a POSIX message", ["shared", "queue", "{name}"],
        on: .messageQueue, seenBy: .secretTaken, stoppedBy: .sharedObjects),
      Attack(
        .others, "shared-memory-file", "read POSIX shared memory", ["read", "map", "{file}"],
        on: .sharedMemoryFile, seenBy: .secretTaken, stoppedBy: .files),
      Attack(
        .others, "memory-file", "read another's /proc/PID/mem",
        ["victim", "memory-file", "{pid}", "{place}"], on: .victim, seenBy: .secretTaken,
        stoppedBy: .processFiles),
      Attack(
        .others, "environment", "read another's environment", ["victim", "environment", "{pid}"],
        on: .victim, seenBy: .secretTaken, stoppedBy: .processFiles),
      Attack(
        .others, "descriptor", "take another's descriptor by pidfd_getfd",
        ["victim", "descriptor", "{pid}", "0", "-", "{descriptor}"], on: .victim,
        seenBy: .secretTaken, stoppedBy: .otherProcesses),
      Attack(
        .others, "descriptor-file", "open another's descriptor by /proc/PID/fd",
        ["victim", "descriptor-file", "{pid}", "0", "-", "{descriptor}"], on: .victim,
        seenBy: .secretTaken,
        stoppedBy: Protection(
          "other-processes", [[.landlock], [.privateRoot]],
          incidental: [
            .processNamespace, .userNamespace, .networkNamespace, .seccomp, .identity,
            .capabilities,
          ])),
      Attack(
        .others, "be-traced", "be traced by the starter", ["victim", "be-traced", "{host}"],
        on: .none, seenBy: .traced, stoppedBy: .kernelSurface),
    ]

  static let kernel: [Attack] =
    [
      object("io_uring", "anon_inode:[io_uring]"),
      object("bpf", "anon_inode:bpf-prog"), object("bpf-map", "anon_inode:bpf-map"),
      object("perf", "anon_inode:[perf_event]"),
      object("userfaultfd", "anon_inode:[userfaultfd]"),
      object("userfaultfd-user", "anon_inode:[userfaultfd]"),
      object("memfd", "/memfd:"), object("memfd_secret", "secretmem"),
      object("fsopen", "anon_inode:[fscontext]"),
      object("fanotify", "anon_inode:[fanotify]"),
      object("fanotify-user", "anon_inode:[fanotify]"),
      object("inotify", "anon_inode:inotify"), object("signalfd", "anon_inode:[signalfd]"),
      object("pidfd", "anon_inode:[pidfd]"), object("landlock", "anon_inode:[landlock-ruleset]"),
      object("message-queue", "/keyhost-"),
      Attack(
        .kernel, "keyring", "make a keyring", ["object", "key", "keyhost-{secret}"], on: .none,
        seenBy: .key, stoppedBy: .kernelSurface),
      Attack(
        .kernel, "ring-open", "read a file by io_uring", ["read", "ring", "{file}"],
        on: .secretFile, seenBy: .secretTaken, stoppedBy: .filesByRing),
      Attack(
        .kernel, "ring-write", "write a file by io_uring",
        ["write", "ring", "{file}", "{secret}"], on: .targetFile, seenBy: .secretArrived,
        stoppedBy: .filesByRing),
      Attack(
        .kernel, "ring-socket", "make a socket by io_uring", ["socket", "2", "1", "0", "ring"],
        on: .none, seenBy: .descriptor("socket:["), stoppedBy: .ring),
      Attack(
        .kernel, "ring-connect", "reach a listener by io_uring",
        ["connect", "ring", "{address}", "{secret}"], on: .tcpListener, seenBy: .secretArrived,
        stoppedBy: .networkByRing),
      Attack(
        .kernel, "personality", "change its personality", ["object", "personality"], on: .none,
        seenBy: .state(file: "personality", line: "00400000"), stoppedBy: .filter),
      Attack(
        .kernel, "limits", "raise its own limits", ["object", "limits"], on: .none,
        seenBy: .state(file: "limits", line: "Max open files 1048576 1048576 files"),
        stoppedBy: .kernelSurface, needsRoot: true),
      Attack(
        .kernel, "lower-priority", "change its own priority", ["object", "priority"], on: .none,
        seenBy: .state(file: "sched", line: "prio : 139"), stoppedBy: .filter),
    ] + families

  private static func object(_ kind: String, _ descriptor: String) -> Attack {
    Attack(
      .kernel, kind, "have the kernel's \(kind)", ["object", kind, "keyhost-{secret}"],
      on: .none, seenBy: .descriptor(descriptor), stoppedBy: .kernelSurface)
  }

  /// Each family's kernel code is a surface of its own.
  private static let families: [Attack] = [
    ("alg", "AF_ALG", "38", "5", "0"), ("packet", "AF_PACKET", "17", "3", "0"),
    ("vsock", "AF_VSOCK", "40", "1", "0"), ("bluetooth", "AF_BLUETOOTH", "31", "5", "0"),
    ("dccp", "DCCP", "2", "6", "33"), ("netlink", "AF_NETLINK", "16", "3", "0"),
    ("audit", "AF_NETLINK audit", "16", "3", "9"),
    ("netfilter", "AF_NETLINK nf_tables", "16", "3", "12"), ("sctp", "SCTP", "2", "1", "132"),
    ("mptcp", "MPTCP", "2", "1", "262"), ("can", "AF_CAN", "29", "3", "1"),
    ("tipc", "AF_TIPC", "30", "1", "0"), ("smc", "AF_SMC", "43", "1", "0"),
    ("xdp", "AF_XDP", "44", "3", "0"), ("key", "AF_KEY", "15", "3", "2"),
    ("raw", "raw IP", "2", "3", "1"), ("ping", "ICMP", "2", "2", "1"),
    ("rds", "AF_RDS", "21", "5", "0"), ("phonet", "AF_PHONET", "35", "2", "0"),
  ].map { name, title, family, type, protocolNumber in
    Attack(
      .kernel, "socket-\(name)", "a socket of \(title)",
      ["socket", family, type, protocolNumber], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .kernelSurface)
  }

  static let files: [Attack] = [
    read("open", "read a file of the user's"), read("openat", "read a file of the user's"),
    read("symbolic", "read by a link out of its container"),
    read("dots", "read by .. out of its container"),
    read("map", "map a file of the user's"),
    Attack(
      .files, "read-link", "give a file a second name in its container",
      ["read", "link", "{file}"], on: .secretFile, seenBy: .secretTaken, stoppedBy: .files),
    Attack(
      .files, "read-handle", "open a file by its handle", ["read", "handle", "{file}"],
      on: .secretFile, seenBy: .secretTaken,
      stoppedBy: Protection(
        "foreign-files", [[.seccomp]],
        incidental: Protection.namespaces.union([
          .landlock, .identity, .capabilities, .noNewPrivileges,
        ])),
      needsRoot: true),
    Attack(
      .files, "race", "exchange a file for a link while opening it", ["race", "{file}"],
      on: .secretFile, seenBy: .secretTaken, stoppedBy: .files),
    Attack(
      .files, "append", "write to a start-up file", ["write", "append", "{file}", "{secret}"],
      on: .targetFile, seenBy: .secretArrived, stoppedBy: .files),
    Attack(
      .files, "make", "make a start-up file", ["write", "append", "{file}", "{secret}"],
      on: .missingFile, seenBy: .secretArrived, stoppedBy: .files),
    Attack(
      .files, "replace", "replace a start-up file", ["write", "replace", "{file}", "{secret}"],
      on: .targetFile, seenBy: .secretArrived, stoppedBy: .files),
    Attack(
      .files, "creat", "make a file by creat", ["write", "creat", "{file}", "{secret}"],
      on: .missingFile, seenBy: .secretArrived, stoppedBy: .filesByRareCalls),
    Attack(
      .files, "temporary", "give a nameless file a name",
      ["write", "temporary", "{file}", "{secret}"], on: .missingFile, seenBy: .secretArrived,
      stoppedBy: .files),
    Attack(
      .files, "write-symbolic", "write by a link out of its container",
      ["write", "symbolic", "{file}", "{secret}"], on: .missingFile, seenBy: .secretArrived,
      stoppedBy: .files),
    Attack(
      .files, "device", "open a device by a node of its own", ["read", "openat", "{file}"],
      on: .device, seenBy: .descriptor("/foreign/decoy"), stoppedBy: .files, needsRoot: true),
    Attack(
      .files, "look", "learn that a file is there, and its size", ["steal", "{file}"],
      on: .secretFile, seenBy: .sizeTaken, stoppedBy: .metadata),
    Attack(
      .files, "own-bundle", "write to its own bundle", ["write", "own", "{file}", "{secret}"],
      on: .bundleFile, seenBy: .secretArrived, stoppedBy: .files),
    Attack(
      .files, "own-bundle-unlink", "remove a file of its own bundle",
      ["change", "unlink-own", "{file}"], on: .bundleFile, seenBy: .changed, stoppedBy: .files),
    change("unlink", "remove a file", .files), change("rename", "move a file away", .files),
    change("truncate", "empty a file by its path", .filesByRareCalls),
    change("open-truncate", "empty a file by opening it", .filesByRareCalls),
    owned("chmod"), owned("fchmodat"), owned("utimensat"), owned("utimes"), owned("setxattr"),
  ]

  private static func read(_ way: String, _ summary: String) -> Attack {
    Attack(
      .files, "read-\(way)", "\(summary), by \(way)", ["read", way, "{file}"], on: .secretFile,
      seenBy: .secretTaken, stoppedBy: .files)
  }

  private static func change(
    _ way: String, _ summary: String, _ protection: Protection
  ) -> Attack {
    Attack(
      .files, way, summary, ["change", way, "{file}"], on: .targetFile, seenBy: .changed,
      stoppedBy: protection)
  }

  private static func owned(_ way: String) -> Attack {
    Attack(
      .files, way, "\(way) of a file", ["change", way, "{file}"], on: .targetFile,
      seenBy: .changed, stoppedBy: .filteredMetadata)
  }
}
