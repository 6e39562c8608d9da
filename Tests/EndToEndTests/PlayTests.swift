import Glibc
import TestSupport
import Testing

/// `keyhost play` in a terminal multiplexer, as a person sees it.
private final class PlayTerminal {
  private let socket: String
  private let folder: String
  private let home: TemporaryHome

  init(_ home: TemporaryHome, columns: Int = 90, rows: Int = 32, term: String = "xterm-256color")
    throws
  {
    self.home = home
    folder = try Files.temporaryDirectory(mode: 0o700)
    socket = "\(folder)/tmux"
    // What the program says at its end stays on the screen, with its exit code.
    let command = "env TERM=\(term) \(Products.keyhost) play; echo \"ended $?\"; exec sleep 600"
    let result = try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command)
    guard result.exitCode == 0 else { throw TemporaryHome.CommandFailure(description: "\(result)") }
  }

  deinit {
    _ = try? tmux("kill-server")
    Files.remove(folder)
  }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> ProgramResult {
    try Program("/usr/bin/tmux", environment: home.environment)
      .run(["-u", "-S", socket] + arguments)
  }

  func send(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }
  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// As a terminal pastes that marks where that begins and ends.
  func paste(_ text: String) throws {
    try tmux("set-buffer", text)
    try tmux("paste-buffer", "-p")
  }

  /// Whether the program asked the terminal for its mouse: keys that are sent to it come without that.
  func hasMouse() throws -> Bool {
    try tmux("display-message", "-p", "#{mouse_any_flag}#{mouse_sgr_flag}").standardOutput == "11\n"
  }

  func screen() throws -> String { try tmux("capture-pane", "-p").standardOutput }

  /// A press and a release of the left button, as terminals of that name send them (SGR).
  /// Only on a picture that stands: the terminal draws from above, so that while a new keyboard is drawn
  /// the keys may still be those of the one before.
  func click(_ text: String, inPieces: Bool = false) throws {
    var seen = try screen()
    var same = 0
    let limit = RunningProgram.now() + 60
    while same < 5, RunningProgram.now() < limit {
      usleep(50_000)
      let now = try screen()
      same = now == seen ? same + 1 : 0
      seen = now
    }
    let lines = seen.split(separator: "\n", omittingEmptySubsequences: false)
    guard let row = lines.lastIndex(where: { $0.contains(text) }),
      let range = lines[row].firstRange(of: text)
    else {
      Issue.record("no \(text) on the screen")
      return
    }
    let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
    for end in ["M", "m"] {
      try type("\u{1B}[<0;\(column + 1)")
      if inPieces { usleep(300_000) }
      try type(";\(row + 1)\(end)")
    }
  }

  /// Waits until the screen is as it should be.
  func wait(
    for text: String, without unwanted: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    var seen = ""
    let limit = RunningProgram.now() + 60
    while RunningProgram.now() < limit {
      seen = try screen()
      if seen.contains(text), unwanted.map({ !seen.contains($0) }) ?? true { return }
      usleep(50_000)
    }
    Issue.record("no \"\(text)\" on the screen:\n\(seen)", sourceLocation: location)
  }
}

@Suite("The playground", .enabled(if: Files.exists("/usr/bin/tmux"), "tmux is not installed"))
struct PlayTests {
  static let shouting = """
    import socket
    def shout(request):
        try:
            socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        except OSError:
            pass
        reply(request, [{"insertText": typed(request).upper()}])
    serve(shout)
    """

