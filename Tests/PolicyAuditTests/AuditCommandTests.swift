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
    #expect(claims.count == 18)
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

  @Test("capabilities, kernel and architecture choose among rules")
  func situation() throws {
    let path = try file(
      """
      {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
        {"names": ["clone3"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38,
         "includes": {"arches": ["amd64"]}, "excludes": {"caps": ["CAP_SYS_ADMIN"]}},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 89,
         "includes": {"arches": ["mips64"]}, "excludes": {"caps": ["CAP_SYS_ADMIN"]}}]}
      """)
    func answer(_ options: String...) throws -> String? {
      let result = try home.keyhost.run(["audit", "explain", path, "clone3"] + options)
      return result.lines.dropFirst().first
    }
    #expect(try answer("--architecture", "x86_64") == "  ERRNO(38 ENOSYS) always")
    #expect(
      try answer("--architecture=x86_64", "--capability", "CAP_SYS_ADMIN") == "  ALLOW always")
    let other = try home.keyhost(
      "audit", "explain", path, "clone3", "--architecture", "mips64")
    #expect(other.lines.first?.hasPrefix("mips64 clone3 ") == true, "\(other)")
    #expect(other.lines.filter { $0.contains("clone3 (number") }.count == 1)
    #expect(other.lines.dropFirst().first?.hasPrefix("  ERRNO(89") == true, "\(other)")
    #expect(
      try json(["validate", path, "--architecture", "mips64"])["equal"]?.boolean == true)
    let conditions = try file(
      #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 2, "value": 4294967303, "op": "SCMP_CMP_EQ"}]}]}"#,
      "conditions.json")
    for architecture in ["s390x", "mips64", "ppc64", "riscv64", "ppc64le"] {
      let result = try json(["validate", conditions, "--architecture", architecture])
      #expect(result["equal"]?.boolean == true, "\(architecture)")
      let explained = try home.keyhost(
        "audit", "explain", conditions, "read", "--architecture", architecture)
      #expect(
        explained.standardOutput.contains("ALLOW if arg2 == 0x100000007"), "\(explained)")
    }
    // What cannot be run here is said to be so.
    let run = try home.keyhost(
      "audit", "prove", path, "--run", "--architecture", "mips64", "--capability",
      "CAP_SYS_ADMIN", "--claim", "deny:clone3")
    #expect(run.exitCode == 1)
    #expect(run.standardOutput.contains("    not run: no program of that architecture"))
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
      ["audit", "explain", "keyboard", "--architecture", "vax"],
      ["audit", "explain", "pid:0"],
      ["audit", "lint", "keyboard", "--budget", "0"],
      ["audit", "prove", "keyboard", "--budget", "1e9"],
      ["audit", "diff", "keyboard", "keyboard", "--budget=-1"],
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

  @Test("what takes more steps than the budget is an error, and nothing is said to be so")
  func budget() throws {
    for command in [
      ["validate", "keyboard"], ["prove", "keyboard"], ["prove", "keyboard", "--json"],
      ["explain", "keyboard"], ["explain", "keyboard", "read"], ["lint", "keyboard"],
      ["diff", "keyboard", "keyboard+open-access"],
    ] {
      let result = try home.keyhost.run(["audit"] + command + ["--budget", "100"])
      #expect(result.exitCode == 1, "\(command)")
      #expect(result.standardOutput == "", "\(command)")
      #expect(result.standardError.contains("gave up at "), "\(result)")
      #expect(result.standardError.contains("budget of 100 steps"), "\(result)")
    }
    #expect(
      try home.keyhost("audit", "prove", "keyboard", "--budget", "50000000").exitCode == 0)
  }

  /// Comparisons of order with all six arguments in each of 60 rules: libseccomp takes hours.
  @Test("what libseccomp does not finish compiling is given up with the call, and nothing is said")
  func compiling() throws {
    let rules = (0..<60).map { rule in
      let conditions = (0..<6).map { index in
        let value = (rule * 7919 + index * 104_729) * 2_654_435_761 % (1 << 32)
        let comparison = ["LT", "GT", "NE"][(rule + index) % 3]
        return "{\"index\": \(index), \"value\": \(value), \"op\": \"SCMP_CMP_\(comparison)\"}"
      }
      return """
        {"names": ["socket"], "action": "SCMP_ACT_ERRNO", "args": [\(conditions.joined(separator: ","))]}
        """
    }
    let path = try file(
      "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [\(rules.joined(separator: ","))]}")
    let result = try home.keyhost("audit", "validate", path, "--json")
    #expect(result.exitCode == 1)
    #expect(result.standardOutput == "")
    #expect(result.standardError.contains("\(path): gave up at socket: "), "\(result)")
  }

  @Test("a claim may be named as the call is written, and a call that would do harm is not made")
  func names() throws {
    #expect(try home.keyhost("audit", "prove", "keyboard", "--claim", "no-io_uring").exitCode == 0)
    let path = try file("[[6, 0, 0, 2147418112]]")
    let arguments = ["prove", path, "--run", "--claim", "deny:sync"]
    let result = try home.keyhost.run(["audit"] + arguments)
    #expect(result.exitCode == 1)
    let run = try json(arguments, exitCode: 1)["claims"]?.elements?.first?["witnesses"]?.elements?
      .first?["run"]
    #expect(run?["notRun"]?.string != nil)
    #expect(run?["outcome"]?.isNull == true && run?["unfiltered"]?.isNull == true)
    // Without namespaces it is not even judged.
    guard run?["letThrough"]?.isNull != true else { return }
    #expect(run?["letThrough"]?.boolean == true)
    #expect(result.standardOutput.contains("    run: let through, and not made: "))
  }

  /// What a person may hand over by mistake or on purpose, what is said about it, and where.
  static let wrongInputs: [(text: String, message: String)] = {
    func rule(_ members: String) -> String {
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ERRNO", \#(members)}]}"#
    }
    func condition(_ value: String) -> String {
      rule(#""args": [{"index": 0, "value": \#(value), "op": "SCMP_CMP_EQ"}]"#)
    }
    return [
      ("hello", "p.json:1:1: no value begins with 'h'"),
      ("[\"a\"]", "p.json:1:2: instruction 0 is not a list [code, jt, jf, k]"),
      ("[]", "p.json:1:1: a list is a program, and this one has no instruction"),
      ("// x\n{}", "p.json:1:1: comments are not part of JSON"),
      (
        #"{"defaultAction": "SCMP_ACT_ALLOW" /* x */}"#,
        "p.json:1:36: comments are not part of JSON"
      ),
      ("\u{feff}{}", "p.json:1:1: a byte order mark"),
      (#"{"defaultAction": "SCMP_ACT_ALLOW", "defaultAction": "SCMP_ACT_LOG"}"#, "stands twice"),
      (#"{"defaultAction": 5}"#, "p.json:1:19: an action must be a string"),
      (#"{"defaultAction": null}"#, "p.json:1:19: an action must be a string, and is null"),
      ("null", "p.json:1:1: a policy is an object, and this is null"),
      ("{}", "p.json:1:1: the policy has no \"defaultAction\""),
      (condition("18446744073709551616"), "does not fit into 64 bits"),
      (condition("-1"), "must be a whole number from 0 to 2^64-1, and -1 is not"),
      (condition("1.5"), "must be a whole number from 0 to 2^64-1, and 1.5 is not"),
      (rule(#""errnoRet": 4095"#), "\"errnoRet\" is 4095, and error numbers end at 4094"),
      (rule(#""errnoRet": 65536"#), "\"errnoRet\" is 65536, and error numbers end at 4094"),
      (rule(#""name": "write""#), "\"name\" and \"names\" exclude each other"),
      (rule(#""nmae": "write""#), "has no key \"nmae\""),
      (
        #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": [""], "action": "SCMP_ACT_ERRNO"}]}"#,
        "a system call's name is empty"
      ),
      (
        #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["kexec_lod"], "action": "SCMP_ACT_ERRNO"}]}"#,
        "so this rule would deny nothing; did you mean"
      ),
      ("[[5, 0, 0, 9], [6, 0, 0, 0]]", "instruction 0: jumps 9 instructions on, past the end"),
      ("[[21, 256, 0, 0], [6, 0, 0, 0]]", "p.json:1:7: jt of instruction 0 must be"),
      (String(repeating: "[", count: 2000), "p.json:1:65: more than 64 levels of nesting"),
      (
        "[" + Array(repeating: "[6, 0, 0, 0]", count: 4097).joined(separator: ",") + "]",
        "4097 instructions; the kernel takes at most 4096"
      ),
      (String(repeating: " ", count: 5 << 20), "longer than 4 MB"),
    ]
  }()

  @Test("each wrong input has its own message, with its place", arguments: 0..<wrongInputs.count)
  func wrongInput(index: Int) throws {
    let (text, message) = Self.wrongInputs[index]
    let path = try file(text)
    for command in [["prove", path, "--claim", "deny:read"], ["explain", path], ["lint", path]] {
      let result = try home.keyhost.run(["audit"] + command)
      #expect(result.exitCode == 1)
      #expect(result.standardOutput == "")
      #expect(result.standardError.contains(message), "\(result)")
    }
  }

  @Test("a program cut short, and one of zeros, are no permission")
  func binaryPrograms() throws {
    let cut = "\(home.work)/cut.bpf"
    try Files.write([6, 0, 0, 0, 0, 0, 0xff, 0x7f, 6, 0, 0], to: cut)
    let result = try home.keyhost("audit", "explain", cut)
    #expect(result.exitCode == 1)
    #expect(result.standardError.contains("instruction 1: the program is cut short: 11 bytes"))
    try Files.write([UInt8](repeating: 0, count: 8), to: cut)
    #expect(try home.keyhost("audit", "explain", cut).exitCode == 1)
  }
}
