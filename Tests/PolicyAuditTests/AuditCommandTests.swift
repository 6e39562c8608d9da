import StrictJSON
import TestSupport
import Testing

/// The commands, run as programs.
@Suite struct AuditCommandTests {
  let home: TemporaryHome
  init() throws { home = try TemporaryHome() }

  private func file(_ text: String, _ name: String = "p.json") throws -> String {
    let path = "\(home.work)/\(name)"
    try Files.write(text, to: path)
    return path
  }

  private func json(_ arguments: [String], exitCode: Int32 = 0) throws -> JSONValue {
    let result = try home.keyhost.run(["audit"] + arguments + ["--json"])
    #expect(result.exitCode == exitCode, "\(result)")
    return try JSONDocument(parsing: result.standardOutput).root
  }

  @Test("the shipped policy is valid, keeps its claims and has no findings")
  func shipped() throws {
    #expect(try json(["validate", "keyboard"])["equal"]?.boolean == true)
    let claims = try json(["prove", "keyboard", "--open-access"])["claims"]?.elements ?? []
    #expect(claims.count == 16)
    #expect(claims.allSatisfy { $0["proven"]?.boolean == true })
    #expect(try json(["lint", "keyboard"])["findings"]?.elements?.isEmpty == true)
  }

  @Test("a claim that does not hold exits with 1 and a call that shows it")
  func notProven() throws {
    let result = try home.keyhost(
      "audit", "prove", "keyboard", "--open-access", "--claim=no-network")
    #expect(result.exitCode == 1)
    #expect(result.standardOutput.hasPrefix("not proven  no-network: "))
    #expect(result.standardOutput.contains("x86_64 socket(0x2, 0x1, 0x0, 0x0, 0x0, 0x0)"))
    let first = try json(
      ["prove", "keyboard", "--open-access", "--claim", "deny:socket"], exitCode: 1)
    let call = first["claims"]?.elements?.first?["witnesses"]?.elements?.first?["call"]
    #expect(call?["systemCall"]?.string == "socket")
    #expect(call?["arguments"]?.elements?.compactMap(\.string).prefix(2) == ["0x2", "0x1"])
  }

  @Test("--run makes the call that breaks a claim, and tells what the kernel did")
  func run() throws {
    let path = try file(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_EQ"}]}]}"#
    )
    let arguments = ["prove", path, "--run", "--claim", "deny:socket,arg0=2"]
    let result = try home.keyhost.run(["audit"] + arguments)
    #expect(result.exitCode == 1)
    #expect(result.standardOutput.contains("x86_64 socket(0x100000002, 0x1, 0x0"))
    let run = try json(arguments, exitCode: 1)["claims"]?.elements?.first?["witnesses"]?.elements?
      .first?["run"]
    guard run?["notRun"]?.string == nil else {
      // No namespaces here: that is said, and nothing is run.
      #expect(result.standardOutput.contains("    not run: "))
      return
    }
    #expect(
      result.standardOutput.contains("    run: let through: socket returned descriptor 0; "))
    #expect(run?["letThrough"]?.boolean == true)
    #expect(run?["outcome"]?["value"]?.uint64 == 0)
    #expect(run?["outcome"]?["errno"]?.string == nil)
    #expect(run?["unfiltered"]?["message"]?.string == "socket returned descriptor 0")
  }

  @Test("the difference of the two grant states is told by meaning")
  func difference() throws {
    let result = try home.keyhost("audit", "diff", "keyboard", "keyboard+open-access")
    #expect(result.exitCode == 1)
    #expect(result.standardOutput.contains("newly allowed\n  x86_64 socket: NOTIFY -> ALLOW\n"))
    #expect(!result.standardOutput.contains("newly denied"))
    let same = try home.keyhost("audit", "diff", "keyboard", "keyboard")
    #expect(same.exitCode == 0 && same.standardOutput == "")
  }

  @Test("one call is explained with its rules' places, and simulated")
  func explain() throws {
    let result = try home.keyhost("audit", "explain", "keyboard", "personality")
    #expect(result.lines.first == "x86_64 personality (number 0x87)")
    #expect(result.standardOutput.contains("ALLOW if (arg0 AND 0xffffffff) == 0xffffffff"))
    #expect(result.standardOutput.contains("from seccomp/base.json:"))
    let call = try home.keyhost("audit", "simulate", "keyboard", "personality", "0xffffffff")
    #expect(call.lines.first?.hasSuffix("-> ALLOW") == true)
    let other = try home.keyhost("audit", "simulate", "keyboard", "20", "--arch", "i386")
    #expect(other.lines.first?.hasSuffix("-> KILL_PROCESS") == true)
  }

  @Test("a program the kernel would refuse is disassembled with the reason, and exits with 1")
  func disassemble() throws {
    let path = try file("[[32, 0, 0, 4], [52, 0, 0, 0], [7, 0, 0, 0], [29, 0, 1, 0], [6, 0, 0, 0]]")
    let result = try home.keyhost("audit", "disassemble", path)
    #expect(result.exitCode == 1)
    #expect(result.lines.count == 5)
    #expect(result.lines[1].contains("REFUSED: divides by the constant 0"))
    #expect(result.lines[3].contains("jeq x, 0004, 0005"))
  }

  @Test("what cannot be read exits with 1 and its place, and wrong use with 2")
  func failures() throws {
    for (text, place) in [
      ("{\"defaultAction\": 5}", "p.json:1:19"), ("", "the file is empty"), ("[", "p.json"),
      (
        "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"name\": \"kexec_lod\", \"action\": \"SCMP_ACT_ERRNO\"}]}",
        "did you mean kexec_load?"
      ),
    ] {
      let result = try home.keyhost("audit", "validate", try file(text))
      #expect(result.exitCode == 1)
      #expect(result.standardOutput == "")
      #expect(result.standardError.contains(place), "\(result)")
    }
    #expect(try home.keyhost("audit", "explain", "/no/such/file").exitCode == 1)
    for arguments in [
      ["audit"], ["audit", "prove", "keyboard", "--claim", "no-such-claim"],
      ["audit", "explain", "keyboard", "--capability", "CAP_NONE"],
      ["audit", "explain", "keyboard", "--kernel", "six"],
      ["audit", "simulate", "keyboard", "opne"], ["audit", "simulate", "keyboard", "read", "x"],
      ["audit", "simulate", "keyboard", "read", "1", "2", "3", "4", "5", "6", "7"],
    ] {
      let result = try home.keyhost.run(arguments)
      #expect(result.exitCode == 2, "\(arguments): \(result)")
      #expect(result.standardError != "")
    }
    let raw = try file("[[6, 0, 0, 2147418112]]")
    #expect(try home.keyhost("audit", "validate", raw).exitCode == 2)
  }
}