  @Test("a person sees which keyboard serves, what it tried, and how to switch")
  func wholeTour() throws {
    let home = try TemporaryHome(keyboards: ["shouting": PythonKeyboard.script(Self.shouting)])
    let terminal = try PlayTerminal(home)
    try terminal.wait(for: "shouting, in a sandbox of its own")
    try terminal.type("hey")
    try terminal.wait(for: "HEY")
    // What it tried, as the kernel told it, how often and how that ended; and why not the other.
    try terminal.wait(for: "x  shouting: use the network (a TCP socket)")
    #expect(try terminal.screen().contains("and nothing got through (F7: all)"))
    try terminal.wait(for: "first in your list (F3); the field and its app allow it")
    try terminal.wait(for: "System keyboard: not chosen: it is 2nd in your list (F2: next)")
    try terminal.wait(for: "none: no keyboard has open access")
    // The password goes to the system keyboard, hidden, and stays refused behind the eye.
    try terminal.send("Tab")
    try terminal.wait(for: "the field is secure, for a password: no other may serve it")
    try terminal.wait(for: "shouting: refused: the field is secure")
    try terminal.type("pass")
    try terminal.wait(for: "****")
    try terminal.wait(for: "shouting is frozen")
    try terminal.send("F2")
    try terminal.wait(for: "no other keyboard may serve Password")
    try terminal.send("F4")
    try terminal.wait(for: "the field was secure before")
    try terminal.wait(for: "pass")
    try terminal.send("Tab")
    try terminal.wait(for: "the field is for a phone number: no other may serve it")
    try terminal.send("Tab")
    try terminal.wait(for: "shouting, in a sandbox of its own")
    try terminal.send("Tab")
    try terminal.wait(for: "shouting: refused: the app does not allow custom keyboards")
    try terminal.send("Tab")
    try terminal.wait(for: "shouting, incognito: thrown away after; it sees what you type here")
    try terminal.wait(for: "incognito: the field is for a card")
    // Around to the comment, and to the next keyboard by the globe.
    try terminal.send("Tab")
    try terminal.wait(for: "shouting, in a sandbox of its own")
    try terminal.wait(for: "the incognito shouting was ended, and all that it kept thrown away")
    try terminal.send("F2")
    try terminal.wait(for: "you switched to it (F2, F3)")
    try terminal.wait(for: "shouting: not chosen: you switched to another here (F2: next)")
    try terminal.type("y")
    try terminal.wait(for: "HEYy")
    try terminal.send("F3")
    try terminal.wait(for: "* System keyboard")
    try terminal.send("Up", "Enter")
    try terminal.wait(for: "shouting, in a sandbox of its own", without: "may not serve")
    // By the mouse, at its own keys: the system keyboard has no digits there.
    try terminal.wait(for: "1       2")
    try terminal.click("z  ")
    try terminal.wait(for: "HEYyZ")
    // All that happened, from the line at the bottom.
    try terminal.click("F7")
    try terminal.wait(for: "What happened, the latest first")
    try terminal.send("Escape", "F10")
    try terminal.wait(for: "ended 0")
  }

  @Test("what a hostile keyboard tried stands on a terminal of 80 x 24, with how each ended")
  func intruder() throws {
    let home = try TemporaryHome()
    let identifier = "org.keyhost.examples.intruder.keyboard"
    try home.expectSuccess("apps", "install", "\(Products.bundles)/Intruder.app")
    try home.expectSuccess("keyboards", "add", identifier)
    let terminal = try PlayTerminal(home, columns: 80, rows: 24)
    try terminal.wait(for: "Intruder, in a sandbox of its own")
    try terminal.wait(for: "REFUSED  Intruder: start a program (/bin/sh)")
    try terminal.send("F7")
    try terminal.wait(for: "REFUSED 2x  Intruder: use the network (a TCP socket)")
    let screen = try terminal.screen()
    let device = try #require(screen.split(separator: "\n").first { $0.contains("/dev/") })
    #expect(device.contains("REFUSED  Intruder: use a"), "\(screen)")
    try terminal.send("Escape")
    // With the network, and then without it: one key.
    try home.expectSuccess("grant", identifier, "open-access", "--keep-container")
    try terminal.wait(for: "OPEN: Intruder has it (F6 takes it away)")
    try terminal.send("F7")
    try terminal.wait(for: "REFUSED  Intruder: connect to 192.0.2.1 port 80: no public address")
    try terminal.send("Escape")
    try terminal.resize(columns: 48, rows: 21)
    try terminal.wait(for: "F6 net")
    try terminal.send("F6")
    try terminal.wait(for: "none: taken from Intruder; F1")
    try terminal.send("F1")
    try terminal.wait(for: "`keyhost grant")
    try terminal.wait(for: identifier)
    try terminal.wait(for: "Ctrl-C: the end.")
    try terminal.send("Escape", "F10")
    try terminal.wait(for: "ended 0")
  }

