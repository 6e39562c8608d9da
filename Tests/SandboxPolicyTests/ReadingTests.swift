import SandboxPolicy
import Testing

/// Bad input: each kind has its own message and its place.
@Suite struct ReadingTests {
  static func read(_ text: String) throws(PolicyError) -> SeccompPolicy {
    try SeccompPolicy(parsing: Array(text.utf8), file: "p.json")
  }

  /// A policy with one rule whose members are `rule`.
  static func withRule(_ rule: String) -> String {
    #"{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{\#(rule)}]}"#
  }

  static let wrong: [(text: String, line: Int, column: Int, message: String)] = [
    ("", 1, 1, ""),
    ("null", 1, 1, "a policy is an object, and this is null"),
    ("[]", 1, 1, "a policy is an object, and this is a list"),
    ("{}", 1, 1, "no \"defaultAction\""),
    ("\u{feff}{}", 1, 1, ""),
    ("{\n // comment\n}", 2, 2, ""),
    ("{\"defaultAction\": \"SCMP_ACT_ALLOW\",}", 1, 36, ""),
    ("{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"defaultAction\": \"SCMP_ACT_KILL\"}", 1, 37, ""),
    ("{\"defaultAction\": \"SCMP_ACT_ALOW\"}", 1, 19, "did you mean \"SCMP_ACT_ALLOW\"?"),
    ("{\"defaultAction\": 5}", 1, 19, "must be a string, and is a number"),
    ("{\"defaultAction\": null}", 1, 19, "must be a string, and is null"),
    ("{\n  \"defaultAktion\": \"SCMP_ACT_ALLOW\"}", 2, 3, "did you mean \"defaultAction\"?"),
    (
      "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"defaultErrnoRet\": 1}", 1, 56,
      "has no error number"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"defaultErrnoRet\": 4095}", 1, 56,
      "error numbers end at 4094"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [], \"archMap\": []}", 1, 58,
      "exclude each other"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"SCMP_ARCH_X86_65\"]}", 1, 55,
      "did you mean \"SCMP_ARCH_X86_64\"?"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": [\"AARCH64\"]}", 1, 55,
      "did you mean \"SCMP_ARCH_AARCH64\"?"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"architectures\": \"SCMP_ARCH_X86\"}", 1, 54,
      "must be a list, and is a string"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"flags\": [\"SECCOMP_FILTER_FLAG_X\"]}", 1, 47,
      "no flag"
    ),
    (
      "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"listenerMetadata\": \"x\"}", 1, 37,
      "without \"listenerPath\""
    ),
    ("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": {}}", 1, 49, "must be a list"),
    (withRule(""), 1, 50, "no \"action\""),
    (withRule(#""action": "SCMP_ACT_ALLOW""#), 1, 50, "names no system call"),
    (withRule(#""action": "SCMP_ACT_ALLOW", "names": []"#), 1, 50, "names no system call"),
    (
      withRule(#""action": "SCMP_ACT_ALLOW", "names": ["read"], "name": "write""#), 1, 98,
      "\"name\" and \"names\" exclude each other"
    ),
    (withRule(#""action": "SCMP_ACT_ALLOW", "name": """#), 1, 87, "is empty"),
    (withRule(#""action": "SCMP_ACT_ALLOW", "name": "re\u001b[2Jad""#), 1, 87, "\\u{1b}"),
    (
      withRule(#""action": "SCMP_ACT_ALLOW", "name": "read", "errnoRet": 1"#), 1, 107,
      "has no error number"
    ),
    (
      withRule(#""action": "SCMP_ACT_KILL", "name": "read", "errnoRet": 1"#), 1, 106,
      "has no error number"
    ),
    (
      withRule(#""action": "SCMP_ACT_ERRNO", "name": "read", "errnoRet": 65536"#), 1, 107,
      "65536"
    ),
    (
      withRule(#""action": "SCMP_ACT_ERRNO", "name": "read", "errnoRet": -1"#), 1, 107,
      "whole number"
    ),
    (
      withRule(#""action": "SCMP_ACT_ERRNO", "name": "read", "errnoRet": 1.0"#), 1, 107,
      "whole number"
    ),
    (
      withRule(#""action": "SCMP_ACT_ERRNO", "name": "read", "errnoRet": "ENOSYS""#), 1, 107,
      "must be a number, and is a string"
    ),
    (
      withRule(#""action": "SCMP_ACT_ALLOW", "name": "read", "args": [{"index": 0}]"#), 1, 104,
      "needs \"index\", \"value\" and \"op\""
    ),
    (
      withRule(
        #""action": "SCMP_ACT_ALLOW", "name": "read", "args": [{"index":6,"value":0,"op":"SCMP_CMP_EQ"}]"#
      ), 1, 113, "arguments 0 to 5"
    ),
    (
      withRule(
        #""action": "SCMP_ACT_ALLOW", "name": "read", "args": [{"index":0,"value":18446744073709551616,"op":"SCMP_CMP_EQ"}]"#
      ), 1, 123, "does not fit into 64 bits"
    ),
    (
      withRule(
        #""action": "SCMP_ACT_ALLOW", "name": "read", "args": [{"index":0,"value":0,"op":"SCMP_CMP_EQUAL"}]"#
      ), 1, 130, "no comparison"
    ),
    (
      withRule(#""action": "SCMP_ACT_ALLOW", "name": "read", "includes": {"minKernel": "4"}"#), 1,
      121, "such as \"4.8\""
    ),
    (
      withRule(#""action": "SCMP_ACT_ALLOW", "name": "read", "includes": {"cap": []}"#), 1, 108,
      "did you mean \"caps\"?"
    ),
  ]

  @Test("a wrong policy is refused with line, column and reason", arguments: wrong)
  func refused(text: String, line: Int, column: Int, message: String) {
    let error = #expect(throws: PolicyError.self) { try Self.read(text) }
    #expect(error?.location?.line == line, "\(String(describing: error))")
    #expect(error?.location?.column == column, "\(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 32 } == true)
  }

  @Test("deep nesting is an error and not the end of the stack")
  func depth() {
    let text = "{\"x\": " + String(repeating: "[", count: 100_000)
    #expect(throws: PolicyError.self) { try Self.read(text) }
  }

  @Test("integers are exact to 64 bits")
  func exactIntegers() throws {
    let policy = try Self.read(
      Self.withRule(
        #""action": "SCMP_ACT_ALLOW", "name": "read", "args": [{"index":5,"value":18446744073709551615,"valueTwo":9007199254740993,"op":"SCMP_CMP_MASKED_EQ"}]"#
      ))
    #expect(
      policy.rules[0].conditions == [
        ArgumentCondition(index: 5, test: .maskedEqual(mask: .max, 9_007_199_254_740_993))
      ])
    #expect(
      policy.rules[0].conditions[0].description
        == "(arg5 AND 0xffffffffffffffff) == 0x20000000000001")
  }

  @Test("null and empty lists are read as absent, and said so")
  func notes() throws {
    let policy = try Self.read(
      #"{"defaultAction": "SCMP_ACT_ALLOW", "architectures": null, "syscalls": null}"#)
    #expect(policy.architectures == nil)
    #expect(policy.notes.map(\.severity) == [.note, .note, .note])
    #expect(policy.notes[0].description.hasPrefix("p.json:1:54: note: null is read as"))
    let empty = try Self.read(#"{"defaultAction": "SCMP_ACT_ALLOW", "architectures": []}"#)
    #expect(empty.notes.contains { $0.message.contains("native one alone") })
  }

  @Test("an error number of 0 is a warning, because it reports success")
  func errnoZero() throws {
    let policy = try Self.read(
      Self.withRule(#""action": "SCMP_ACT_ERRNO", "name": "fsync", "errnoRet": 0"#))
    #expect(policy.rules[0].action == .errno(0))
    #expect(policy.notes.map(\.severity) == [.warning])
  }

  @Test("a rule without an error number answers EPERM whatever the default's number")
  func errnoDefaults() throws {
    let policy = try Self.read(
      #"{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ERRNO"}]}"#
    )
    #expect(policy.defaultAction == .errno(38))
    #expect(policy.rules[0].action == .errno(1))
  }

  @Test("unknown capabilities and architectures in conditions are warned about")
  func unknownSelectors() throws {
    let policy = try Self.read(
      Self.withRule(
        #""action": "SCMP_ACT_ALLOW", "names": ["read", "read"], "includes": {"caps": ["CAP_SYSADMIN"], "arches": ["amd46"]}"#
      ))
    #expect(policy.notes.map(\.severity) == [.warning, .warning, .warning])
    #expect(policy.notes.contains { $0.message.contains("did you mean CAP_SYS_ADMIN?") })
  }
}
