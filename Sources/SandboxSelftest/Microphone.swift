import LinuxSystem

/// A sound server of the selftest's own whose microphone hears a tone: a null sink that a tone is
/// played into, its monitor recorded by who reaches it. It has nothing to do with the user's
/// server, devices or settings.
final class Microphone {
  /// Of the tone, in Hz: the secret.
  let frequency: Int
  private let folder: String
  private let port: Int
  private let process: ProcessHandle
  private static let program = "/usr/bin/pulseaudio"
  /// The first word of its command line.
  static let processName = "pulseaudio"

  init(folder: String) throws(SelftestError) {
    guard Machine.exists(Self.program) else {
      throw SelftestError("pulseaudio is not installed")
    }
    self.folder = "\(folder)/sound"
    frequency = Int.random(in: 300..<900)
    // Free a moment ago; another server there would not play the tone.
    let port = try Listener(.tcp("127.0.0.1")).port
    self.port = port
    // The server closes its runtime folder to others, and the socket is to be reached.
    let own = "\(self.folder)/own"
    try Machine.makeFolder(self.folder, mode: 0o755)
    try Machine.makeFolder(own, mode: 0o700)
    let format = "rate=8000 format=s16le channels=1"
    let record = "record=true playback=false source=decoy.monitor \(format)"
    // Reached by these addresses alone: it is no server for the network.
    let addresses = ["127.0.0.1"] + [Listener.ownAddress()].compactMap(\.self)
    let modules =
      [
        "module-null-sink sink_name=decoy \(format)",
        "module-sine sink=decoy rate=8000 frequency=\(frequency)",
        "module-simple-protocol-unix \(record) socket=\(self.folder)/microphone",
      ] + addresses.map { "module-simple-protocol-tcp \(record) listen=\($0) port=\(port)" }
    do {
      let null = try FileDescriptor.open("/dev/null", .readWrite).lifted(to: 40)
      let log = try FileDescriptor.open(
        "\(self.folder)/log", [.write, .create], permissions: 0o600
      ).lifted(to: 40)
      let started = try Starting.one {
        try ProcessControl.spawn(
          Self.program,
          arguments: [
            Self.processName, "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
            "--high-priority=no", "--realtime=no", "--disallow-module-loading=no", "--disable-shm",
          ] + modules.flatMap { ["-L", $0] },
          // Nothing of the user's: no session bus, no home, no runtime folder.
          environment: [
            "HOME=\(own)", "XDG_RUNTIME_DIR=\(own)", "PATH=/usr/bin", "PULSE_RUNTIME_PATH=\(own)",
            "PULSE_STATE_PATH=\(own)",
            "DBUS_SESSION_BUS_ADDRESS=disabled:",
          ],
          descriptors: [(null.rawValue, 0), (log.rawValue, 1), (log.rawValue, 2)])
      }
      process = try ProcessHandle(started)
    } catch {
      throw SelftestError("pulseaudio cannot be started: \(error)")
    }
    for _ in 0..<200 {
      if Machine.exists("\(self.folder)/microphone") { break }
      if (try? process.status([.exited, .peek])) != nil { break }
      Machine.sleep(milliseconds: 20)
    }
    guard Machine.exists("\(self.folder)/microphone") else {
      let log = Machine.text("\(self.folder)/log") ?? ""
      throw SelftestError("pulseaudio did not start: \(log.split(separator: "\n").last ?? "")")
    }
    // Reachable by anybody, so that it is the sandbox that is seen.
    try Self.open("\(self.folder)/microphone")
  }

  private static func open(_ path: String) throws(SelftestError) {
    try Machine.setMode(path, 0o666)
  }

  deinit {
    try? process.send(Signals.kill)
    var entries = [PollEntry(process.rawValue, .input)]
    _ = try? poll(&entries, milliseconds: 500)
    _ = try? process.status(.exited)
  }

  func address(_ route: MicrophoneRoute) throws(SelftestError) -> String {
    switch route {
    case .unixSocket: return "unix:\(folder)/microphone"
    case .loopback: return "tcp:127.0.0.1:\(port)"
    case .ownAddress:
      guard let host = Listener.ownAddress() else {
        throw SelftestError("this machine has no address but its loopback")
      }
      return "tcp:\(host):\(port)"
    }
  }

  /// Whether bytes hold a tone of a frequency: samples of 16 bits, 8,000 a second, whose sign
  /// changes twice a period.
  static func hears(_ frequency: Int, in bytes: [UInt8]) -> Bool {
    // What the attacker said before may have an odd length.
    hears(frequency, in: bytes, from: 0) || hears(frequency, in: bytes, from: 1)
  }

  private static func hears(_ frequency: Int, in bytes: [UInt8], from first: Int) -> Bool {
    var samples: [Int16] = []
    for index in stride(from: first, to: bytes.count - 1, by: 2) {
      samples.append(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
    }
    // From where it sounds: a recording may begin with silence, or with the attacker's own words.
    let window = 1_200
    var start = 0
    while start + window <= samples.count {
      let part = samples[start..<start + window]
      let isLoud = part.filter { abs(Int($0)) > 500 }.count > window / 2
      if isLoud {
        var crossings = 0
        for (first, second) in zip(part, part.dropFirst()) where (first < 0) != (second < 0) {
          crossings += 1
        }
        let heard = crossings * 8_000 / (2 * window)
        if abs(heard - frequency) <= max(6, frequency / 40) { return true }
      }
      start += window / 4
    }
    return false
  }
}
