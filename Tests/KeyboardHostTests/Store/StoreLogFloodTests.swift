import Glibc
import TestSupport
import Testing

@testable import KeyboardHost

/// A keyboard that is refused, ends or connects as fast as it may cannot roll the log over.
@Suite("No keyboard washes the audit log out")
struct StoreLogFloodTests {
  /// A clock that a test sets.
  private final class Clock {
    var now = AuditTime("2026-01-31T00:00:00.000Z")!
    func pass(_ milliseconds: Int64) { now = now.advanced(byMilliseconds: milliseconds) }
  }

  private let home: TemporaryHome
  private let path: String
  private let clock = Clock()

  init() throws {
    home = try TemporaryHome()
    path = home.work + "/log/audit.log"
  }

  private func open(
    rotationSize: Int = AuditLog.rotationSize, dailyBudget: Int = AuditLog.dailyBudget,
    userFileSize: Int = AuditLog.userFileSize
  ) throws -> AuditLog {
    let clock = clock
    return try AuditLog(
      path: path, rotationSize: rotationSize, dailyBudget: dailyBudget, userFileSize: userFileSize,
      clock: { clock.now })
  }

  private func records() throws -> [AuditRecord] {
    var reader = AuditLogReader(path: path)
    var found: [AuditRecord] = []
    func take(_ item: AuditLogReader.Item) {
      if case .record(let record) = item {
        found.append(record)
      } else {
        Issue.record("a damaged line")
      }
    }
    try reader.read(take)
    try reader.finish(take)
    return found
  }

  private func refused(_ number: Int, _ keyboard: String = "a.b") -> AuditEvent {
    AuditEvent(.refusal, keyboard: keyboard, [AuditField("port", .integer(number))])
  }

  private func connected(_ number: Int, _ outcome: String) -> AuditEvent {
    AuditEvent(
      .connection, keyboard: "a.b",
      [AuditField("port", .integer(number)), AuditField("outcome", .foreign(outcome))])
  }

  @Test("noise does not hide with whom a keyboard connects, and what has no room is refused")
  func connections() throws {
    let log = try open(dailyBudget: 8 << 10)
    for number in 0..<500 { try log.write(refused(number)) }
    for number in 0..<500 { try log.write(connected(number, "ECONNREFUSED")) }
    #expect(try log.write(refused(1_000)) == false)
    // The broker hands a connection over only where its line is in the log.
    #expect(try log.write(connected(443, "connected")))
    var written = 1
    while try log.write(connected(1_000 + written, "connected")) { written += 1 }
    #expect(written > 20)
    try log.flush()
    // A new host of the same day counts what is there.
    let next = try open(dailyBudget: 8 << 10)
    #expect(try next.write(connected(5_000, "connected")) == false)
    let found = try records().filter { record in
      record.event == "connection"
        && record.fields.contains { $0.key == "outcome" && $0.value.string == "connected" }
    }
    #expect(found.count == written)
  }

  private func asked(_ number: Int) -> AuditEvent {
    AuditEvent(
      .lookup, keyboard: "a.b",
      [
        AuditField("name", .foreign("n\(number).example")),
        AuditField("outcome", .term(AuditEvent.asked)),
      ])
  }

  @Test("names that are looked up have a share of their own, which nothing else uses up")
  func lookups() throws {
    let log = try open(dailyBudget: 8 << 10)
    for number in 0..<500 { try log.write(refused(number)) }
    for number in 0..<500 { try log.write(connected(number, "connected")) }
    // The broker asks only where the line is in the log.
    var written = 0
    while try log.write(asked(written)) { written += 1 }
    #expect(written > 20)
    try log.flush()
    let next = try open(dailyBudget: 8 << 10)
    #expect(try next.write(asked(5_000)) == false)
    #expect(try records().filter { $0.event == "lookup" }.count == written)
  }

