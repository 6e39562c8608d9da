import TestSupport
import Testing

/// Whoever fills the disk keeps nothing by it: what the user takes away is taken away.
@Suite(
  "On a full disk the user can take everything away",
  .enabled(if: SmallDisk.isAvailable, "not testable here: no disk can be mounted"), .serialized)
struct FullDiskTests {
  private static let keyboard = TemporaryHome.identifier("one")

  /// A home with a keyboard that has open access.
  private static func home(_ script: String = PythonKeyboard.plain) throws -> TemporaryHome {
    let home = try TemporaryHome(keyboards: ["one": script], requestsOpenAccess: true)
    try home.expectSuccess("grant", keyboard, "open-access", "--allow-host", "192.168.7.7:80")
    return home
  }

  /// Puts the settings and the log on disks of their own and fills them.
  private static let full = """
    disk "$HOME/config" 1m
    disk "$HOME/state" 1m
    fill "$HOME/config"
    full_log() { rm -f "$HOME/state/filling"; pad "$HOME/state/keyhost/audit.log"; fill "$HOME/state"; }
    full_log

    """

  @Test("revoke, keyboards remove and apps remove succeed, one after the other, and are recorded")
  func commands() throws {
    let home = try Self.home()
    let disk = try #require(SmallDisk(environment: home.environment))
    let result = try disk.run(
      Self.full + """
        if "$1" keyboards move "$2" 2; then echo "not full"; fi
        "$1" revoke "$2" open-access --host 192.168.7.7:80
        fill "$HOME/config"; fill "$HOME/state"
        "$1" revoke "$2" open-access
        fill "$HOME/config"; full_log
        "$1" keyboards remove "$2"
        fill "$HOME/config"; fill "$HOME/state"
        "$1" apps remove org.example.fixture
        "$1" keyboards list
        "$1" log
        """, Products.keyhost, Self.keyboard)
    #expect(result.exitCode == 0, "\(result)")
    let output = result.standardOutput
    // What is no taking away still fails: the disk is really full.
    #expect(!output.contains("not full"), "\(result)")
    #expect(result.standardError.contains("No space left on device"), "\(result)")
    #expect(!result.standardError.contains("not in the audit log"), "\(result)")
    #expect(output.contains("may connect to public addresses only"), "\(result)")
    #expect(output.contains("has open access no more"), "\(result)")
    #expect(output.contains("Removed org.example.fixture."), "\(result)")
    for line in [
      "capability=allowed-hosts", "capability=open-access", "change=remove", "keptData=false",
    ] { #expect(output.contains(line), "\(line): \(result)") }
  }

  @Test("without the room that is kept it succeeds too, and says what could not be recorded")
  func withoutReserve() throws {
    let home = try Self.home()
    let disk = try #require(SmallDisk(environment: home.environment))
    let result = try disk.run(
      """
      rm "$HOME"/config/keyhost/*.reserve.* "$HOME"/state/keyhost/*.reserve.*
      """ + "\n" + Self.full + """
        "$1" revoke "$2" open-access
        rm "$HOME/config/filling" "$HOME/state/filling"
        "$1" keyboards list --json
        """, Products.keyhost, Self.keyboard)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.standardError.contains("not in the audit log"), "\(result)")
    #expect(result.standardOutput.contains("\"hasOpenAccess\":false"), "\(result)")
  }

