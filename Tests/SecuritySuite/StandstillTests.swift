import Glibc
import LinuxSystem
import TestSupport
import Testing

/// The host reads and writes what it shares with a keyboard, reads its memory and its folders. None of it
/// may be a way to make it wait.
@Suite("The host never stands still because of a keyboard", .serialized)
struct StandstillTests {
  struct Holding: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: String
  }

  /// Twenty threads that change the protection of 400 MB of memory: whoever wants something of this memory
  /// waits for them, the kernel on the host's behalf too.
  private static let lock = """
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    for name in ("mprotect", "madvise"):
        getattr(libc, name).argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    size = 400 << 20
    where = libc.mmap(None, size, 1, 0x22, -1, 0)
    libc.madvise(where, size, 15)
    # Only read, so that it takes up none: every page is the one of zeros.
    page = ctypes.c_char * size
    memoryview(page.from_address(where))[::4096].tobytes()
    def protect():
        while True:
            libc.mprotect(where, size, 0)
            libc.mprotect(where, size, 1)
    for number in range(20): threading.Thread(target=protect, daemon=True).start()

    """

  private static let holdings = [
    Holding(
      testDescription: "memory that cannot be read, and paths in it that have to be",
      body: lock + """
        def reopen():
            while True: os.close(os.open(os.environ["TMPDIR"] + "/f", os.O_WRONLY | os.O_CREAT))
        for number in range(5): threading.Thread(target=reopen, daemon=True).start()
        """),
    Holding(
      testDescription: "memory that cannot be read, and is being written to the host",
      body: lock + """
        def print_it():
            while True:
                libc.madvise(where, 4096, 4)
                libc.write(1, where, 4000)
        for number in range(4): threading.Thread(target=print_it, daemon=True).start()
        """),
    Holding(
      testDescription: "output without end",
      body: """
        while True: os.write(1, bytes(65536))
        """),
    Holding(
      testDescription: "many watches of what it shares with the host",
      body: """
        import select
        kept = []
        def hold(epolls):
            entries = (ctypes.c_int * (2 * len(epolls)))()
            for place, epoll in enumerate(epolls): entries[2 * place] = epoll.fileno()
            ctypes.CDLL(None).poll(entries, len(epolls), -1)
        for round in range(26):
            epolls = [select.epoll() for number in range(60)]
            for number in range(70, 127):
                os.dup2(1, number)
                for epoll in epolls:
                    try: epoll.register(number, select.EPOLLOUT)
                    except OSError: pass
            for number in range(70, 127): os.close(number)
            thread = threading.Thread(target=hold, args=(epolls,), daemon=True)
            thread.start()
            time.sleep(0.02)
            for epoll in epolls: epoll.close()
        while True: os.write(1, bytes(65536))
        """),
  ]

  private static func running(
    _ home: TemporaryHome, _ steps: [String]
  ) throws -> RunningProgram {
    let running = try home.keyhost.start(["type", "--events", "--json"])
    for step in [#"{"open":"a"}"#, #"{"focus":"a"}"#] + steps { running.send(line: step) }
    return running
  }

  /// What handled the next key.
  private static func handled(_ running: RunningProgram) -> String? {
    while let line = running.readLine() {
      guard line.contains(#""event":"handled""#) else { continue }
      return line.contains(#""handler":"keyboard""#) ? "keyboard" : line
    }
    return nil
  }

  /// A keyboard that does something, once it has the focus, in a thread of its own.
  private static func attacker(_ body: String) -> String {
    let body = body.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
      .joined(separator: "\n")
    return PythonKeyboard.script(
      """
      import ctypes, threading
      threading.stack_size(256 << 10)
      def attack():
      \(body)
      attacker = threading.Thread(target=attack, daemon=True)
      def once(message):
          if message.get("method") == "focus" and not attacker.ident:
              attacker.start()
      serve(on_other=once)
      """)
  }

  @Test("keys of another keyboard come at once whatever one has arranged", arguments: holdings)
  func keys(_ holding: Holding) throws {
    let home = try TemporaryHome(keyboards: [
      "one": Self.attacker(holding.body), "two": PythonKeyboard.plain,
    ])
    let running = try Self.running(home, [#"{"type":"a"}"#])
    _ = Self.handled(running)
    usleep(3_000_000)
    running.send(line: #"{"keyboard":"\#(TemporaryHome.identifier("two"))"}"#)
    running.send(line: #"{"type":"a"}"#)
    _ = Self.handled(running)
    usleep(500_000)
    // One after the other. A host that stands still takes a second for each.
    let began = RunningProgram.now()
    var handlers: [String?] = []
    for _ in 0..<40 {
      running.send(line: #"{"type":"b"}"#)
      handlers.append(Self.handled(running))
    }
    #expect(handlers.allSatisfy { $0 == "keyboard" }, "\(handlers.filter { $0 != "keyboard" })")
    #expect(RunningProgram.now() - began < 15, "\(RunningProgram.now() - began) s")
    running.closeInput()
    _ = running.finish()
  }

  @Test("output without end costs the host little, and what is printed now and then is kept")
  func output() throws {
    let home = try TemporaryHome(keyboards: [
      "one": Self.attacker("while True: os.write(1, bytes(65536))")
    ])
    let running = try Self.running(home, [#"{"type":"a"}"#])
    _ = Self.handled(running)
    usleep(1_000_000)
    let before = try Self.processorTime(running)
    usleep(4_000_000)
    let spent = try Self.processorTime(running) - before
    // Of 400 hundredths of a second.
    #expect(spent < 80, "\(spent)")
    running.closeInput()
    _ = running.finish()
    let other = try TemporaryHome(keyboards: [
      "two": Self.attacker(
        """
        for number in range(400):
            os.write(2, b"line %d\\n" % number)
        """)
    ])
    let typed = try other.keyhost.run(
      ["type", "--events", "--show-output"],
      input: Array(
        """
        {"open":"a"}
        {"focus":"a"}
        {"type":"a"}
        {"wait":4000}

        """.utf8))
    let told = typed.standardOutput + typed.standardError
    // 10 lines of 7 bytes, 90 of 8 and 300 of 9.
    #expect(told.contains("printed 3490 bytes") && told.contains("line 399"), "\(typed)")
  }

  /// In hundredths of a second.
  private static func processorTime(_ running: RunningProgram) throws -> Int {
    let fields = try Files.text("/proc/\(running.identifier)/stat").split(separator: ")").last?
      .split(separator: " ")
    // utime and stime, the 14th and 15th of all.
    return [11, 12].reduce(0) { $0 + (Int(fields?.dropFirst($1).first ?? "") ?? 0) }
  }

  @Test("a page of a file cannot be kept in a pipe: outside it can, and a keyboard has none")
  func pipes() throws {
    let script = """
      import os
      made = 0
      for make in (os.pipe, lambda: os.pipe2(os.O_NONBLOCK)):
          try:
              read, write = make()
              with open(folder + "/f", "wb+") as file:
                  file.write(bytes(2 << 20)); file.flush()
                  os.sendfile(write, file.fileno(), 0, 1)
                  os.ftruncate(file.fileno(), 0)
              made += os.read(read, 2) == b"\\0"
          except PermissionError: pass
      """
    let folder = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(folder) }
    let outside = try Program("/usr/bin/python3").run(
      "-c", "folder = \"\(folder)\"\n\(script)\nprint(made)")
    #expect(outside.lines == ["2"], "\(outside)")
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        folder = os.environ["KEYHOST_CONTAINER"]
        \(script)
        serve(lambda request: reply(request, [{"insertText": str(made)}]))
        """)
    ])
    let typed = try home.keyhost("type", input: "a")
    #expect(typed.standardOutput == "0\n", "\(typed)")
  }
}