  @Test("behind whatever the mouse does the host goes on by itself, and no report becomes text")
  func mouse() throws {
    let home = try TemporaryHome(keyboards: ["shouting": PythonKeyboard.shouting])
    let terminal = try PlayTerminal(home)
    try terminal.wait(for: "shouting, in a sandbox of its own")
    // A release alone, the wheel, the middle button, a move, a button that no mouse has, and no report.
    var text = ""
    for (index, report) in ["0;1;1m", "64;1;1M", "1;1;1M", "35;1;1M", "99;1;1M", "x"].enumerated() {
      try terminal.type("\(index)")
      try terminal.type("\u{1B}[<\(report)")
      text += "\(index)"
      // What the keyboard answers to the key before is shown without another byte.
      try terminal.wait(for: "> Comment   \(text)\n")
    }
    // In two pieces, as from far away.
    try terminal.click("z  ", inPieces: true)
    try terminal.wait(for: "> Comment   \(text)Z\n")
    try terminal.send("F10")
    try terminal.wait(for: "ended 0")
  }

  @Test(
    "keys that the terminal calls otherwise become no text, and what is pasted stays in its field")
  func sequencesAndPaste() throws {
    let terminal = try PlayTerminal(try TemporaryHome())
    try terminal.wait(for: "Serves    the system keyboard")
    #expect(try terminal.hasMouse())
    try terminal.type("bc\u{1B}[1~")
    try terminal.wait(for: "> Comment   bc\n")
    try terminal.type("a\u{1B}[4~d")
    try terminal.wait(for: "> Comment   abcd\n")
    try terminal.paste("x\ty")
    try terminal.wait(for: "x\\ty\n")
    #expect(try terminal.screen().contains("> Comment   abcdx"))
    try terminal.send("F10")
    try terminal.wait(for: "ended 0")
  }

  @Test("open access is shown, and taken away by one key")
  func revoking() throws {
    let home = try TemporaryHome(
      keyboards: ["open": PythonKeyboard.shouting], requestsOpenAccess: true)
    try home.expectSuccess(
      "grant", TemporaryHome.identifier("open"), "open-access", "--keep-container")
    let terminal = try PlayTerminal(home)
    try terminal.wait(for: "OPEN: open has it (F6 takes it away)")
    try terminal.send("F6")
    try terminal.wait(for: "open access was taken from open")
    try terminal.wait(for: "none: taken from open; F1 says how to give it back")
    let list = try home.keyhost("keyboards", "list", "--json")
    #expect(list.standardOutput.contains("\"hasOpenAccess\":false"), "\(list)")
    try terminal.send("C-c")
    try terminal.wait(for: "ended 0")
  }

  @Test("small, large and changing terminals, and wide characters, are fine")
  func sizes() throws {
    let home = try TemporaryHome()
    let terminal = try PlayTerminal(home, columns: 30, rows: 10)
    try terminal.wait(for: "Too small: 48 x 21 are needed")
    try terminal.resize(columns: 120, rows: 40)
    try terminal.wait(for: "you have no other: `keyhost apps install`, `keyhost keyboards add`")
    try terminal.type("漢字 👍 é")
    try terminal.wait(for: "漢字 👍 é")
    try terminal.resize(columns: 48, rows: 21)
    try terminal.wait(for: "F10 quit")
    try terminal.send("F1")
    try terminal.wait(for: "What you see")
    try terminal.send("Escape")
    try terminal.wait(for: "Comment", without: "What you see")
    try terminal.send("F10")
    try terminal.wait(for: "ended 0")
  }

  @Test("names and labels of a keyboard stay in their place")
  func hostileLabels() throws {
    let script = PythonKeyboard.script(
      """
      def start(request):
          row = [{"id": "k%d" % n, "label": label, "role": "character", "insertText": "x"}
                 for n, label in enumerate(["W" * 120, "漢" * 40, "e" + "\\u0335" * 50, "\\u200d\\u200d"])]
          send(id=request["id"], result={"protocolVersion": 1, "layout": {"rows": [row]}})
      serve(on_initialize=start)
      """)
    let home = try TemporaryHome(keyboards: ["hostile": script])
    let terminal = try PlayTerminal(home)
    try terminal.wait(for: "WWWW")
    let lines = try terminal.screen().split(separator: "\n")
    let row = try #require(lines.first { $0.contains("WWWW") })
    #expect(row.hasPrefix("│") && row.hasSuffix("│"), "\(row)")
    #expect(row.contains("WWWW…"), "\(row)")
  }

  @Test("without a terminal it says so, and a terminal of no known kind is named")
  func noTerminal() throws {
    let home = try TemporaryHome()
    let result = try home.keyhost("play")
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.standardError.contains("needs a terminal"), "\(result)")
    let terminal = try PlayTerminal(home, term: "no-such-terminal")
    try terminal.wait(for: "the terminal is of no known kind")
    try terminal.wait(for: "ended 1")
  }
}
