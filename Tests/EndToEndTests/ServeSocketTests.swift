import AppProtocol
import Glibc
import KeyboardClient
import TestSupport
import Testing
import TextInput

@Suite("The socket of the server")
struct ServeSocketTests {
  private static func mode(_ path: String) -> UInt32 {
    var found = stat()
    return lstat(path, &found) == 0 ? UInt32(found.st_mode) & 0o777 : 0
  }

  @Test("is its user's alone, and gone when the server ends")
  func modes() throws {
    let server = try RunningServer()
    #expect(Self.mode(server.path) == 0o600)
    #expect(Self.mode("\(server.home.path)/run/keyhost") == 0o700)
    server.end()
  }

  @Test("of a server that was killed is replaced, and one that lives is an error")
  func stale() throws {
    let server = try RunningServer()
    let second = try server.home.keyhost("serve")
    #expect(second.exitCode == 1, "\(second)")
    #expect(second.standardError.contains("another server listens at"), "\(second)")
    server.program.signal(SIGKILL)
    _ = server.program.finish()
    #expect(access(server.path, F_OK) == 0)
    let next = try RunningServer(server.home)
    let client = try next.client()
    _ = try client.open("note")
    next.end()
  }

  @Test("does not take the place of anything else, and says what is wrong")
  func obstacles() throws {
    let home = try TemporaryHome()
    let file = "\(home.work)/file"
    try Files.write("mine", to: file)
    let result = try home.keyhost("serve", "--socket", file)
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardError.contains("is there and no socket"), "\(result)")
    #expect(try Files.text(file) == "mine")
    let long = "\(home.work)/" + String(repeating: "x", count: 100)
    let tooLong = try home.keyhost("serve", "--socket", long)
    #expect(tooLong.exitCode == 1, "\(tooLong)")
    #expect(tooLong.standardError.contains("more than 107 bytes"), "\(tooLong)")
    let nowhere = try home.keyhost("serve", "--socket", "\(home.work)/none/socket")
    #expect(nowhere.exitCode == 1, "\(nowhere)")
    #expect(nowhere.standardError.contains("cannot be made"), "\(nowhere)")
  }

  @Test("of a service manager is used as it is, and something else in its place is an error")
  func activation() throws {
    let home = try TemporaryHome(keyboards: ["shout": PythonKeyboard.shouting])
    let path = "\(home.work)/activated"
    // What systemd does: a socket at descriptor 3, and two variables for this very process.
    let start = """
      import os, socket, sys
      listener = socket.socket(socket.AF_UNIX, getattr(socket, sys.argv[3]))
      listener.bind(sys.argv[2])
      if sys.argv[3] == "SOCK_STREAM":
          listener.listen()
      os.dup2(listener.fileno(), 3)
      os.set_inheritable(3, True)
      environment = dict(os.environ, LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
      os.execve(sys.argv[1], [sys.argv[1], "serve"], environment)
      """
    let python = Program("/usr/bin/python3", environment: home.environment)
    let program = try python.start(["-c", start, Products.keyhost, path, "SOCK_STREAM"])
    #expect(program.readLine() == "listening (handed over)")
    let client = try KeyboardClient(
      path: path, appIdentifier: "org.example.notes", presentsKeyboard: true)
    let field = try client.open("note")
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "shout" }
    try field.type("a")
    try client.wait { field.text == "A" }
    program.signal(SIGINT)
    let result = program.finish()
    #expect(result.exitCode == 0, "\(result)")
    // It is the service manager's to take away.
    #expect(access(path, F_OK) == 0)
    let wrong = try python.start(["-c", start, Products.keyhost, path + "2", "SOCK_DGRAM"]).finish()
    #expect(wrong.exitCode == 1, "\(wrong)")
    #expect(wrong.standardError.contains("one listening local stream socket is needed"), "\(wrong)")
  }

  @Test(
    "serves no other user, even where the files would let one in",
    .enabled(if: Products.isRoot, "needs root to be somebody else"))
  func otherUser() throws {
    let home = try TemporaryHome()
    let path = "\(home.work)/socket"
    let program = try home.keyhost.start(["serve", "--socket", path])
    #expect(program.readLine()?.hasPrefix("listening ") ?? false)
    chmod(path, 0o666)
    let script = """
      import os, socket, sys
      os.setgroups([]); os.setgid(65534); os.setuid(65534)
      app = socket.socket(socket.AF_UNIX)
      app.connect(sys.argv[1])
      print(app.recv(4096).decode().strip(), app.recv(1))
      """
    let result = try Program("/usr/bin/python3").run(["-c", script, path])
    #expect(result.standardOutput.contains("own user may connect"), "\(result)")
    #expect(result.standardOutput.hasSuffix("b''\n"), "\(result)")
    program.signal(SIGTERM)
    let end = program.finish()
    #expect(end.exitCode == 0, "\(end)")
    #expect(end.standardError.contains("a program of the user 65534"), "\(end)")
  }

  @Test("takes its keyboards along when it ends")
  func keyboardsEnd() throws {
    let server = try RunningServer(keyboards: ["note": PythonKeyboard.plain])
    let client = try server.client(presents: true)
    let field = try client.open("note")
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "note" }
    server.end()
    // Nothing that it started is left in its process group.
    #expect(kill(-server.program.identifier, 0) != 0)
    #expect(throws: KeyboardClientError.self) { try client.wait { false } }
  }

  @Test("says in its help what it does")
  func help() throws {
    let home = try TemporaryHome()
    let help = try home.keyhost("serve", "--help")
    #expect(help.exitCode == 0)
    #expect(help.standardOutput.contains("--socket PATH"))
  }
}
