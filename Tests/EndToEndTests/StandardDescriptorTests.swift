import TestSupport
import Testing

/// A careless program starts others with the descriptors 0, 1 and 2 closed.
@Suite("Commands without standard descriptors")
struct StandardDescriptorTests {
  @Test(
    "nothing that is meant for a person goes into a file of the host's",
    arguments: ["<&- >&- 2>&-", "2>&-", ">&- 2>&-", "<&-"])
  func closed(redirections: String) throws {
    let home = try TemporaryHome(keyboards: ["shout": PythonKeyboard.shouting])
    for arguments in [
      ["type", "--text", "secret", "--trace"], ["type", "--events"],
      ["type", "--keyboard", "none"],
    ] {
      _ = try Program("/bin/sh", environment: home.environment).run(
        ["-c", "exec \"$0\" \"$@\" \(redirections)", Products.keyhost] + arguments)
    }
    let log = try Files.text("\(home.path)/state/keyhost/audit.log")
    #expect(!log.contains("keyhost:") && !log.contains("secret"), "\(log)")
    let shown = try home.keyhost("log")
    #expect(shown.exitCode == 0 && shown.standardError == "", "\(shown)")
    #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    let list = try home.keyhost("keyboards", "list")
    #expect(list.exitCode == 0 && list.standardError == "", "\(list)")
  }

  @Test("a limit on the size of files is an error as a full disk is, and taking away is possible")
  func fileSizeLimit() throws {
    let home = try TemporaryHome(keyboards: ["shout": PythonKeyboard.shouting])
    let keyboard = TemporaryHome.identifier("shout")
    for place in 1...24 {
      try home.expectSuccess("keyboards", "move", "system", "\(1 + place % 2)")
    }
    // The log is as long as a file may be.
    let log = "\(home.path)/state/keyhost/audit.log"
    let size = try Files.text(log).utf8.count
    let blocks = size / 512
    func run(_ arguments: String...) throws -> ProgramResult {
      try Program("/bin/sh", environment: home.environment).run(
        ["-c", "ulimit -f \(blocks); exec \"$0\" \"$@\"", Products.keyhost] + arguments)
    }
    let typed = try run("type", "--keyboard", "system", "--text", "abc")
    let moved = try run("keyboards", "move", "system", "2")
    #expect(moved.end == .exited(1) && moved.standardError.contains("keyhost: "), "\(moved)")
    let removed = try run("keyboards", "remove", keyboard)
    for result in [typed, removed] {
      guard case .exited = result.end else {
        Issue.record("\(result)")
        continue
      }
    }
    // It is installed, and has no place.
    let rows = try home.keyhost("keyboards", "list").lines.filter { $0.contains(keyboard) }
    #expect(rows.count == 1 && rows.allSatisfy { $0.hasPrefix("-") }, "\(rows)")
  }

  @Test("what cannot be written is still an error")
  func unwritten() throws {
    let home = try TemporaryHome()
    let result = try Program("/bin/sh", environment: home.environment).run([
      "-c", "exec \"$0\" \"$@\" >&-", Products.keyhost, "keyboards", "list",
    ])
    #expect(result.exitCode != 0, "\(result)")
    #expect(result.standardError.contains("keyhost: "), "\(result)")
  }
}