  @Test(
    "a keyboard that runs with open access is ended by the revoking",
    .enabled(if: SmallDisk.startsKeyboards, "not testable here: the launcher is another user's"))
  func running() throws {
    let home = try Self.home(
      PythonKeyboard.script(
        """
        import _socket
        def ask(request):
            try:
                _socket.socket(2, 1, 0).close()
                reply(request, [{"insertText": "y"}])
            except OSError:
                reply(request, [{"insertText": "n"}])
        serve(ask)
        """))
    let disk = try #require(SmallDisk(environment: home.environment))
    // The first keys are typed with open access, and the last by the system keyboard: on a full disk
    // nothing can be started anew.
    let result = try disk.run(
      """
      disk "$HOME/config" 1m
      disk "$HOME/state" 1m
      mkfifo "$HOME/work/keys"
      "$1" type --events --json <"$HOME/work/keys" >>"$HOME/work/typed" &
      exec 3>"$HOME/work/keys"
      echo '{"open":"a"}' >&3
      echo '{"focus":"a"}' >&3
      for round in $(seq 200); do
        echo '{"type":"a"}' >&3
        sleep 0.1
        if grep -q '"insertText":"y"' "$HOME/work/typed"; then break; fi
      done
      fill "$HOME/config"
      fill "$HOME/state"
      "$1" revoke "$2" open-access
      for round in $(seq 100); do
        sleep 0.1
        [ -n "$(pgrep -P $! 2>/dev/null)" ] || break
      done
      echo "--" >>"$HOME/work/typed"
      echo '{"type":"b"}' >&3
      exec 3>&-
      wait
      cat "$HOME/work/typed"
      """, Products.keyhost, Self.keyboard)
    #expect(result.exitCode == 0, "\(result)")
    let parts = result.standardOutput.split(separator: "--\n", maxSplits: 1)
    try #require(parts.count == 2, "\(result)")
    #expect(parts[0].contains("\"insertText\":\"y\""), "\(result)")
    #expect(!parts[1].contains("\"insertText\":\"y\""), "\(result)")
  }

  /// Stores so many MiB in its container at its first key, and is there afterwards.
  private static func storing(_ count: Int) -> String {
    PythonKeyboard.script(
      """
      def store(request):
          with open(os.environ["KEYHOST_CONTAINER"] + "/hoard", "wb") as file:
              for number in range(\(count)):
                  file.write(bytes(1 << 20))
          answer(request)
      serve(store)
      """)
  }

  @Test(
    "a keyboard that stores on a nearly full disk is ended, and its neighbour is not",
    .enabled(if: SmallDisk.startsKeyboards, "not testable here: the launcher is another user's"))
  func nearlyFull() throws {
    let home = try TemporaryHome(keyboards: [
      "one": Self.storing(12), "two": PythonKeyboard.shouting,
    ])
    let disk = try #require(SmallDisk(environment: home.environment))
    let result = try disk.run(
      """
      disk "$HOME/data" 72m
      mkfifo "$HOME/work/keys"
      "$1" type --events <"$HOME/work/keys" &
      exec 3>"$HOME/work/keys"
      echo '{"open":"a"}' >&3
      echo '{"focus":"a"}' >&3
      echo '{"keyboard":"org.example.fixture.two"}' >&3
      echo '{"type":"a"}' >&3
      echo '{"keyboard":"org.example.fixture.one"}' >&3
      echo '{"type":"b"}' >&3
      for round in $(seq 200); do
        sleep 0.1
        if "$1" log --event exit | grep -q .; then break; fi
      done
      # The neighbour is looked at as often.
      sleep 3
      "$1" log --event exit
      exec 3>&-
      wait
      """, Products.keyhost)
    #expect(result.exitCode == 0, "\(result)")
    let ends = result.lines.filter { $0.contains("  exit ") }
    #expect(ends.count == 1, "\(result)")
    #expect(
      ends.first?.contains("org.example.fixture.one") == true
        && ends.first?.contains("less than 64 MB left") == true, "\(result)")
  }

  @Test("a keyboard that keeps too much is started again only when its container was emptied")
  func tooMuch() throws {
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.shouting])
    for number in 0..<2 {
      try Files.write(
        [UInt8](repeating: 1, count: 65 << 20), to: "\(home.container("one"))/\(number)")
    }
    let refused = try home.keyhost("type", input: "abc")
    #expect(refused.standardOutput == "abc\n", "\(refused)")
    let log = try home.keyhost("log", "--event", "launchFailed").standardOutput
    #expect(log.contains("it kept more than 128 MB in its container"), "\(log)")
    #expect(log.contains("keyhost keyboards empty \(Self.keyboard)"), "\(log)")
    #expect(try home.keyhost("log", "--event", "launch").standardOutput.isEmpty)
    try home.expectSuccess("keyboards", "empty", Self.keyboard)
    #expect(try Files.list(home.container("one")).isEmpty)
    #expect(try home.keyhost("type", input: "abc").standardOutput == "ABC\n")
  }
}
