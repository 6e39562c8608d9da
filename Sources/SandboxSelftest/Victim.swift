import LinuxSystem

/// Another process of the same user, which has a secret.
final class Victim {
  let process: Int32
  /// Where in its memory the secret lies.
  let place: UInt64
  private let before: State

  /// The number of its descriptor for a file that nobody else can open.
  static let descriptor: Int32 = 7

  init(
    _ stage: Stage, secret: String, folder: String, isElsewhere: Bool
  ) throws(SelftestError) {
    let hidden = "\(folder)/hidden"
    try Machine.write("\(secret)\n", to: hidden, mode: 0o600)
    do {
      let file = try FileDescriptor.open(hidden, .read).lifted(to: 40)
      let null = try FileDescriptor.open("/dev/null", .readWrite).lifted(to: 40)
      let pipe = try Pipe(minimum: 40)
      var words = [stage.probe, isElsewhere ? "idle-elsewhere" : "idle"]
      var program = stage.probe
      if let identity = stage.identity {
        // In the keyboard's own name, so that it is not the user ids that keep them apart.
        program = "/usr/bin/setpriv"
        words =
          [program, "--reuid=\(identity)", "--regid=\(identity)", "--clear-groups"] + words
      }
      process = try Starting.one {
        try ProcessControl.spawn(
          program, arguments: words, environment: ["VICTIM_SECRET=\(secret)"],
          descriptors: [
            (pipe.readEnd.rawValue, 0), (null.rawValue, 1), (null.rawValue, 2), (null.rawValue, 3),
            (file.rawValue, Self.descriptor),
          ])
      }
    } catch {
      throw SelftestError("cannot start a victim: \(error)")
    }
    // Ready once it is the program itself that waits.
    for _ in 0..<200 {
      let command = Machine.contents("/proc/\(process)/cmdline") ?? []
      if command.starts(with: Array(stage.probe.utf8)), State.read(process)?.letter == "S" {
        break
      }
      Machine.sleep(milliseconds: 5)
    }
    guard let state = State.read(process), state.environmentStart > 0 else {
      Machine.kill(process)
      throw SelftestError("cannot examine the victim")
    }
    before = state
    place = state.environmentStart + UInt64("VICTIM_SECRET=".utf8.count)
  }

  deinit {
    Machine.kill(process)
    if let handle = try? ProcessHandle(process) {
      var entries = [PollEntry(handle.rawValue, .input)]
      _ = try? poll(&entries, milliseconds: 200)
      if (try? handle.status(.exited)) == nil { handle.reapInBackground() }
    }
  }

  var environment: [UInt8] { Machine.contents("/proc/\(process)/environ") ?? [] }

  /// Whether it has ended, stopped, is traced, or has other limits and another place in the
  /// kernel's queues than before.
  var hasChanged: Bool { State.read(process)?.withoutScheduling != before.withoutScheduling }

  struct State: Equatable {
    var letter: Character
    var nice: String
    var policy: String
    var environmentStart: UInt64
    var tracer: String
    var processors: String
    var limits: [UInt8]

    /// Running, sleeping and waiting for memory are one: the kernel's own business, which comes and
    /// goes on a busy machine.
    var withoutScheduling: State {
      var state = self
      if "RSDI".contains(letter) { state.letter = "S" }
      return state
    }

    static func read(_ process: Int32) -> State? {
      guard let text = Machine.text("/proc/\(process)/stat"), let end = text.lastIndex(of: ")"),
        let status = Machine.text("/proc/\(process)/status")
      else { return nil }
      // From the third field on.
      let fields = text[text.index(end, offsetBy: 2)...].split(separator: " ")
      guard fields.count > 47, let letter = fields[0].first else { return nil }
      func line(_ name: String) -> String {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }.map(String.init) ?? ""
      }
      return State(
        letter: letter, nice: String(fields[16]), policy: String(fields[38]),
        environmentStart: UInt64(fields[47]) ?? 0, tracer: line("TracerPid"),
        processors: line("Cpus_allowed"),
        limits: Machine.contents("/proc/\(process)/limits") ?? [])
    }
  }
}
