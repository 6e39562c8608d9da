import KeyboardHost
import TestSupport
import Testing

@testable import KeyboardReport

@Suite("What a keyboard did, from the log")
struct HistoryTests {
  private static func line(_ event: String, _ rest: String = "", at second: Int = 0) -> String {
    let time = "2026-01-31T12:00:\(second < 10 ? "0" : "")\(second).000Z"
    return #"{"time":"\#(time)","event":"\#(event)","keyboard":"a"\#(rest)}"#
  }

  @Test("equal events are counted together, with the counts of counted lines")
  func counts() throws {
    let call = #","systemCall":"socket","detail":"family AF_INET","outcome":"refused""#
    let history = try Reports.history([
      Self.line("violation", call), Self.line("violation", call + #","count":41"#, at: 9),
      Self.line("violation", #","systemCall":"ptrace","detail":"d","outcome":"killed""#),
    ])
    let tally = try #require(history.activities["a"])[.violations]
    #expect(tally.total == 43)
    #expect(
      tally.entries.map(\.cells)
        == [["socket", "family AF_INET", "refused"], ["ptrace", "d", "killed"]])
    #expect(tally.entries.map(\.count) == [42, 1])
    #expect(tally.entries[0].last.text == "2026-01-31T12:00:09.000Z")
  }

  @Test("counts that no sum can hold stay at the largest number")
  func hugeCounts() throws {
    let huge = #","reason":"r","count":9223372036854775807"#
    let history = try Reports.history([
      Self.line("fallback", huge), Self.line("fallback", huge),
      Self.line("fallback", #","reason":"s","count":3"#),
    ])
    #expect(history.activities["a"]?[.fallbacks].total == .max)
  }

  @Test("each event goes to its part, with what it says")
  func parts() throws {
    let history = try Reports.history([
      Self.line(
        "launch",
        #","policy":"ab12","openAccess":true,"layers":{"landlock":"partly (ABI 2)","#
          + #""seccomp":"enforced","userNamespace":"not requested"},"allowWeaker":["x","y"]"#),
      Self.line("launchFailed", #","reason":"no launcher""#),
      Self.line(
        "refusal", #","capability":"network","address":"127.0.0.1","port":631,"reason":"l""#),
      Self.line("refusal", #","what":"edit outside an event","reason":"stale""#),
      Self.line(
        "connection",
        #","address":"2001:db8::1","port":443,"name":"n.example","outcome":"connected""#),
      Self.line("violation", #","reason":"it woke while it was frozen""#),
      Self.line("fallback", #","reason":"too-late""#), Self.line("exit", #","reason":"died""#),
      Self.line("protocolError", #","message":"m""#),
      Self.line("suppressed", #","what":"violation","count":41"#),
      Self.line("grant", #","capability":"open-access","container":"empty""#),
      Self.line("decision", #","verdict":"refused","reasons":["secure-entry"]"#),
      Self.line("from a later version", #","x":{"y":1}"#),
    ])
    let activity = try #require(history.activities["a"])
    func cells(_ kind: ActivityKind) -> [[String]] { activity[kind].entries.map(\.cells) }
    #expect(cells(.launches) == [["openAccess", "ab12", "x, y"]])
    #expect(cells(.weakLayers) == [["landlock", "partly (ABI 2)"]])
    #expect(cells(.launchFailures) == [["no launcher"]])
    #expect(
      cells(.refusals) == [
        ["edit outside an event", "", "", "", "stale"], ["network", "", "127.0.0.1", "631", "l"],
      ])
    #expect(cells(.connections) == [["n.example", "2001:db8::1", "443", "connected"]])
    #expect(cells(.violations) == [["", "it woke while it was frozen", ""]])
    #expect(cells(.fallbacks) == [["too-late"]])
    #expect(cells(.endings) == [["died"]])
    #expect(cells(.protocolErrors) == [["m"]])
    #expect(cells(.suppressed) == [["violation"]])
    #expect(activity[.suppressed].total == 41)
    #expect(cells(.consent) == [["grant", "open-access", "container empty"]])
    #expect(cells(.others) == [["decision", "refused"], ["from a later version", ""]])
    for kind in ActivityKind.allCases {
      #expect(activity[kind].entries.allSatisfy { $0.cells.count == kind.columns.count })
    }
  }

  @Test("a damaged line is told with its place, and all others are used")
  func damaged() throws {
    let history = try Reports.history([
      Self.line("exit"), "", "not JSON", #"{"time":"yesterday","event":"exit"}"#, "\u{0}\u{1b}[2J",
      Self.line("exit", #","count":0"#), Self.line("exit", #","count":"many""#),
      Self.line("exit", at: 2), #"{"time":"2026-01-31T12:00:00Z","event":"exit","keyb"#,
    ])
    #expect(history.lines == 2)
    #expect(history.activities["a"]?[.endings].total == 2)
    #expect(history.damaged.map(\.line) == [2, 3, 4, 5, 6, 7, 9])
    #expect(history.damaged.allSatisfy { $0.file.hasSuffix("/audit.log") })
    #expect(history.period?.upperBound.text == "2026-01-31T12:00:02.000Z")
    let findings = try Reports.report(history: history).findings
    #expect(findings.count == 7)
    #expect(findings[0].hasSuffix("/audit.log:2: this is not an audit line"))
  }

  @Test("of very many damaged lines the first are told, and how many there are")
  func manyDamaged() throws {
    let history = try Reports.history(Array(repeating: "", count: 10_000))
    #expect(history.damagedCount == 10_000)
    #expect(history.damaged.count == AuditHistory.keptPlaces)
    #expect(try Reports.report(history: history).findings.count == AuditHistory.keptPlaces + 1)
  }

  @Test("no log is no fault; one that cannot be read is")
  func unreadable() throws {
    let home = try TemporaryHome()
    let none = AuditHistory(reading: "\(home.work)/nowhere/audit.log")
    #expect(none.problem == nil && none.lines == 0 && none.period == nil)
    try Files.makeDirectory("\(home.work)/audit.log")
    let folder = AuditHistory(reading: "\(home.work)/audit.log")
    #expect(folder.problem?.contains("\(home.work)/audit.log") == true)
  }
}
