import KeyboardHost
import TestSupport
import Testing

@testable import KeyboardReport

@Suite("The report as a page")
struct PageTests {
  private static let hostile =
    "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>\u{202e}gnp.exe\u{1b}[2J\u{0}\n]]>--><!--"

  @Test("it has this outline")
  func outline() throws {
    let history = try Reports.history([
      #"{"time":"2026-01-31T11:00:00.000Z","event":"launch","keyboard":"org.example.one","#
        + #""policy":"\#(try Reports.policies.get()[0].digest)","openAccess":false}"#,
      #"{"time":"2026-01-31T11:00:01.000Z","event":"violation","keyboard":"org.example.one","#
        + #""systemCall":"socket","detail":"d","outcome":"refused"}"#,
    ])
    let one = Reports.keyboard(
      "org.example.one", name: "One", requestsOpenAccess: true,
      activity: try #require(history.activities["org.example.one"]))
    let page = try CheckedPage(try Reports.report([one], history: history).html())
    #expect(page.faults.isEmpty)
    #expect(
      page.outline == [
        "title What the keyboards may do, and what they did",
        "h1 What the keyboards may do, and what they did", "h2 Keyboards", "h3 One",
        "h4 it may, now", "h4 it could, with open access", "h4 it did", "caption Launches: N",
        "th grants", "th program", "th count", "th last",
        "caption Violations: calls it tried: N", "th call", "th detail", "th outcome", "th count",
        "th last", "h2 What no keyboard can do",
        "caption Promises, the proofs behind them, and the layers here", "th a keyboard cannot",
        "th without open access", "th with open access", "th layers, and what holds here",
        "th read or change files that are not its own",
        "th see or change names, times and modes of foreign files",
        "th reach a network without the user's consent",
        "th reach local services, and the microphone through them",
        "th open a sound device, whatever was granted",
        "th see, signal or inspect other processes", "th start other programs or processes",
        "th type into a terminal", "th use foreign architectures or calls nobody needs",
        "h2 System calls by grant", "caption What becomes of the N calls", "th calls that are",
        "th without open access", "th with open access", "th allowed",
        "th allowed for some arguments", "th made by the host, after its own check", "th refused",
        "th end the keyboard", "h3 Each call without open access",
        "title System calls without open access", "h3 Each call with open access",
        "title System calls with open access", "h2 How this is known",
        "summary The program, the files and the claims without open access: N of N proven",
        "summary The program, the files and the claims with open access: N of N proven",
      ])
    let policies = try Reports.policies.get()
    #expect(page.marks == policies.reduce(0) { $0 + $1.calls.count })
    #expect(page.text.contains("(proven here)"))
    #expect(page.text.contains("socket: allowed for some arguments, changed by the grant"))
  }

  @Test("nothing from outside can break out of it, be it a name, an id, or a line of the log")
  func hostileText() throws {
    let quoted = Self.hostile.unicodeScalars.map { scalar in
      scalar.value < 0x80 && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
        ? String(scalar)
        : "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
          + String(scalar.value, radix: 16)
    }.joined()
    let lines = [
      ("violation", #","systemCall":"\#(quoted)","detail":"\#(quoted)","outcome":"\#(quoted)""#),
      ("connection", #","name":"\#(quoted)","address":"\#(quoted)","port":"\#(quoted)""#),
      ("launch", #","policy":"\#(quoted)","layers":{"\#(quoted)":"\#(quoted)"}"#),
      (quoted, ""), ("protocolError", #","message":"\#(quoted)""#),
    ].map { event, rest in
      #"{"time":"2026-01-31T11:00:00Z","event":"\#(event)","keyboard":"\#(quoted)"\#(rest)}"#
    }
    let history = try Reports.history(lines + [Self.hostile])
    #expect(history.lines == lines.count)
    let activity = try #require(history.activities[Self.hostile])
    var installed = Reports.keyboard(Self.hostile, name: Self.hostile, activity: activity)
    installed.version = Self.hostile
    installed.allowWeaker = [Self.hostile]
    let removed = ReportedKeyboard(removed: Self.hostile, activity: activity)
    let report = try Reports.report(
      [installed, removed], history: history,
      trial: SandboxTrial(report: nil, problem: Self.hostile),
      faults: [KeyboardReport.AppFault(app: Self.hostile, message: Self.hostile)])
    let page = try CheckedPage(report.html())
    #expect(page.faults.isEmpty)
    #expect(page.text.contains("<script>alert(1)</script>"), "it is shown as text")
    #expect(page.text.contains("\\u{202e}"))
    #expect(report.findings.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\u{202e}") })
  }

  @Test("with no keyboard and no log it says so")
  func empty() throws {
    let page = try CheckedPage(try Reports.report().html())
    #expect(page.faults.isEmpty)
    #expect(page.text.contains("No keyboard is installed, and none is in the log."))
    #expect(page.text.contains("there is no line in the log yet"))
    #expect(page.text.contains("No fault was found."))
  }

  @Test("very many kinds of events, and keyboards that are gone, do not make it long")
  func bounded() throws {
    let lines = (0..<3_000).map {
      #"{"time":"2026-01-31T11:00:00Z","event":"violation","keyboard":"gone.\#($0 % 1_000)","#
        + #""systemCall":"c\#($0)"}"#
    }
    let history = try Reports.history(lines)
    let removed = history.activities.keys.sorted().map {
      ReportedKeyboard(removed: $0, activity: history.activities[$0]!)
    }
    let html = try Reports.report(removed, history: history).html()
    #expect(html.count < 300_000)
    let page = try CheckedPage(html)
    #expect(page.faults.isEmpty)
    #expect(page.text.contains("And 980 more that are not installed any more."))
  }

  @Test(
    "a digest is written as RFC 4648 says",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(plain: String, encoded: String) {
    #expect(PageStyle.base64(Array(plain.utf8)) == encoded)
  }
}
