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
