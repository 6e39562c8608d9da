import Glibc
import StrictJSON
import TestSupport
import Testing

/// `keyhost audit inspect` of a keyboard that runs, and of what is none.
@Suite("Inspecting a running process")
struct AuditInspectTests {
  /// The number of the keyboard's process, from the log, while it runs.
  private static func process(_ home: TemporaryHome) throws -> Int64 {
    for _ in 0..<300 {
      let log = try home.keyhost("log", "--json", "--event", "launch")
      if let line = log.lines.first,
        let process = try JSONDocument(parsing: Array(line.utf8)).root["process"]?.int64
      {
        return process
      }
      usleep(50_000)
    }
    throw Missing()
  }

  private struct Missing: Error {}

  @Test("a running keyboard is shown with its launch, its file rules and its policy")
  func keyboard() throws {
    let home = try MisbehaviourTests.home(PythonKeyboard.shouting)
    let session = try home.keyhost.start(["type"])
    session.send(line: "a")
    let process = try Self.process(home)
    let result = try home.keyhost("audit", "inspect", "\(process)", "--json")
    let root = try JSONDocument(parsing: result.standardOutput).root
    #expect(result.exitCode == (Products.isRoot ? 0 : 1), "\(result)")
    let launch = try #require(root["launch"]?["record"])
    #expect(launch["keyboard"]?.string == MisbehaviourTests.identifier)
    #expect(launch["openAccess"]?.boolean == false)
    let files = launch["files"]?.elements ?? []
    let container = try #require(files.first { $0["path"]?.string == "/container" }, "\(files)")
    #expect(container["rights"]?.elements?.compactMap(\.string).contains("WRITE_FILE") == true)
    let bundle = try #require(files.first { $0["path"]?.string == "/bundle" })
    #expect(
      bundle["rights"]?.elements?.compactMap(\.string) == ["EXECUTE", "READ_FILE", "READ_DIR"])
    #expect(root["noNewPrivileges"]?["value"]?.boolean == true)
    #expect(root["capabilities"]?["effective"]?.elements?.isEmpty == true)
    #expect(root["filters"]?["mode"]?.string == "filter")
    if Products.isRoot {
      let filters = root["filters"]?["values"]?.elements ?? []
      #expect(filters.last?["policy"]?.string == "keyboard")
      #expect(filters.last?["sameProgram"]?.boolean == true)
      #expect(filters.last?["digest"]?.string == launch["policy"]?.string)
      #expect(launch["policyInForce"]?.boolean == true)
      let network = root["namespaces"]?.elements?.first { $0["kind"]?.string == "net" }
      #expect(network?["shared"]?.boolean == false)
      // The policy in the file against the filters in force.
      let same = try home.keyhost("audit", "diff", "keyboard", "pid:\(process)")
      #expect(same.exitCode == 0 && same.standardOutput == "", "\(same)")
      let other = try home.keyhost("audit", "diff", "keyboard+open-access", "pid:\(process)")
      #expect(other.exitCode == 1)
      let proven = try home.keyhost(
        "audit", "prove", "pid:\(process)", "--claim", "no-network", "--claim", "no-ptrace")
      #expect(proven.exitCode == 0, "\(proven)")
    } else {
      #expect(root["filters"]?["values"]?.elements == nil)
      #expect(root["filters"]?["notPermitted"]?.string != nil)
      let refused = try home.keyhost("audit", "explain", "pid:\(process)")
      #expect(refused.exitCode == 1)
      #expect(refused.standardError.contains("may not be read"))
    }
    let text = try home.keyhost("audit", "inspect", "\(process)")
    #expect(text.standardOutput.contains("    /container: "), "\(text)")
    #expect(text.standardOutput.contains("keyboard \(MisbehaviourTests.identifier), at "))
    // Looking at it has not disturbed it.
    session.send(line: "b")
    session.closeInput()
    #expect(session.finish().standardOutput.contains("B"))
    let gone = try home.keyhost("audit", "inspect", "\(process)")
    #expect(gone.exitCode == 1)
    #expect(gone.standardError.contains("there is no process \(process)"), "\(gone)")
  }

  @Test("what is no process is wrong use, and what is none of ours has no launch")
  func others() throws {
    let home = try TemporaryHome()
    for text in ["", "x", "0", "-1", "1.5", "99999999999", "١"] {
      #expect(try home.keyhost("audit", "inspect", "--", text).exitCode == 2, "\(text)")
      #expect(try home.keyhost("audit", "explain", "pid:\(text)").exitCode == 2, "\(text)")
    }
    let sleeper = try Program("/bin/sleep", environment: home.environment).start(["60"])
    let result = try home.keyhost("audit", "inspect", "\(sleeper.identifier)")
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.standardOutput.contains("none: every system call is allowed"))
    #expect(result.standardOutput.contains("no launch of this process in \(home.path)/"))
    #expect(result.standardOutput.contains("\n  no\n"))
  }
}
