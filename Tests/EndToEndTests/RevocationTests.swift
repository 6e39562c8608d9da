import Glibc
import TestSupport
import Testing

/// What is taken away is gone when the command says so, whatever the host is doing.
@Suite("Taking away from what runs")
struct RevocationTests {
  /// The process of the last launch in the log.
  private static func process(_ server: RunningServer) throws -> pid_t {
    let lines = try server.log().split(separator: "\n").filter { $0.contains(#""launch""#) }
    let line = try #require(lines.last, "nothing was launched")
    let parts = line.split(separator: #""process":"#)
    return try #require(parts.count > 1 ? pid_t(parts[1].prefix { $0.isNumber }) : nil)
  }

  /// Whether a process has ended, reaped or not.
  private static func hasEnded(_ process: pid_t) -> Bool {
    guard let stat = try? Files.text("/proc/\(process)/stat"),
      let state = stat.split(separator: ")").last?.first(where: { $0 != " " })
    else { return true }
    return state == "Z" || state == "X"
  }

  @Test("a host that stands still keeps no keyboard", arguments: ["revoke", "remove", "uninstall"])
  func stoppedHost(action: String) throws {
    let home = try TemporaryHome(
      keyboards: ["talker": PythonKeyboard.shouting], requestsOpenAccess: true)
    let keyboard = TemporaryHome.identifier("talker")
    try home.expectSuccess("grant", keyboard, "open-access", "--keep-container")
    let server = try RunningServer(home)
    let client = try server.client(presents: true)
    let field = try client.open("note")
    try field.becomeFirstResponder()
    try client.wait { client.presentation?.displayName == "talker" }
    try field.type("a")
    try client.wait { field.text == "A" }
    let process = try Self.process(server)
    #expect(!Self.hasEnded(process))
    server.program.signal(SIGSTOP)
    switch action {
    case "revoke": try home.expectSuccess("revoke", keyboard, "open-access")
    case "remove": try home.expectSuccess("keyboards", "remove", keyboard)
    default: try home.expectSuccess("apps", "remove", "org.example.fixture")
    }
    #expect(Self.hasEnded(process))
    server.program.signal(SIGCONT)
    // The field is served on.
    try field.type("b")
    try client.wait { field.text.count == 2 }
    server.end()
    #expect(try Files.list("\(home.path)/config/keyhost/running").isEmpty)
  }
}
