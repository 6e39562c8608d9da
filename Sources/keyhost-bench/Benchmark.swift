import Glibc
import LinuxSystem

/// All measurements of a run.
struct Benchmark {
  var program: String
  var keyboard: String
  /// The executable inside the keyboard's bundle, for the plain spawn of the same program.
  var executable: String
  var isQuick: Bool

  func run() throws -> Report {
    var report = Report()
    for placement in Placement.allCases {
      let rows = try placement {
        [try keyRoundTrip(placement)] + (try launch(placement, &report))
      }
      report.rows += rows
    }
    report.rows += try filteredCalls()
    report.rows += try memory()
    return report
  }

  private func keyRoundTrip(_ placement: Placement) throws -> Row {
    let sandboxed = try SandboxedKeyboard(keyboard)
    defer { sandboxed.end() }
    let echo = try PlainProcess(program, ["--echo", "68"])
    defer { echo.end() }
    let line = [UInt8](repeating: 0x61, count: sandboxed.eventBytes - 1) + [0x0A]
    var isDelete = false
    let contest =
      isQuick ? Contest(warmUp: 50, rounds: 300) : Contest(warmUp: 500, rounds: 5_000)
    let summaries = try contest.run([
      {
        defer { isDelete.toggle() }
        let duration = try sandboxed.tap(isDelete ? "delete" : "a")
        // What the keyboard still reads after its answer must not fall on the echo's sample.
        usleep(100)
        try sandboxed.settle()
        return duration
      },
      {
        defer { usleep(100) }
        return try Clock.measure { _ = try echo.exchange(line) }
      },
    ])
    return Row(
      name: "key-round-trip/\(placement.rawValue)",
      ratio: summaries[0].median / summaries[1].median,
      goal: 1.5, unit: "us", measured: summaries[0],
      comparison: ("raw pipe echo", summaries[1]))
  }

  private func launch(
    _ placement: Placement, _ report: inout Report
  ) throws -> [Row] {
    let sandboxed = try SandboxedKeyboard(keyboard)
    defer { sandboxed.end() }
    let line = sandboxed.initializeLine
    let executable = executable
    func start(_ path: String, _ arguments: [String]) throws -> Double {
      var process: PlainProcess?
      let duration = try Clock.measure {
        let started = try PlainProcess(path, arguments)
        process = started
        _ = try started.exchange(line)
      }
      process?.end()
      return duration
    }
    var contenders: [() throws -> Double] = [
      { try sandboxed.launch() },
      { try start(executable, []) },
    ]
    let wrapper = "/usr/bin/bwrap"
    if unsafe access(wrapper, X_OK) == 0 {
      contenders.append {
        try start(
          wrapper, ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--", executable])
      }
    } else {
      report.notes.append("\(wrapper) is not installed: launch-to-bwrap was not measured")
    }
    let incognito = contenders.count
    contenders.append { try sandboxed.launchIncognito() }
    let contest = isQuick ? Contest(warmUp: 2, rounds: 10) : Contest(warmUp: 10, rounds: 150)
    let summaries = try contest.run(contenders)
    var rows = [
      Row(
        name: "launch-to-spawn/\(placement.rawValue)",
        ratio: summaries[0].median / summaries[1].median, goal: 3, unit: "us",
        measured: summaries[0], comparison: ("plain spawn", summaries[1]))
    ]
    rows.append(
      Row(
        name: "incognito-to-launch/\(placement.rawValue)",
        ratio: summaries[incognito].median / summaries[0].median, goal: nil, unit: "us",
        measured: summaries[incognito], comparison: ("ordinary launch", summaries[0])))
    if incognito > 2 {
      rows.append(
        Row(
          name: "launch-to-bwrap/\(placement.rawValue)",
          ratio: summaries[0].median / summaries[2].median, goal: 0.5, unit: "us",
          measured: summaries[0], comparison: ("bwrap --unshare-all", summaries[2])))
    }
    return rows
  }

  /// Resident memory after a few keys, in MB; the ratio is to 4 MB.
  private func memory() throws -> [Row] {
    let goal = 4.0
    var keyboards: [Double] = []
    var hosts: [Double] = []
    for _ in 0..<5 {
      let before = try ProcessMemory.children()
      let sandboxed = try SandboxedKeyboard(keyboard)
      for _ in 0..<100 {
        _ = try sandboxed.tap("a")
        _ = try sandboxed.tap("delete")
      }
      guard let process = try ProcessMemory.children().first(where: { !before.contains($0) }) else {
        throw BenchError("the keyboard's process was not found")
      }
      keyboards.append(try ProcessMemory.resident(process) / 1e6)
      hosts.append(try ProcessMemory.resident(ProcessControl.identifier) / 1e6)
      sandboxed.end()
    }
    let keyboardMemory = Summary(keyboards)
    let hostMemory = Summary(hosts)
    return [
      Row(
        name: "memory/keyboard", ratio: keyboardMemory.median / goal, goal: 1, unit: "MB",
        measured: keyboardMemory, comparison: nil),
      Row(
        name: "memory/host", ratio: hostMemory.median / goal, goal: nil, unit: "MB",
        measured: hostMemory, comparison: nil),
    ]
  }
}
