import Glibc
import StrictJSON
import TestSupport
import Testing

@testable import KeyboardHost

/// A clock that a test sets.
private final class Clock {
  var now = AuditTime("2026-01-31T12:00:00.000Z")!
  func pass(_ milliseconds: Int64) { now = now.advanced(byMilliseconds: milliseconds) }
}

@Suite("The audit log")
struct StoreAuditLogTests {
  let home: TemporaryHome
  let path: String
  private let clock = Clock()

  init() throws {
    home = try TemporaryHome()
    path = home.work + "/log/audit.log"
  }

  private func open(rotationSize: Int = AuditLog.rotationSize) throws -> AuditLog {
    let clock = clock
    return try AuditLog(path: path, rotationSize: rotationSize, clock: { clock.now })
  }
  private var lines: [String] {
    get throws { try Files.text(path).split(separator: "\n").map(String.init) }
  }
  private let violation = AuditEvent(
    .violation, keyboard: "a.b", [AuditField("call", .foreign("socket"))])

  @Test("a line has its time, its event, whom it is about, and its fields in their order")
  func form() throws {
    let log = try open()
    clock.now = AuditTime(milliseconds: 1_769_860_799_123)
    try log.write(
      AuditEvent(
        .launch, keyboard: "a.b", app: "a",
        [
          AuditField("landlock", .term("enforced")), AuditField("abi", .integer(7)),
          AuditField("weaker", .boolean(false)),
          AuditField("layers", .object([AuditField("seccomp", .term("enforced"))])),
          AuditField("list", .list([.integer(1), .foreign("x")])),
          AuditField("count", .integer(3)),
        ]))
    #expect(
      try Files.text(path) == """
        {"time":"2026-01-31T11:59:59.123Z","event":"launch","keyboard":"a.b","app":"a",\
        "landlock":"enforced","abi":7,"weaker":false,"layers":{"seccomp":"enforced"},\
        "list":[1,"x"],"field.count":3}

        """)
    #expect(Files.mode(path) == 0o600)
    #expect(Files.mode(home.work + "/log") == 0o700)
  }

  @Test("what comes from outside is escaped and bounded, ids as well")
  func foreign() throws {
    let log = try open()
    let evil = "\u{1b}]0;x\u{7}\n\u{202e}" + String(repeating: "é", count: 500)
    try log.write(
      AuditEvent(.exit, keyboard: evil, app: evil, [AuditField("reason", .foreign(evil))]))
    let line = try #require(try lines.first)
    #expect(try lines.count == 1)
    #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
    #expect(!line.unicodeScalars.contains("\u{202e}"))
    let root = try JSONDocument(parsing: line).root
    for key in ["keyboard", "app", "reason"] {
      #expect(try #require(root[key]?.string).utf8.count <= AuditValue.foreignLimit)
    }
  }

  @Test("repeats are counted into one line, and the sum of all lines is the number of events")
  func coalescing() throws {
    let log = try open()
    for _ in 0..<1_000 {
      try log.write(violation)
      clock.pass(1)
    }
    #expect(try lines.count == 1)
    #expect(log.nextExpiry == AuditTime("2026-01-31T12:00:05.000Z"))
    clock.pass(4_000)
    try log.writeExpired()
    #expect(try lines.count == 2)
    #expect(
      try lines[1] == """
        {"time":"2026-01-31T12:00:00.999Z","event":"violation","keyboard":"a.b","call":"socket",\
        "count":999,"first":"2026-01-31T12:00:00.001Z","last":"2026-01-31T12:00:00.999Z"}
        """)
    #expect(log.nextExpiry == nil)
    try log.write(violation)
    try log.write(violation)
    try log.flush()
    #expect(try total() == 1_002)
  }

  @Test("one repeat is a plain line with its own time, and stands before what came of it")
  func oneRepeat() throws {
    let log = try open()
    try log.write(violation)
    clock.pass(10)
    try log.write(violation)
    try log.write(AuditEvent(.violation, keyboard: "other", []))
    clock.pass(1)
    try log.write(AuditEvent(.violation, keyboard: "other", []))
    clock.pass(3_000)
    try log.write(AuditEvent(.exit, keyboard: "a.b"))
    #expect(
      try lines.map { $0.split(separator: ",").prefix(3).joined(separator: ",") } == [
        #"{"time":"2026-01-31T12:00:00.000Z","event":"violation","keyboard":"a.b""#,
        #"{"time":"2026-01-31T12:00:00.010Z","event":"violation","keyboard":"other"}"#,
        #"{"time":"2026-01-31T12:00:00.010Z","event":"violation","keyboard":"a.b""#,
        #"{"time":"2026-01-31T12:00:03.011Z","event":"exit","keyboard":"a.b"}"#,
      ])
    #expect(try !lines.contains { $0.contains("count") })
    try log.flush()
    #expect(
      try lines.last
        == #"{"time":"2026-01-31T12:00:00.011Z","event":"violation","keyboard":"other"}"#)
  }

  private func total() throws -> Int {
    var reader = AuditLogReader(path: path)
    var total = 0
    try reader.read { if case .record(let record) = $0 { total += record.count } }
    return total
  }

  @Test("a log that is let go writes what it has counted")
  func letGo() throws {
    try {
      let log = try open()
      for _ in 0..<5 { try log.write(violation) }
    }()
    #expect(try total() == 5)
  }

  @Test("many different events at once are all kept, in bounded memory")
  func manyKinds() throws {
    let log = try open()
    for round in 0..<3 {
      for number in 0..<200 {
        try log.write(
          AuditEvent(.fallback, keyboard: "k\(number)", [AuditField("r", .integer(round % 2))]))
        try log.write(
          AuditEvent(.fallback, keyboard: "k\(number)", [AuditField("r", .integer(round % 2))]))
      }
    }
    try log.flush()
    #expect(try total() == 1_200)
  }

  @Test("a clock that is set back keeps no line for ever")
  func clockSetBack() throws {
    let log = try open()
    try log.write(violation)
    try log.write(violation)
    clock.pass(-3_600_000)
    try log.writeExpired()
    #expect(try lines.count == 2)
  }

  @Test("a consent is never coalesced")
  func consent() throws {
    let log = try open()
    for _ in 0..<3 { try log.write(AuditEvent(.grant, keyboard: "a")) }
    #expect(try lines.count == 3)
  }

  @Test("files are rotated by size, and five old ones are kept")
  func rotation() throws {
    let log = try open(rotationSize: 1_000)
    for number in 0..<200 { try log.write(AuditEvent(.exit, [AuditField("n", .integer(number))])) }
    #expect(
      try Files.list(home.work + "/log")
        == ["audit.log"] + (1...5).map { "audit.log.\($0)" } + ["audit.log.lock"])
    for name in try Files.list(home.work + "/log") {
      #expect(try Files.read(home.work + "/log/" + name).count <= 1_100)
      #expect(Files.mode(home.work + "/log/" + name) == 0o600)
    }
    var numbers: [Int64] = []
    var reader = AuditLogReader(path: path)
    try reader.read { item in
      if case .record(let record) = item { numbers.append(record.fields[0].value.int64!) }
    }
    #expect(numbers == Array(numbers[0]...199))
    #expect(numbers.count > 60)
  }

  @Test("several processes append at once, and every line is whole")
  func processes() throws {
    let running = try (0..<12).map { _ in
      try home.keyhost.start(["keyboards", "move", "system", "1"])
    }
    for program in running { #expect(program.finish().exitCode == 0) }
    var changes = AuditLogReader(path: home.path + "/state/keyhost/audit.log")
    var events: [String] = []
    try changes.read { if case .record(let record) = $0 { events.append(record.event) } }
    try changes.finish { _ in events.append("torn") }
    #expect(events == [String](repeating: "keyboards", count: 12))
  }

  @Test("several logs in turn rotate under each other, and every line is there once")
  func writers() throws {
    let logs = try (0..<4).map { _ in try open(rotationSize: 4_000) }
    for number in 0..<400 {
      try logs[number % 4].write(AuditEvent(.exit, [AuditField("n", .integer(number))]))
    }
    var reader = AuditLogReader(path: path)
    var numbers: [Int64] = []
    try reader.read { item in
      guard case .record(let record) = item else { return #expect(Bool(false)) }
      numbers.append(record.fields[0].value.int64!)
    }
    #expect(numbers == Array(numbers[0]...399))
  }

  @Test("a torn last line is ended, with a note, before the next one")
  func torn() throws {
    try open().write(AuditEvent(.exit))
    try Files.write(try Files.text(path) + "{\"time\":\"2026", to: path, mode: 0o600)
    let log = try open()
    try log.write(AuditEvent(.restart))
    let found = try lines
    #expect(found.count == 4)
    #expect(found[1] == "{\"time\":\"2026")
    #expect(found[2].contains("\"event\":\"repair\",\"torn\":true"))
    #expect(found[3].contains("\"event\":\"restart\""))
  }

  @Test("a line that cannot be written is an error, and leaves no part of itself")
  func fullDisk() throws {
    // A file that may not grow stands for a full disk: what fits is written, then the write fails.
    let program = Program("/bin/sh", environment: home.environment)
    let keyhost = Products.keyhost
    let bundle = try FixtureApp(keyboards: [FixtureKeyboard(script: "#!/bin/sh\n")])
      .write(to: home.work)
    #expect(try home.keyhost("apps", "install", bundle).exitCode == 0)
    let log = home.path + "/state/keyhost/audit.log"
    let before = try Files.text(log)
    try Files.write(
      before + String(repeating: "x", count: 1_023 - before.utf8.count % 1_024) + "\n", to: log,
      mode: 0o600)
    let padded = try Files.read(log)
    let result = try program.run(
      "-c",
      "trap '' XFSZ; ulimit -f \(padded.count / 1_024); exec \(keyhost) keyboards add "
        + "org.example.fixture.keyboard")
    #expect(result.exitCode == 1)
    #expect(result.standardError.contains("nothing was changed, since it could not be recorded"))
    #expect(result.standardError.contains("File too large"))
    #expect(try Files.read(log) == padded)
    #expect(try home.keyhost("keyboards", "list").standardOutput.contains("-  org.example.fixture"))
  }

  @Test("a log that is a link, or that another process has locked for long, is an error")
  func refused() throws {
    try Files.makeDirectory(home.work + "/log")
    symlink("/etc/passwd", path)
    #expect(throws: AuditLogError.self) { try open() }
    Files.remove(path)
    let log = try open()
    let lock = Glibc.open(path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    flock(lock, LOCK_EX)
    #expect(throws: AuditLogError.self) { try log.write(violation) }
    flock(lock, LOCK_UN)
    #expect(throws: Never.self) { try log.write(violation) }
  }

  @Test("reading passes over damaged lines, and names them")
  func damagedLines() throws {
    try open().write(AuditEvent(.exit))
    let good = try Files.text(path)
    try Files.write(
      good + "garbage\n\n{\"time\":1}\n\u{1b}[2J\n" + String(repeating: "[", count: 2 << 20) + "\n"
        + good + "tail", to: path, mode: 0o600)
    var reader = AuditLogReader(path: path)
    var found: [String] = []
    func note(_ item: AuditLogReader.Item) {
      switch item {
      case .record(let record): found.append(record.event)
      case .damaged(_, let number): found.append("\(number)")
      }
    }
    try reader.read(note)
    #expect(found == ["exit", "2", "3", "4", "5", "6", "exit"])
    try reader.finish(note)
    #expect(found.last == "8")
  }

  @Test("a reader follows what is added, across several rotations between two looks")
  func follow() throws {
    let log = try open(rotationSize: 300)
    var reader = AuditLogReader(path: path)
    var numbers: [Int64] = []
    func note(_ item: AuditLogReader.Item) {
      if case .record(let record) = item { numbers.append(record.fields[0].value.int64!) }
    }
    try reader.read(note)
    for number in 0..<90 {
      try log.write(AuditEvent(.exit, [AuditField("n", .integer(number))]))
      if number % 9 == 8 { try reader.read(note) }
    }
    #expect(numbers == Array(0..<90))
  }

  @Test(
    "times are written and read in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_769_903_999_999, "2026-01-31T23:59:59.999Z"),
      (4_102_444_800_001, "2100-01-01T00:00:00.001Z"),
    ])
  func times(_ milliseconds: Int64, _ text: String) {
    #expect(AuditTime(milliseconds: milliseconds).text == text)
    #expect(AuditTime(text)?.milliseconds == milliseconds)
  }

  @Test("a time may be cut short, and what is none is refused")
  func shortTimes() {
    #expect(AuditTime("2026-01-31")?.text == "2026-01-31T00:00:00.000Z")
    #expect(AuditTime("2026-01-31T12:30")?.text == "2026-01-31T12:30:00.000Z")
    #expect(AuditTime("2026-01-31T12:30:01.5Z")?.text == "2026-01-31T12:30:01.500Z")
    for text in [
      "", "2026", "2026-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-31T24:00",
      "2026-01-31 12:00", "2026-01-31T12:00:00+01:00", "2026-01-31T12", "99999999999999999999",
      "0000-01-01",
    ] {
      #expect(AuditTime(text) == nil)
    }
  }
}
