import KeyboardHost
import Playground
import Testing
import TextInput

@Suite("The playground's strip: what keyboards tried, and how it ended")
struct StripTests {
  private static func line(
    _ kind: AuditKind, incognito: Bool = false, _ fields: [AuditField]
  ) -> String {
    Activity(AuditEvent(kind, keyboard: "k", fields), name: { _ in "Intruder" })?.line ?? "nothing"
  }

  private static func violation(
    _ call: String, _ detail: String, _ outcome: StaticString = "refused"
  ) -> String {
    line(
      .violation,
      [
        AuditField("systemCall", .foreign(call)), AuditField("detail", .foreign(detail)),
        AuditField("outcome", .term(outcome)),
      ])
  }

  @Test("a call is told in plain words, how it ended first")
  func calls() {
    #expect(
      Self.violation("socket", "socket family AF_INET, type SOCK_STREAM|SOCK_CLOEXEC")
        == "REFUSED  Intruder: use the network (a TCP socket)")
    #expect(
      Self.violation("socket", "socket family AF_UNIX, type SOCK_STREAM")
        == "REFUSED  Intruder: reach another program of this machine (a local socket)")
    #expect(
      Self.violation("socket", "socket") == "REFUSED  Intruder: use the network (a socket)")
    #expect(
      Self.violation("execve", "execve of /bin/sh")
        == "REFUSED  Intruder: start a program (/bin/sh)")
    #expect(
      Self.violation("connect", "connect to AF_INET 192.0.2.1 port 80")
        == "REFUSED  Intruder: connect: 192.0.2.1 port 80")
    #expect(
      Self.violation("connect", "connect to AF_UNIX /run/pulse")
        == "REFUSED  Intruder: connect: the local service /run/pulse")
    #expect(
      Self.violation("ptrace", "ptrace request 16", "killed")
        == "KILLED  Intruder: watch or change another program (ptrace)")
    #expect(
      Self.violation("swapon", "swapon", "killed")
        == "KILLED  Intruder: a call that no keyboard needs (swapon)")
    #expect(
      Self.line(.violation, [AuditField("reason", .foreign("it woke while it was frozen"))])
        == "KILLED  Intruder: go on while it is frozen")
  }

  @Test("of an open it is said whether it can have been anything but refused")
  func opens() {
    #expect(
      Self.violation("openat", "openat of /dev/snd/pcmC0D0c for writing", "refused by file rules")
        == "REFUSED  Intruder: use a sound device, as a microphone (/dev/snd/pcmC0D0c): "
        + "not in its sandbox")
    #expect(
      Self.violation("openat", "openat of /dev/… for writing", "refused by file rules")
        == "REFUSED  Intruder: use a device (/dev/…): not in its sandbox")
    #expect(
      Self.violation("openat", "openat of /etc/passwd for writing", "refused by file rules")
        == "REFUSED  Intruder: write a file (/etc/passwd): none of its own")
    #expect(
      Self.violation("openat", "openat of /… for writing", "decided by file rules")
        == "TRIED  Intruder: write a file (/…): it gets that only if the file is its own")
    #expect(
      Self.violation("openat", "openat", "refused by file rules")
        == "REFUSED  Intruder: write a file: none of its own")
  }

  @Test("connections and services say whether they got through")
  func network() {
    let address = [
      AuditField("address", .foreign("192.0.2.1")), AuditField("port", .integer(80)),
    ]
    let story = "not globally reachable: Documentation (TEST-NET-1) (192.0.2.0/24)"
    #expect(
      Self.line(
        .refusal,
        [AuditField("capability", .term("network"))] + address
          + [AuditField("reason", .foreign(story))])
        == "REFUSED  Intruder: connect to 192.0.2.1 port 80: no public address, but "
        + "Documentation (TEST-NET-1) (192.0.2.0/24)")
    #expect(
      Self.line(.connection, address + [AuditField("outcome", .term("connected"))])
        == "CONNECTED  Intruder: 192.0.2.1 port 80")
    #expect(
      Self.line(.connection, address + [AuditField("outcome", .term("ECONNREFUSED"))])
        .hasPrefix("FAILED  Intruder: connect to 192.0.2.1 port 80: it may, but"))
    #expect(
      Self.line(
        .refusal,
        [AuditField("capability", .term("contacts")), AuditField("reason", .term("not-granted"))])
        == "REFUSED  Intruder: your contacts: you did not grant it")
    #expect(
      Self.line(
        .service,
        [AuditField("service", .term("contacts")), AuditField("answers", .integer(3))])
        == "TOLD  Intruder: your contacts: 3 of them")
  }

  @Test("news do not push out what was tried, and what is tried again is counted")
  func apart() {
    var model = PlaygroundModel()
    for _ in 0..<3 {
      model.note(Activity(.refused, "Intruder: use the network (a TCP socket)"))
      model.note(Activity(.refused, "Intruder: start a program (/bin/sh)"))
      for number in 0..<30 { model.note(Activity("news \(number)")) }
    }
    let lines = model.draw(size: CanvasSize(rows: 24, columns: 80), texts: [:]).lines
    #expect(lines.contains { $0.contains("REFUSED 3x  Intruder: use the network") })
    #expect(lines.contains { $0.contains("REFUSED 3x  Intruder: start a program (/bin/sh)") })
    #expect(lines.contains { $0.contains("news 29") })
    let small = model.draw(size: CanvasSize(rows: 21, columns: 48), texts: [:]).lines
    #expect(small.contains { $0.contains("REFUSED 3x  Intruder: start a program") })
    _ = model.handle(.key(.function(7)))
    let all = model.draw(size: CanvasSize(rows: 24, columns: 80), texts: [:]).lines
    #expect(all.contains { $0.contains("What happened, the latest first") })
    #expect(all.contains { $0.contains("news 29") } && !all.contains { $0.contains("news 0 ") })
    for _ in 0..<200 { _ = model.handle(.key(.down)) }
    let end = model.draw(size: CanvasSize(rows: 24, columns: 80), texts: [:]).lines
    #expect(end.contains { $0.contains("news 0 ") } && !end.contains { $0.contains("news 29") })
    #expect(model.handle(.character("x")) == [] && model.overlay == .none)
  }

  @Test("whether anything got through stands before what was tried")
  func sum() {
    var model = PlaygroundModel()
    func first() -> String {
      let lines = model.draw(size: CanvasSize(rows: 40, columns: 100), texts: [:]).lines
      return lines.first { $0.contains("Tried") } ?? ""
    }
    #expect(first().contains("nothing so far that was refused or left the sandbox"))
    model.note(Activity(.refused, "Intruder: use the network"))
    #expect(first().contains("once, and did not get through (F7: all)"))
    model.note(Activity(.killed, "Intruder: start a program"))
    model.note(Activity(.refused, "Intruder: use the network"))
    #expect(first().contains("3 times, and nothing got through (F7: all)"))
    model.note(
      Activity(.failed, "Intruder: connect to 192.0.2.1 port 80: it may, but nobody answers"))
    #expect(first().contains("4 times, and nothing got through (F7: all)"))
    model.note(Activity(.undecided, "Intruder: write a file"))
    #expect(first().contains("5 times, none of which is known to have got through (F7: all)"))
    model.note(Activity(.connected, "Intruder: 192.0.2.1 port 80"))
    #expect(first().contains("1 of 6 got through, with your open access (F7: all)"))
  }

  @Test("a line that is too long is left at a word, and says how it ended all the same")
  func shortened() {
    var model = PlaygroundModel()
    model.note(
      Activity(
        .refused,
        "Intruder: connect to 192.0.2.1 port 80: no public address, but Documentation "
          + "(TEST-NET-1) (192.0.2.0/24)"))
    for columns in 48...120 {
      let canvas = model.draw(size: CanvasSize(rows: 24, columns: columns), texts: [:])
      guard let row = canvas.lines.firstIndex(where: { $0.contains("REFUSED") }) else {
        Issue.record("no line at \(columns)")
        continue
      }
      // It may go on in the next row.
      let line = canvas.lines[row] + " " + canvas.lines[row + 1]
      let shown = line.split(separator: " ").filter { $0 != "Tried" }
      let whole =
        "REFUSED Intruder: connect to 192.0.2.1 port 80: no public address, but "
        + "Documentation (TEST-NET-1) (192.0.2.0/24)"
      let words = whole.split(separator: " ")
      for (word, expected) in zip(shown, words) where word != "…" { #expect(word == expected) }
      #expect(shown.count == words.count || shown.last == "…", "\(line)")
    }
  }
}
