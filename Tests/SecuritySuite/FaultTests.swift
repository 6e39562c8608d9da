import Glibc
import TestSupport
import Testing

/// Whatever ends a keyboard, or the host, or fills the disk: no keystroke is lost, nothing is left
/// behind, and the host does not grow.
@Suite("Faults leave nothing behind", .serialized)
struct FaultTests {
  /// Every run of the tests makes a tenth of the cycles.
  private static let cycles = Attacked.isFull ? 1_000 : 100

  /// Types what a key types, and ends in a way of its own at the third event.
  private static func ending(_ how: String) -> String {
    PythonKeyboard.script(
      """
      def end(request):
          if number() < 3:
              return answer(request)
          \(how)
      serve(end)
      """)
  }

  @Test("crash and restart, many times over: no key is lost, and the host does not grow")
  func crashes() throws {
    let home = try TemporaryHome(keyboards: ["one": Self.ending("os._exit(3)")])
    let host = try FaultHost(home)
    // Warm: caches, pools and the log's file are there.
    #expect(try host.cycle(20) == 20)
    let before = host.usage()
    let count = Self.cycles
    #expect(try host.cycle(count) == count)
    let after = host.usage()
    print("\(count) cycles: \(before) before, \(after) after")
    #expect(after.descriptors == before.descriptors)
    // A few pages for what a thousand lines of the log and a longer document take.
    #expect(after.resident <= before.resident + 2_000_000, "\(before) \(after)")
    #expect(try host.lastingZombies().isEmpty)
    #expect(after.children <= 1)
    try host.end()
    let log = try home.keyhost("log", "--json", "--event", "launch")
    #expect(log.exitCode == 0, "\(log)")
    #expect(log.lines.count >= count + 20, "\(log.lines.count)")
    Self.expectIntact(home)
  }

  @Test(
    "each way of ending: no key is lost",
    arguments: [
      "os.abort()", "signal.raise_signal(signal.SIGSEGV)", "os.kill(os.getpid(), signal.SIGKILL)",
      "signal.raise_signal(signal.SIGSTOP); answer(request)",
      "memory = [bytearray(1 << 20) for _ in range(10_000)]",
      "open('/nonexistent')", "os.close(3); os._exit(0)",
      // A full folder of its own, by its limit of file sizes.
      "open(os.environ['KEYHOST_CONTAINER'] + '/full', 'wb').write(bytes(100 << 20))",
    ])
  func ways(_ how: String) throws {
    let home = try TemporaryHome(keyboards: ["one": Self.ending(how)])
    let host = try FaultHost(home)
    #expect(try host.cycle(3) == 3)
    #expect(try host.lastingZombies().isEmpty)
    try host.end()
    Self.expectIntact(home)
  }

