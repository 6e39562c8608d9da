import Glibc
import LinuxSystem
import SandboxSelftest
import TestSupport
import Testing

@Suite("Nobody else goes short", .serialized)
struct ResourcesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.resources) }

  /// A way of filling the disk that no limit of the kernel's is in the way of.
  struct Filling: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: String
    /// What the log says of its end.
    var reason: String
  }

  private static let fillings = [
    Filling(
      testDescription: "many files",
      body: """
        for number in range(20):
            with open(f"{own}/{number}", "wb") as file: file.write(block)
        """, reason: "128 MB in its container"),
    Filling(
      testDescription: "in folders below folders",
      body: """
        folder = own
        for number in range(20):
            folder += "/f"
            os.mkdir(folder)
            with open(folder + "/file", "wb") as file: file.write(block)
        """, reason: "128 MB in its container"),
    Filling(
      testDescription: "files without names, held open",
      body: """
        for number in range(20):
            file = open(f"{own}/{number}", "wb")
            file.write(block)
            file.flush()
            os.unlink(f"{own}/{number}")
            held.append(file)
        """, reason: "128 MB in its container"),
    Filling(
      testDescription: "files without names, mapped",
      body: """
        import mmap
        for number in range(20):
            file = open(f"{own}/{number}", "wb+")
            file.write(block)
            file.flush()
            held.append(mmap.mmap(file.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ))
            os.unlink(f"{own}/{number}")
            file.close()
        """, reason: "128 MB in its container"),
    Filling(
      testDescription: "room that is kept without being written",
      body: """
        for number in range(20):
            file = os.open(f"{own}/{number}", os.O_WRONLY | os.O_CREAT)
            os.posix_fallocate(file, 0, 16 << 20)
            os.close(file)
        """, reason: "128 MB in its container"),
    Filling(
      testDescription: "many names",
      body: """
        for number in range(25_000):
            os.mkdir(f"{own}/{number}")
        """, reason: "1000 folders in its container"),
    Filling(
      testDescription: "many links",
      body: """
        for number in range(25_000):
            os.symlink("nowhere", f"{own}/{number}")
        """, reason: "10000 files or"),
    Filling(
      testDescription: "files without names, mapped behind decoys",
      body: """
        import mmap
        maps = [mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ if n % 2 else 0)
                for n in range(10_000)]
        for number in range(20):
            file = open(f"{own}/{number}", "wb+")
            file.write(block)
            file.flush()
            held.append(mmap.mmap(file.fileno(), 4096, mmap.MAP_SHARED, mmap.PROT_READ))
            os.unlink(f"{own}/{number}")
            file.close()
        """, reason: "4000 memory mappings"),
    Filling(
      testDescription: "folders deeper than anybody looks",
      body: """
        os.chdir(own)
        for number in range(200):
            os.mkdir("f")
            os.chdir("f")
        """, reason: "cannot be measured"),
    Filling(
      testDescription: "in a folder that may be listed and not entered",
      body: """
        os.mkdir(f"{own}/f")
        folder = os.open(f"{own}/f", os.O_RDONLY)
        files = [os.open(f"{own}/f/{number}", os.O_WRONLY | os.O_CREAT) for number in range(20)]
        os.fchmod(folder, 0o400)
        for file in files:
            os.write(file, block)
            os.close(file)
        """, reason: closedReason),
    Filling(
      testDescription: "in a container that may not be listed",
      body: """
        os.fchmod(os.open(own, os.O_RDONLY), 0o300)
        for number in range(20):
            with open(f"{own}/{number}", "wb") as file: file.write(block)
        """, reason: closedReason),
  ]

  /// Root looks into every folder.
  private static let closedReason =
    Products.isRoot ? "128 MB in its container" : "cannot be measured"

  @Test("a keyboard that fills the disk is ended, and says so in the log", arguments: fillings)
  func fillsDisk(_ filling: Filling) throws {
    let body = filling.body.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        import threading
        own = os.environ["KEYHOST_CONTAINER"]
        block = bytes(16 << 20)
        held = []
        def fill():
        \(body)
            print("filled", file=sys.stderr, flush=True)
            time.sleep(600)
        filler = threading.Thread(target=fill, daemon=True)
        def once(message):
            if message.get("method") == "focus" and not filler.ident:
                filler.start()
        serve(on_other=once)
        """)
    ])
    // It may need long to fill, and is looked at every two seconds.
    let running = try home.keyhost.start(["type", "--events"])
    running.send(line: #"{"open":"a"}"#)
    running.send(line: #"{"focus":"a"}"#)
    running.send(line: #"{"type":"a"}"#)
    var log = ""
    for _ in 0..<400 where !log.contains(filling.reason) {
      usleep(100_000)
      log = try home.keyhost("log", "--json").standardOutput
    }
    #expect(log.contains(filling.reason), "\(log)")
    running.send(line: #"{"type":"bc"}"#)
    running.closeInput()
    let typed = running.finish()
    #expect(typed.lines == ["a: abc"], "\(typed)")
  }

  @Test("a keyboard whose first thread ends does not escape its limits")
  func firstThread() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        import ctypes, threading
        threading.stack_size(256 << 10)
        threading.Thread(target=serve).start()
        time.sleep(0.05)
        ctypes.CDLL(None).syscall(60, 0)
        """)
    ])
    let running = try home.keyhost.start(["type", "--events"])
    running.send(line: #"{"open":"a"}"#)
    running.send(line: #"{"focus":"a"}"#)
    running.send(line: #"{"type":"a"}"#)
    var log = ""
    for _ in 0..<400 where !log.contains("its first thread ended") {
      usleep(100_000)
      log = try home.keyhost("log", "--json").standardOutput
    }
    #expect(log.contains("its first thread ended"), "\(log)")
    running.send(line: #"{"type":"bc"}"#)
    running.closeInput()
    #expect(running.finish().lines == ["a: abc"])
  }

  @Test("a sparse file takes up no room, and counts for none")
  func sparse() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        for number in range(8):
            file = os.open(os.environ["KEYHOST_CONTAINER"] + f"/{number}", os.O_RDWR | os.O_CREAT)
            os.ftruncate(file, 32 << 20)
        def wait(request):
            time.sleep(0.01)
            answer(request)
        serve(wait)
        """)
    ])
    let typed = try home.keyhost("type", input: String(repeating: "ab", count: 250))
    #expect(typed.standardOutput == String(repeating: "ab", count: 250) + "\n", "\(typed)")
    let log = try home.keyhost("log", "--json").standardOutput
    #expect(!log.contains("kept more"), "\(log)")
  }

  @Test("a flood of what is logged ends the keyboard, and leaves the log readable and small")
  func logFlood() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        def flood(request):
            answer(request)
            for number in range(5_000):
                for path in ("/etc/passwd", "/usr/lib/x", "/dev/snd/x", "/"):
                    try:
                        os.open(path, os.O_RDWR)
                    except OSError:
                        pass
        serve(flood)
        """)
    ])
    let typed = try home.keyhost("type", input: "abcabc")
    #expect(typed.standardOutput == "abcabc\n", "\(typed)")
    let log = try home.keyhost("log", "--json")
    #expect(log.exitCode == 0, "\(log)")
    #expect(log.standardOutput.contains("\"exit\""), "\(log)")
    #expect(log.lines.count < 1_000, "\(log.lines.count)")
  }

  @Test("one that failed, and has used up its share of the log, is not started again that day")
  func usedUp() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        def once(request):
            if number() == 2:
                os._exit(1)
            answer(request)
        serve(once)
        """)
    ])
    let log = "\(home.path)/state/keyhost/audit.log"
    let time = try Program("/bin/date").run("-u", "+%FT%T.000Z").lines[0]
    let line = #"{"time":"\#(time)","event":"refusal","keyboard":"org.example.fixture.one"}"# + "\n"
    let count = (256 << 10) / line.utf8.count
    try Files.write(
      Files.text(log) + String(repeating: line, count: count), to: log, mode: 0o600)
    let running = try home.keyhost.start(["type", "--events"])
    running.send(line: #"{"open":"a"}"#)
    running.send(line: #"{"focus":"a"}"#)
    running.send(line: #"{"type":"ab"}"#)
    var told: [String] = []
    for _ in 0..<200 where !told.contains(where: { $0.contains("what=launchFailed") }) {
      usleep(100_000)
      told = try home.keyhost("log", "--event", "suppressed").lines
    }
    running.send(line: #"{"type":"c"}"#)
    running.closeInput()
    #expect(running.finish().lines == ["a: abc"])
    #expect(told.contains { $0.contains("what=launchFailed") }, "\(told)")
    // The first start is the user's, and on record whatever the share.
    #expect(try home.keyhost("log", "--event", "launch").lines.count == 1)
  }

  @Test("a flood of messages, and one who never reads, cost the host neither memory nor time")
  func messageFlood() throws {
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        def flood(request):
            initialize(request)
            line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "lexicon", "params": {}})
            write((line + "\\n").encode() * 200_000)
        serve(on_initialize=flood)
        """)
    ])
    let running = try home.keyhost.start(["type", "--events"])
    running.send(line: #"{"open":"a"}"#)
    running.send(line: #"{"focus":"a"}"#)
    running.send(line: #"{"type":"abc"}"#)
    var most = 0
    for _ in 0..<30 {
      usleep(50_000)
      let fields = (try? Files.text("/proc/\(running.identifier)/statm"))?.split(separator: " ")
      most = max(most, Int(fields?.dropFirst().first ?? "") ?? 0)
    }
    #expect(most * 4_096 < 128 << 20, "\(most) pages")
    running.closeInput()
    let typed = running.finish()
    #expect(typed.lines == ["a: abc"], "\(typed)")
  }

  /// Where a pipe is told of every crash, as crash reporters arrange it, core files would hand what
  /// was typed to whoever listens there. It is a setting of the whole machine.
  @Test(
    "a crash hands no memory to a crash reporter",
    .enabled(if: Attacked.isFull && Products.isRoot))
  func coreToPipe() throws {
    let setting = "/proc/sys/kernel/core_pattern"
    let before = try Files.text(setting)
    let folder = try Files.temporaryDirectory(mode: 0o755)
    defer { Files.remove(folder) }
    let reporter = "\(folder)/report"
    try Files.write("#!/bin/sh\ncat >\"\(folder)/core-$1\"\n", to: reporter, mode: 0o755)
    guard (try? Self.set(setting, "|\(reporter) %e\n")) != nil else {
      print("not testable here: \(setting) cannot be written")
      return
    }
    defer { try? Self.set(setting, before) }
    // Outside a crash is reported.
    let outside = "\(folder)/outside"
    try Files.write(Files.read("/usr/bin/sleep"), to: outside, mode: 0o755)
    // The shell's own child is not yet that program.
    let crashed = try Program("/bin/sh").run(
      "-c", "'\(outside)' 9 & sleep 0.5; kill -SEGV $!; wait")
    for _ in 0..<100 where !Files.exists("\(folder)/core-outside") { usleep(20_000) }
    #expect(Files.exists("\(folder)/core-outside"), "\(crashed)")
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        def crash(request):
            signal.raise_signal(signal.SIGSEGV)
        serve(crash)
        """)
    ])
    #expect(try home.keyhost("type", input: "abc").standardOutput == "abc\n")
    usleep(500_000)
    let reported = try Files.list(folder).filter { $0.hasPrefix("core-") }
    #expect(reported == ["core-outside"], "\(reported)")
  }

  /// Without the flags that /proc does not take.
  private static func set(_ path: String, _ text: String) throws {
    let file = try FileDescriptor.open(path, .write)
    _ = try file.write(Array(text.utf8)[...])
  }
}
