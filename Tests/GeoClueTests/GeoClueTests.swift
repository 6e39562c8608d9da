import Glibc
import TestSupport
import Testing

@testable import GeoClue

/// The real library on a bus of the test's own, with a GeoClue that is right or lies.
@Suite(
  "GeoClue",
  .enabled(
    if: (try? Program("/usr/bin/python3").run("-c", "import dbus, gi"))?.exitCode == 0
      && Files.exists("/usr/bin/dbus-daemon") && GeoClue.isThere,
    "needs dbus-daemon, python3-dbus, python3-gi and libsystemd: make test-dependencies"))
struct GeoClueTests {
  /// A bus with a service that behaves so.
  private final class Bus {
    let client: GeoClue
    private let folder: String
    private let program: RunningProgram

    init(_ behaviour: String) throws {
      folder = try Files.temporaryDirectory(mode: 0o711)
      program = try Program("/usr/bin/python3").start([
        "\(SourceTree.root)/Tests/GeoClueTests/Rig/geoclue.py", folder, behaviour,
      ])
      guard let address = program.readLine() else {
        throw TemporaryHome.CommandFailure(description: "\(program.finish())")
      }
      client = GeoClue(address: address)
    }

    deinit {
      program.closeInput()
      _ = program.finish()
      Files.remove(folder)
    }
  }

  @Test("a location is told as the service has it, also while others make noise on the bus")
  func right() throws {
    for behaviour in ["right", "floods"] {
      let bus = try Bus(behaviour)
      let fix = try bus.client.locate(milliseconds: 20_000)
      #expect(fix == GeoClue.Fix(latitude: 52.5, longitude: 13.25, accuracy: 40), "\(behaviour)")
    }
  }

  @Test(
    "what is no location is told, and never taken for one",
    arguments: [
      ("nan", "no place on Earth"), ("infinite", "no place on Earth"),
      ("beyond", "no place on Earth"), ("negative-accuracy", "no place on Earth"),
      ("wrong-type", "no number"), ("integer", "no number"), ("list", "no number"),
      ("no-client", "no client"), ("refuses", "'keyhost' disallowed"),
      ("dies", "GeoClue does not answer"),
    ])
  func wrong(_ behaviour: String, _ words: String) throws {
    let bus = try Bus(behaviour)
    let problem = #expect(throws: GeoClue.Problem.self) {
      try bus.client.locate(milliseconds: 20_000)
    }
    #expect(problem?.description.contains(words) == true, "\(behaviour): \(problem as Any)")
  }

  @Test(
    "one that never answers, finds nothing, or has others answer, is not waited for longer",
    arguments: ["silent", "finds-nothing", "signals-rubbish", "forged"])
  func late(_ behaviour: String) throws {
    let bus = try Bus(behaviour)
    let begin = RunningProgram.now()
    #expect(throws: GeoClue.Problem.self) { try bus.client.locate(milliseconds: 700) }
    #expect(RunningProgram.now() - begin >= 0.6 && RunningProgram.now() - begin < 20)
  }

  @Test("a bus that is not there, or says nothing, is told in time")
  func noBus() throws {
    let missing = #expect(throws: GeoClue.Problem.self) {
      try GeoClue(address: "unix:path=/nowhere/bus").locate(milliseconds: 500)
    }
    #expect(missing?.description.contains("D-Bus cannot be reached") == true)
    #expect(throws: GeoClue.Problem.self) {
      try GeoClue(address: "\u{1b}[2J").locate(milliseconds: 500)
    }
    let folder = try Files.temporaryDirectory(mode: 0o711)
    defer { Files.remove(folder) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { place in
      place.copyBytes(from: Array("\(folder)/bus".utf8))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    try #require(bound == 0 && listen(listener, 1) == 0)
    let begin = RunningProgram.now()
    #expect(throws: GeoClue.Problem.self) {
      try GeoClue(address: "unix:path=\(folder)/bus").locate(milliseconds: 500)
    }
    #expect(RunningProgram.now() - begin < 20)
  }
}