  @Test("killed, stopped and continued from outside: no key is lost, and none of it is left")
  func fromOutside() throws {
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.plain])
    let host = try FaultHost(home)
    #expect(try host.cycle(1) == 1)
    // To a keyboard, the first process of its namespace, the others mean nothing.
    for signalNumber in [SIGKILL, SIGSTOP, SIGTERM, SIGABRT] {
      // Its successor may still be on the way: the host moves while it is asked for something.
      for _ in 0..<50 where host.children().isEmpty { #expect(try host.cycle(1) == 1) }
      let keyboard = try #require(host.children().first)
      kill(keyboard, signalNumber)
      // One that is stopped is ended for being silent, a second later.
      for _ in 0..<200 {
        #expect(try host.cycle(1) == 1)
        if !host.children().contains(keyboard) { break }
        if ![SIGKILL, SIGSTOP].contains(signalNumber) { break }
        usleep(20_000)
      }
      if [SIGKILL, SIGSTOP].contains(signalNumber) {
        #expect(!host.children().contains(keyboard), "signal \(signalNumber)")
      }
    }
    #expect(try host.lastingZombies().isEmpty)
    try host.end()
    Self.expectIntact(home)
  }

  @Test("fifty keyboards at once type, stand still for a secure field, and end with their host")
  func fifty() throws {
    let count = Attacked.isFull ? 50 : 10
    let home = try TemporaryHome()
    let app = try FixtureApp(
      keyboards: (0..<count).map {
        FixtureKeyboard(
          identifier: TemporaryHome.identifier("k\($0)"), name: "k\($0)",
          script: PythonKeyboard.plain)
      }
    ).write(to: home.work)
    try home.expectSuccess("apps", "install", app)
    for index in 0..<count {
      try home.expectSuccess("keyboards", "add", TemporaryHome.identifier("k\(index)"))
    }
    let host = try FaultHost(home)
    let answer = try host.ask("all")
    #expect(answer == "\(2 * count) " + String(repeating: "ab", count: count))
    let keyboards = host.children()
    #expect(keyboards.count == count)
    let usage = host.usage()
    print("\(count) keyboards at once: \(usage)")
    #expect(try host.ask("secure").hasSuffix(" 12"))
    #expect(try host.ask("all").hasSuffix(String(repeating: "ab", count: 2 * count)))
    // The same processes: none was lost on the way.
    #expect(host.children() == keyboards)
    // Each may have been measured meanwhile, for which one more is kept.
    #expect(host.usage().descriptors <= usage.descriptors + count)
    // It sleeps. Its wait ended at once, for ever, when a descriptor was watched whose number had passed to
    // another file; each keyboard is looked at some times in a second.
    let turns = try #require(Int(try host.ask("idle 1000")))
    #expect(turns < 40 * count)
    try host.end()
    Self.expectGone(keyboards)
    Self.expectIntact(home)
  }

  @Test("a second after its host was killed, none of three keyboards is left, and all is intact")
  func killedHost() throws {
    let home = try TemporaryHome(
      keyboards: [
        "one": PythonKeyboard.plain, "two": PythonKeyboard.plain,
        "three": PythonKeyboard.script("serve(lambda request: time.sleep(600))"),
      ])
    let host = try FaultHost(home)
    host.send("all")
    var keyboards: [Int32] = []
    // While one starts there are two of it: the first launcher and its successor.
    for _ in 0..<3_000 where keyboards.count != 3 {
      usleep(10_000)
      keyboards = host.children()
    }
    #expect(keyboards.count == 3)
    kill(host.process, SIGKILL)
    Self.expectGone(keyboards)
    Self.expectIntact(home)
    // The next host is like any other.
    #expect(
      try home.keyhost("type", "--keyboard", TemporaryHome.identifier("one"), input: "abc")
        .standardOutput == "abc\n")
  }

  @Test(
    "on a full disk typing goes on without keyboards, and what was written is whole",
    .enabled(if: Products.isRoot))
  func fullDisk() throws {
    let home = try TemporaryHome(keyboards: ["one": PythonKeyboard.shouting])
    #expect(try home.keyhost("type", input: "a").standardOutput == "A\n")
    let lines = try home.keyhost("log", "--json").lines.count
    // A disk of its own for the log and the settings, in a mount namespace of its own.
    let script = """
      set -e
      cp -a "$1/state" "$1/config" "$1/work/"
      mount -t tmpfs -o size=1m,mode=0711 none "$1/state"
      cp -a "$1/work/state/." "$1/state/"
      mount -t tmpfs -o size=1m,mode=0711 none "$1/config"
      cp -a "$1/work/config/." "$1/config/"
      dd if=/dev/zero of="$1/state/full" bs=1k 2>/dev/null || true
      dd if=/dev/zero of="$1/config/full" bs=1k 2>/dev/null || true
      shift
      # The last line of the log may still have room in its page: until the disk is really full.
      for round in $(seq 50); do
        typed=$(printf abc | "$@" type 2>"$HOME/work/errors")
        if grep -q "No space left" "$HOME/work/errors"; then break; fi
      done
      echo "$typed"
      cat "$HOME/work/errors" >&2
      "$@" keyboards move org.example.fixture.one 2 && exit 9
      "$@" keyboards list
      "$@" log --json
      """
    let result = try Program("/usr/bin/unshare", environment: home.environment)
      .run("-m", "/bin/bash", "-c", script, "-", home.path, Products.keyhost)
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.lines.first == "abc", "\(result)")
    #expect(result.standardError.contains("No space left"), "\(result)")
    #expect(result.standardOutput.contains("org.example.fixture.one"), "\(result)")
    #expect(result.standardOutput.components(containing: "\"event\"").count >= lines, "\(result)")
  }

  /// Nobody has these numbers any more, or only as somebody's unfetched child.
  private static func expectGone(_ processes: [Int32]) {
    func isThere(_ process: Int32) -> Bool {
      guard let status = try? Files.text("/proc/\(process)/status") else { return false }
      return !status.contains("\nState:\tZ") && !status.contains("\nState:\tX")
    }
    for _ in 0..<100 where processes.contains(where: isThere) { usleep(10_000) }
    for process in processes where isThere(process) {
      Issue.record("\(process) is still there: \((try? Files.text("/proc/\(process)/comm")) ?? "")")
    }
  }

  /// Settings and log can be read, line by line.
  private static func expectIntact(_ home: TemporaryHome) {
    for command in [["keyboards", "list", "--json"], ["log", "--json"], ["apps", "list"]] {
      let result = try? home.keyhost.run(command)
      #expect(result?.exitCode == 0, "\(command): \(String(describing: result))")
      #expect(result?.standardError.isEmpty == true, "\(String(describing: result))")
    }
  }
}

