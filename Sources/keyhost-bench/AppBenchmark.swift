import Glibc
import LinuxSystem

/// A key through a connected app, with the system keyboard and with a sandboxed one, against a raw
/// local socket; what a hundred idle apps cost.
struct AppBenchmark {
  /// The `keyhost` that serves.
  var host: String
  /// The bench itself, for the echo.
  var program: String
  /// Where the socket is made.
  var folder: String
  var isQuick: Bool

  private static let idleApps = 100

  func run() throws -> [Row] {
    var rows: [Row] = []
    for placement in Placement.allCases {
      rows += try placement {
        [try key(.system, placement), try key(.keyboard, placement)]
      }
    }
    return rows + (try idle())
  }

  private enum Typist: String { case system, keyboard }

  /// Types a letter and takes it back, in turn.
  private func key(_ typist: Typist, _ placement: Placement) throws -> Row {
    let served = try ServedApps(host, folder: folder)
    defer { served.end() }
    var app = try served.connect("org.example.bench")
    try Self.prepare(&app, typist)
    var isDelete = false
    let sizes = try Self.press(&app, isDelete: false)
    _ = try Self.press(&app, isDelete: true)
    let echo = try PlainProcess(program, ["--echo", "\(sizes.received)"], overSocket: true)
    defer { echo.end() }
    let line = [UInt8](repeating: 0x61, count: sizes.sent - 1) + [0x0A]
    let contest =
      isQuick ? Contest(warmUp: 50, rounds: 300) : Contest(warmUp: 500, rounds: 5_000)
    var samples: [[Double]] = [[], []]
    for round in 0..<(contest.warmUp + contest.rounds) {
      let mine = try Clock.measure { _ = try Self.press(&app, isDelete: isDelete) }
      isDelete.toggle()
      usleep(100)
      let other = try Clock.measure { _ = try echo.exchange(line) }
      usleep(100)
      guard round >= contest.warmUp else { continue }
      samples[0].append(mine)
      samples[1].append(other)
    }
    let summaries = samples.map { Summary($0) }
    return Row(
      name: "app-key-\(typist.rawValue)/\(placement.rawValue)",
      ratio: summaries[0].median / summaries[1].median, goal: 2, unit: "us",
      measured: summaries[0], comparison: ("raw local socket echo", summaries[1]))
  }

  /// Opens a field that the keyboard may serve, or one that only the system keyboard may.
  private static func prepare(_ app: inout ServedApps.App, _ typist: Typist) throws {
    let traits = typist == .system ? #"{"isSecureTextEntry":true}"# : "{}"
    let text = String(repeating: "typed before, ", count: 20)
    try app.call("openDocument", #""document":"d","traits":\#(traits),"text":"\#(text)""#)
    try app.call("becomeFirstResponder", #""document":"d""#)
    // The first key waits for the keyboard's start.
    _ = try press(&app, isDelete: false)
    _ = try press(&app, isDelete: true)
  }

  private static func press(
    _ app: inout ServedApps.App, isDelete: Bool
  ) throws -> (sent: Int, received: Int) {
    let input =
      isDelete ? #""event":{"hardwareKey":{"name":"BackSpace"}}"# : #""character":"a""#
    let result = try app.call("event", #""document":"d",\#(input)"#)
    guard String(decoding: result.answer, as: UTF8.self).contains("\"handled\":true") else {
      throw BenchError("a key did nothing: \(String(decoding: result.answer, as: UTF8.self))")
    }
    return (result.sent, result.received)
  }

  /// Memory of an idle app in the host, and the time of a key with a hundred of them.
  private func idle() throws -> [Row] {
    let served = try ServedApps(host, folder: folder)
    defer { served.end() }
    var app = try served.connect("org.example.bench")
    try Self.prepare(&app, .system)
    let rounds = isQuick ? 300 : 3_000
    func measure() throws -> Summary {
      var samples: [Double] = []
      for round in 0..<(rounds + 100) {
        let sample = try Clock.measure {
          _ = try Self.press(&app, isDelete: !round.isMultiple(of: 2))
        }
        if round >= 100 { samples.append(sample) }
        usleep(100)
      }
      return Summary(samples)
    }
    let alone = try measure()
    let before = try ProcessMemory.resident(served.process)
    let crowd = try IdleApps(served, count: Self.idleApps)
    let after = try ProcessMemory.resident(served.process)
    let crowded = try measure()
    withExtendedLifetime(crowd) {}
    let each = (after - before) / Double(Self.idleApps) / 1_000
    return [
      Row(
        name: "app-key-system/\(Self.idleApps)-idle", ratio: crowded.median / alone.median,
        goal: 1.1, unit: "us", measured: crowded, comparison: ("no other app", alone)),
      Row(
        name: "memory/idle-app", ratio: each / 50, goal: 1, unit: "KB", measured: Summary([each]),
        comparison: nil),
    ]
  }
}

/// Apps that are connected, each with a field, and do nothing.
private final class IdleApps {
  private var next: IdleApps?
  private let app: ServedApps.App

  init(_ served: ServedApps, count: Int) throws {
    var app = try served.connect("org.example.idle")
    try app.call("openDocument", #""document":"d","traits":{},"text":"some text""#)
    self.app = app
    if count > 1 { next = try IdleApps(served, count: count - 1) }
  }
}