  @Test("a name that is looked up stands there whole, and no two are one line")
  func wholeNames() throws {
    let log = try open(dailyBudget: 64 << 10)
    // As long as names may be: the end says who is asked, and what comes before it may be what is told.
    let labels = Array(repeating: String(repeating: "a", count: 60), count: 3).joined(
      separator: ".")
    let names = (0..<5).map {
      "\(labels).typed text \($0)".replacing(" ", with: "-") + ".evil.example"
    }
    for name in names + [names[0]] {
      try log.write(
        AuditEvent(
          .lookup, keyboard: "a.b",
          [AuditField("name", .domainName(name)), AuditField("outcome", .term("asked"))]))
    }
    // What else was cut is told apart as well.
    let long = String(repeating: "x", count: 300)
    for end in ["1", "2"] {
      try log.write(
        AuditEvent(.violation, keyboard: "a.b", [AuditField("detail", .foreign(long + end))]))
    }
    try log.flush()
    let found = try records()
    #expect(
      found.filter { $0.event == "lookup" }.map { $0.fields.first?.value.string }
        == (names + [names[0]]).map { $0 })
    #expect(found.filter { $0.event == "violation" }.map(\.count) == [1, 1])
  }

  @Test("a week of flooding leaves what the user did, and what other keyboards did, in the log")
  func week() throws {
    // A fraction of the sizes, in the same proportion.
    let log = try open(
      rotationSize: AuditLog.rotationSize / 32, dailyBudget: AuditLog.dailyBudget / 32)
    try log.write(AuditEvent(.install, app: "a"))
    try log.write(AuditEvent(.grant, keyboard: "a.b"))
    try log.write(AuditEvent(.launch, keyboard: "a.b", [AuditField("process", .integer(1))]))
    try log.write(AuditEvent(.violation, keyboard: "c.d", [AuditField("detail", .foreign("x"))]))
    // Fifty times its share on each day.
    let count = 7 * 24 * 3_600 / 20
    for number in 0..<count {
      try log.write(refused(number))
      clock.pass(20_000)
    }
    try log.flush()
    let found = try records()
    #expect(found.map(\.event).starts(with: ["install", "grant", "launch", "violation"]))
    // None is lost without being counted.
    let told = found.filter {
      $0.keyboard == "a.b" && ["refusal", "suppressed"].contains($0.event)
    }
    #expect(told.reduce(0) { $0 + $1.count } == count)
  }

  @Test("beyond a day's share a line tells it at once, and another how many there were")
  func share() throws {
    let log = try open(dailyBudget: 1_000)
    for number in 0..<1_000 { try log.write(refused(number)) }
    var found = try records()
    #expect(found.last?.event == "suppressed")
    #expect(found.last?.fields.first { $0.key == "what" }?.value.string == "refusal")
    #expect(found.count < 20)
    // Its neighbour has a share of its own, and so has what the user does.
    try log.write(refused(1, "c.d"))
    try log.write(AuditEvent(.disabled, keyboard: "a.b"))
    try log.write(AuditEvent(.revoke, keyboard: "a.b"))
    found = try records()
    #expect(found.map(\.event).suffix(3) == ["refusal", "disabled", "revoke"])
    // An hour later its number is told.
    clock.pass(3_600_000)
    #expect(try #require(log.nextExpiry) <= clock.now)
    try log.writeExpired()
    found = try records()
    #expect(found.last?.event == "suppressed")
    #expect(
      found.filter { $0.keyboard == "a.b" && $0.event != "disabled" && $0.event != "revoke" }
        .reduce(0) { $0 + $1.count } == 1_000)
    #expect(log.nextExpiry == nil)
    // And on the next day lines are written again.
    clock.pass(24 * 3_600_000)
    try log.write(refused(2_000))
    #expect(try records().last?.event == "refusal")
  }

  /// What an app brings about with a field of a name that nobody had before.
  private func focused(_ number: Int) -> [AuditEvent] {
    let name = AuditField("document", .foreign("1/n\(number)" + String(repeating: "x", count: 100)))
    let byFocus = [AuditField("reason", .term("frozen")), AuditField.byFocus, name]
    return [
      AuditEvent(.decision, keyboard: "a.b", app: "app", [name]),
      AuditEvent(.freeze, keyboard: "a.b", [name]), AuditEvent(.resume, keyboard: "a.b", [name]),
      AuditEvent(.fallback, keyboard: "a.b", app: "app", [name]),
      AuditEvent(.staleAnswer, keyboard: "a.b", [name]),
      AuditEvent(.lateAnswer, keyboard: "a.b", byFocus),
      AuditEvent(.exit, keyboard: "a.b", byFocus),
      AuditEvent(.launch, keyboard: "a.b", byFocus),
      AuditEvent(.launch, keyboard: "a.b", [.incognito, name]),
    ]
  }

  @Test("an app that opens fields all day washes nothing out, and is nobody's charge but the apps'")
  func apps() throws {
    let log = try open(rotationSize: 1 << 15, dailyBudget: 1 << 13)
    let done: [AuditEvent] = [
      AuditEvent(.grant, keyboard: "a.b"), AuditEvent(.launch, keyboard: "a.b"), refused(1),
      connected(443, "connected"),
      AuditEvent(.exit, keyboard: "a.b", [AuditField("reason", .term("crash"))]),
    ]
    for event in done { try log.write(event) }
    var written: [String: Int] = [:]
    for number in 0..<2_000 {
      for event in focused(number) {
        written[event.kind.rawValue, default: 0] += 1
        // Whether a keyboard may be started is not the app's to say.
        if try log.write(event) == false { #expect(event.kind != .launch) }
      }
    }
    // What a keyboard does itself has all of its room still.
    #expect(log.hasRoom(for: "a.b"))
    #expect(try log.write(refused(2)))
    try log.flush()
    let found = try records()
    #expect(found.prefix(5).map(\.event) == done.map(\.kind.rawValue))
    // What apps did is counted, and all of it.
    for (kind, count) in written {
      let own = found.dropFirst(5).filter { record in
        record.event == kind
          || record.event == "suppressed"
            && record.fields.contains { $0.key == "what" && $0.value.string == kind }
      }
      #expect(own.reduce(0) { $0 + $1.count } == count, "\(kind)")
    }
    let bytes = try Files.list(home.work + "/log").filter { $0.hasPrefix("audit.log") }
      .reduce(0) { try $0 + Files.read(home.work + "/log/" + $1).count }
    #expect(bytes < 4 << 13, "\(bytes)")
  }

  @Test("a host that starts anew finds what apps have used up, and on the next day nothing")
  func appsOfOtherRuns() throws {
    for run in 0..<4 {
      let log = try open(dailyBudget: 2_000)
      for number in 0..<50 { for event in focused(run * 50 + number) { try log.write(event) } }
    }
    let lines = try Files.text(path).split(separator: "\n")
      .filter { $0.contains("xxxxx") && !$0.contains("fallback") }
    #expect(lines.map { $0.utf8.count + 1 }.reduce(0, +) <= 4_000)
    #expect(lines.count > 4)
    clock.pass(24 * 3_600_000)
    let next = try open(dailyBudget: 2_000)
    #expect(try next.write(focused(1_000)[0]))
  }

  @Test("launches that come of the focus do not push out what the user did")
  func launchesByFocus() throws {
    let log = try open(rotationSize: 4_000, dailyBudget: .max, userFileSize: 8_000)
    try log.write(AuditEvent(.grant, keyboard: "first"))
    for number in 0..<400 { try log.write(focused(number)[7]) }
    #expect(try records().first?.keyboard == "first")
  }

  @Test("repeats that are counted take of the share as one line, and are counted on beyond it")
  func repeats() throws {
    let log = try open(dailyBudget: 300)
    for _ in 0..<50 {
      for _ in 0..<100 { try log.write(refused(1)) }
      clock.pass(5_000)
    }
    try log.flush()
    let found = try records()
    #expect(found.count <= 5)
    #expect(found.reduce(0) { $0 + $1.count } == 5_000)
  }

  @Test("a program that starts anew finds what of the day's share is used up")
  func otherRuns() throws {
    for run in 0..<20 {
      let log = try open(dailyBudget: 2_000)
      for number in 0..<100 { try log.write(refused(run * 100 + number)) }
      #expect(!log.hasRoom(for: "a.b") || run == 0)
    }
    let lines = try Files.text(path).split(separator: "\n")
      .filter { $0.contains("\"event\":\"refusal\"") }
    #expect(lines.map { $0.utf8.count + 1 }.reduce(0, +) <= 2_000)
    #expect(try records().reduce(0) { $0 + $1.count } == 2_000)
    // Of another keyboard, and on another day, nothing is used up.
    let log = try open(dailyBudget: 2_000)
    #expect(log.hasRoom(for: "a.bc"))
    clock.pass(24 * 3_600_000)
    #expect(try open(dailyBudget: 2_000).hasRoom(for: "a.b"))
  }

  @Test("a launch after a failure takes of the share, and is written; one by the user does not")
  func launches() throws {
    let log = try open(dailyBudget: 500)
    for _ in 0..<50 { try log.write(AuditEvent(.launch, keyboard: "a.b")) }
    #expect(log.hasRoom(for: "a.b"))
    let again = AuditEvent(
      .launch, keyboard: "a.b", [AuditField(AuditEvent.afterFailures, .integer(1))])
    for _ in 0..<10 { try log.write(again) }
    #expect(!log.hasRoom(for: "a.b"))
    #expect(try records().count == 60)
    #expect(try !open(dailyBudget: 500).hasRoom(for: "a.b"))
  }

  @Test("what the user did outlives the files it stood in, in its order, and once")
  func kept() throws {
    let log = try open(rotationSize: 4_000, dailyBudget: .max)
    for number in 0..<40 {
      try log.write(AuditEvent(.grant, keyboard: "k\(number)"))
      try log.write(AuditEvent(.launch, keyboard: "k\(number)"))
      for other in 0..<40 {
        try log.write(
          AuditEvent(.exit, keyboard: "k\(number)", [AuditField("n", .integer(other))]))
      }
    }
    let found = try records().filter { $0.event != "exit" }
    #expect(found.map { $0.keyboard } == (0..<40).flatMap { ["k\($0)", "k\($0)"] })
    #expect(found.map(\.event) == (0..<40).flatMap { _ in ["grant", "launch"] })
    #expect(try Files.list(home.work + "/log").contains("audit.log.user"))
    #expect(Files.mode(home.work + "/log/audit.log.user") == 0o600)
  }

  @Test("a rotation that was killed half way copies nothing twice")
  func killed() throws {
    let log = try open(rotationSize: 2_000, dailyBudget: .max)
    func fill(_ count: Int) throws {
      for number in 0..<count {
        try log.write(AuditEvent(.grant, keyboard: "k\(number)"))
        for _ in 0..<20 { try log.write(AuditEvent(.exit, keyboard: "k")) }
      }
    }
    try fill(10)
    let user = home.work + "/log/audit.log.user"
    let before = try Files.text(user)
    // Copied, and the files not renamed.
    let oldest = try Files.text(home.work + "/log/audit.log.5").split(separator: "\n")
      .filter { $0.contains("\"grant\"") }.map { $0 + "\n" }.joined()
    try Files.write(before + oldest, to: user, mode: 0o600)
    try fill(1)
    let grants = try Files.text(user).split(separator: "\n").map(String.init)
    #expect(Set(grants).count == grants.count)
  }

  @Test("the files with what the user did are bounded too, and only the user can fill them")
  func userFiles() throws {
    let log = try open(rotationSize: 1_000, dailyBudget: 1_000, userFileSize: 3_000)
    for number in 0..<1_000 {
      try log.write(AuditEvent(.grant, keyboard: "k\(number)"))
      try log.write(refused(number))
    }
    let folder = home.work + "/log/"
    for name in ["audit.log.user", "audit.log.user.1"] {
      #expect(try Files.read(folder + name).count <= 3_000)
    }
    #expect(try records().last { $0.event == "grant" }?.keyboard == "k999")
  }

  @Test("one who reads on sees each line once, whatever is copied meanwhile")
  func following() throws {
    let log = try open(rotationSize: 1_000, dailyBudget: .max)
    for number in 0..<100 { try log.write(AuditEvent(.grant, keyboard: "k\(number)")) }
    var reader = AuditLogReader(path: path)
    var seen: [String] = []
    func take(_ item: AuditLogReader.Item) {
      if case .record(let record) = item { seen.append(record.keyboard ?? "") }
    }
    try reader.read(take)
    for number in 100..<200 {
      try log.write(AuditEvent(.grant, keyboard: "k\(number)"))
      if number % 7 == 0 { try reader.read(take) }
    }
    try reader.read(take)
    #expect(seen == (0..<200).map { "k\($0)" })
  }
}