/// The program fault-host, seen from outside.
private final class FaultHost {
  private let running: RunningProgram
  private var typed = 0

  struct Usage: CustomStringConvertible {
    var descriptors: Int
    /// Bytes.
    var resident: Int
    var children: Int
    var description: String {
      "\(descriptors) descriptors, \(resident / 1_024) KiB resident, \(children) children"
    }
  }

  init(_ home: TemporaryHome) throws {
    running = try Program(
      "\(Products.buildFolder)/fault-host", environment: home.environment, deadline: 1_200
    ).start([Products.launcher, "\(SourceTree.root)/Policies"])
    #expect(running.readLine(within: 60) == "ready")
  }

  var process: Int32 { running.identifier }

  func send(_ command: String) { running.send(line: command) }

  func ask(_ command: String) throws -> String {
    send(command)
    return try #require(running.readLine(within: 1_000), "\(running.finish())")
  }

  /// - Returns: how many more times "abc" is there, when nothing else is.
  func cycle(_ count: Int) throws -> Int {
    let answer = try ask("cycle \(count)").split(separator: " ")
    let text = try #require(answer.last)
    #expect(text == String(repeating: "abc", count: text.count / 3))
    defer { typed = text.count / 3 }
    return text.count / 3 - typed
  }

  func end() throws {
    #expect(try ask("end") == "ended")
    let result = running.finish()
    #expect(result.exitCode == 0, "\(result)")
  }

  func children() -> [Int32] {
    let text = (try? Files.text("/proc/\(process)/task/\(process)/children")) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }.sorted()
  }

  func usage() -> Usage {
    let statm = (try? Files.text("/proc/\(process)/statm"))?.split(separator: " ") ?? []
    return Usage(
      descriptors: (try? Files.list("/proc/\(process)/fd"))?.count ?? 0,
      resident: statm.count > 1 ? (Int(statm[1]) ?? 0) * 4_096 : 0, children: children().count)
  }

  private func zombies() -> Set<Int32> {
    Set(
      children().filter {
        (try? Files.text("/proc/\($0)/status"))?.contains("\nState:\tZ") == true
      })
  }

  /// The children that have ended and that the host does not fetch. It fetches them as it moves, so
  /// one that has just ended, a launcher perhaps, is a zombie for a moment.
  func lastingZombies() throws -> Set<Int32> {
    var found = zombies()
    for _ in 0..<20 where !found.isEmpty {
      #expect(try cycle(1) == 1)
      found.formIntersection(zombies())
    }
    return found
  }
}

extension String {
  fileprivate func components(containing words: String) -> [Substring] {
    split(separator: "\n").filter { $0.contains(words) }
  }
}
