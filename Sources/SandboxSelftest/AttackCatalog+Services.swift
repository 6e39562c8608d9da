extension AttackCatalog {
  static let descriptors: [Attack] = [
    Attack(
      .descriptors, "inherited-read", "read what the starter left open",
      ["descriptors", "", "left-open"], on: .inherited, seenBy: .secretTaken,
      stoppedBy: .descriptors),
    Attack(
      .descriptors, "inherited-write", "write to what the starter left open",
      ["descriptors", "{secret}", "left-open"], on: .inheritedTarget, seenBy: .secretArrived,
      stoppedBy: .descriptors),
    Attack(
      .descriptors, "inherited-socket", "write to a connection that the starter left open",
      ["descriptors", "{secret}", "left-open"], on: .inheritedSocket, seenBy: .secretArrived,
      stoppedBy: .descriptors),
    Attack(
      .descriptors, "pair", "make a socket pair, over which descriptors travel",
      ["socket", "1", "1", "0", "pair"], on: .none, seenBy: .descriptor("socket:["),
      stoppedBy: .filter),
  ]

  static let microphone: [Attack] = [
    Attack(
      .microphone, "unix-socket", "record from the sound server by its socket",
      ["connect", "plain", "{address}", ".", "2500"], on: .microphone(.unixSocket), seenBy: .tone,
      stoppedBy: .localPaths),
    Attack(
      .microphone, "loopback", "record from the sound server by 127.0.0.1",
      ["connect", "plain", "{address}", ".", "2500"], on: .microphone(.loopback), seenBy: .tone,
      stoppedBy: .network),
    Attack(
      .microphone, "own-address", "record from the sound server by the machine's address",
      ["connect", "plain", "{address}", ".", "2500"], on: .microphone(.ownAddress), seenBy: .tone,
      stoppedBy: .network),
    Attack(
      .microphone, "ring", "record from the sound server by io_uring",
      ["connect", "ring", "{address}", ".", "2500"], on: .microphone(.unixSocket), seenBy: .tone,
      stoppedBy: .localPathsByRing),
    Attack(
      .microphone, "device", "open a sound device", ["read", "openat", "{file}"], on: .device,
      seenBy: .descriptor("/foreign/decoy"), stoppedBy: .soundDevices, needsRoot: true),
    Attack(
      .microphone, "device-read-write", "open a sound device as ALSA does",
      ["write", "device", "{file}", "{secret}"], on: .device,
      seenBy: .descriptor("/foreign/decoy"), stoppedBy: .soundDevices, needsRoot: true),
    Attack(
      .microphone, "bluetooth", "a Bluetooth socket", ["socket", "31", "5", "2"], on: .none,
      seenBy: .descriptor("socket:["), stoppedBy: .filter),
    Attack(
      .microphone, "vsock", "a socket to the machine's host", ["socket", "40", "1", "0"],
      on: .none, seenBy: .descriptor("socket:["), stoppedBy: .filter),
    Attack(
      .microphone, "shared-memory", "JACK's shared memory", ["read", "map", "{file}"],
      on: .secretFile, seenBy: .secretTaken, stoppedBy: .soundDevices),
  ]

  static let network: [Attack] =
    reach("loopback", "127.0.0.1", .tcpListener, .network)
    + reach("loopback6", "::1", .tcp6Listener, .network)
    + reach("own-address", "the machine's address", .ownAddressListener, .network)
    + reach("unix", "a Unix socket", .unixListener, .localPaths)
    + reach("abstract", "an abstract Unix socket", .abstractListener, .localNames)
    + [
      send("udp", "sendto", .udpListener, .network),
      send("udp-message", "sendmsg", .udpListener, .network),
      send("unix-datagram", "sendto", .unixDatagram, .localPaths),
      send("mptcp", "mptcp", .tcpListener, .network),
      send("fast-open", "fast-open", .tcpListener, .network),
      send("fast-open-message", "sendmsg-fast-open", .tcpListener, .network),
      send("fast-open-option", "fast-open-option", .tcpListener, .network),
      send("nonblocking", "nonblocking", .tcpListener, .network),
      Attack(
        .network, "swap", "change the address while connect is judged",
        ["swap", "tcp:127.0.0.1:1", "{address}", "{secret}"], on: .tcpListener,
        seenBy: .secretArrived, stoppedBy: .network),
      Attack(
        .network, "every-family", "a socket of any family and type",
        ["socket", "0", "0", "0", "every-family"], on: .none, seenBy: .descriptor("socket:["),
        stoppedBy: .filter, isAllowedWithOpenAccess: true),
      family("inet", "2", "1"), family("inet-datagram", "2", "2"), family("inet6", "10", "1"),
      family("unix", "1", "1"), family("unix-datagram", "1", "2"),
    ]

  private static func reach(
    _ name: String, _ title: String, _ decoy: DecoyKind, _ protection: Protection
  ) -> [Attack] {
    [
      Attack(
        .network, name, "connect to \(title)", ["connect", "plain", "{address}", "{secret}"],
        on: decoy, seenBy: .secretArrived, stoppedBy: protection)
    ]
  }

  private static func send(
    _ name: String, _ way: String, _ decoy: DecoyKind, _ protection: Protection
  ) -> Attack {
    Attack(
      .network, name, "reach a listener by \(way)", ["connect", way, "{address}", "{secret}"],
      on: decoy, seenBy: .secretArrived, stoppedBy: protection)
  }

  /// What a keyboard with consent may have of these is not an attack then.
  private static func family(_ name: String, _ family: String, _ type: String) -> Attack {
    Attack(
      .network, "socket-\(name)", "a socket of family \(family)", ["socket", family, type, "0"],
      on: .none, seenBy: .descriptor("socket:["), stoppedBy: .filter,
      isAllowedWithOpenAccess: name == "inet" || name == "inet6")
  }

  /// What open access must not open.
  static let consent: [Attack] = addresses + beside

  /// This machine's own addresses, in every notation that the kernel understands. Those that only
  /// programs understand, such as decimal ones, are one of these when they come to the kernel.
  private static let addresses: [Attack] = [
    address("loopback", "127.0.0.1", "tcp:127.0.0.1"),
    address("other-loopback", "127.8.8.8", "tcp:127.8.8.8"),
    address("any", "0.0.0.0", "tcp:0.0.0.0"),
    address("own", "the machine's address", "tcp:{own}"),
    address("loopback6", "::1", "tcp6:00000000000000000000000000000001"),
    address("any6", "::", "tcp6:00000000000000000000000000000000"),
    address("mapped", "::ffff:127.0.0.1", "tcp6:00000000000000000000ffff7f000001"),
    address("mapped-any", "::ffff:0.0.0.0", "tcp6:00000000000000000000ffff00000000"),
    address("mapped-other", "::ffff:127.8.8.8", "tcp6:00000000000000000000ffff7f080808"),
    address("scope", "::1 with a zone", "tcp6:00000000000000000000000000000001%1"),
    address("translated", "64:ff9b::127.0.0.1", "tcp6:0064ff9b00000000000000007f000001"),
    address("compatible", "::127.0.0.1", "tcp6:0000000000000000000000007f000001"),
    open("swap", "change the address while connect is judged", .tcpListener, .secretArrived) {
      ["swap", "tcp:127.0.0.1:1", "{address}", "{secret}"]
    },
    // A non-blocking connect goes another way through the broker.
    connect("nonblocking"), connect("fast-open"), connect("sendmsg-fast-open"),
    open("microphone", "record from the sound server", .microphone(.loopback), .tone) {
      ["connect", "plain", "{address}", ".", "2500"]
    },
  ]

  private static func address(_ name: String, _ title: String, _ address: String) -> Attack {
    open("address-\(name)", "connect to \(title)", .everyAddressListener, .secretArrived) {
      ["connect", "plain", "\(address):{port}", "{secret}"]
    }
  }

  private static func connect(_ way: String) -> Attack {
    open(way, "connect by \(way)", .tcpListener, .secretArrived) {
      ["connect", way, "{address}", "{secret}"]
    }
  }

  private static func open(
    _ name: String, _ summary: String, _ decoy: DecoyKind, _ evidence: Evidence,
    _ arguments: () -> [String]
  ) -> Attack {
    Attack(
      .consent, name, "\(summary), with open access", arguments(), on: decoy, seenBy: evidence,
      stoppedBy: .localServicesWithConsent, isOfOpenAccess: true)
  }

  private static let beside: [Attack] = [
    Attack(
      .consent, "bind", "wait for connections", ["listen", "tcp:127.0.0.1:0"], on: .none,
      seenBy: .listening, stoppedBy: .filter),
    Attack(
      .consent, "raw", "a raw socket beside a stream", ["socket", "2", "3", "6"], on: .none,
      seenBy: .descriptor("socket:["), stoppedBy: .kernelSurface, needsRoot: true),
    Attack(
      .consent, "datagram", "a datagram socket beside a stream", ["socket", "2", "2", "17"],
      on: .none, seenBy: .descriptor("socket:["), stoppedBy: .filter),
    Attack(
      .consent, "mptcp", "MPTCP beside TCP", ["socket", "2", "1", "262"], on: .none,
      seenBy: .descriptor("socket:["), stoppedBy: .filter),
    Attack(
      .consent, "shared-file", "a file beside the shared container",
      ["write", "append", "{file}", "{secret}"], on: .missingFile, seenBy: .secretArrived,
      stoppedBy: .files),
  ]

  static let resources: [Attack] = [
    Attack(
      .resources, "processes", "more processes than allowed",
      ["bomb", "processes", "40", "{secret}"], on: .none, seenBy: .processes(40),
      stoppedBy: .processCount),
    Attack(
      .resources, "memory", "more memory than allowed", ["bomb", "memory", "96"], on: .none,
      seenBy: .memory(90 << 20), stoppedBy: .limits),
    Attack(
      .resources, "descriptors", "more descriptors than allowed", ["bomb", "descriptors", "300"],
      on: .none, seenBy: .descriptors(300), stoppedBy: .limits),
    Attack(
      .resources, "file", "a larger file than allowed",
      ["bomb", "file", "40", "container", "{container}"], on: .none,
      seenBy: .fileSize(40 << 20), stoppedBy: .limits),
    Attack(
      .resources, "room", "more room kept for a file than its size",
      ["bomb", "room", "40", "container", "{container}"], on: .none, seenBy: .fileRoom(40 << 20),
      stoppedBy: .filteredLimits),
    Attack(
      .resources, "calls", "a flood of refused calls", ["bomb", "calls", "3000"], on: .none,
      seenBy: .survival, stoppedBy: .flood),
  ]
}
