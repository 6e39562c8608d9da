import SandboxPolicy
import Seccomp
import Testing

/// The file around the policies, and its promise that a grant only ever adds.
@Suite struct ProfileTests {
  static let base =
    #"{"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [{"names": ["read", "exit_group"], "action": "SCMP_ACT_ALLOW"}, {"names": ["socket"], "action": "SCMP_ACT_NOTIFY"}, {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": 4294967295, "valueTwo": 21537, "op": "SCMP_CMP_MASKED_EQ"}]}]}"#
  static let addition =
    #"{"syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 4294967295, "valueTwo": 2, "op": "SCMP_CMP_MASKED_EQ"}]}, {"names": ["shutdown"], "action": "SCMP_ACT_ALLOW"}]}"#
  static let profile = """
    {"formatVersion": 1, "systemCalls": {"policy": "base.json",
    "foreignArchitectures": "SCMP_ACT_KILL_PROCESS",
    "unknownCalls": {"action": "SCMP_ACT_ERRNO", "errnoRet": 38},
    "fallbacks": [{"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "errnoRet": 25}]},
    "files": [{"place": "sharedContainer", "rights": ["READ_FILE"]},
    {"place": "/usr/lib", "rights": ["READ_FILE"], "optional": true}],
    "limits": {"residentMemory": 1, "dataSegment": 2, "addressSpace": 3, "fileSize": 4,
    "coreSize": 1, "openFiles": 5, "processes": 6, "containerQuota": 7},
    "environment": {"pass": ["LANG"], "set": {"PATH": "/usr/bin"}},
    "grants": {"openAccess": {"systemCalls": "open.json",
    "files": [{"place": "sharedContainer", "rights": ["WRITE_FILE"]}],
    "environment": {"pass": [], "set": {"RES_OPTIONS": "use-vc"}}}}}
    """

  static func read(
    _ profile: String = profile, base: String = base, addition: String = addition
  ) throws(PolicyError) -> SandboxProfile {
    try SandboxProfile(parsing: Array(profile.utf8), file: "k.json") { path throws(PolicyError) in
      switch path {
      case "base.json": Array(base.utf8)
      case "open.json": Array(addition.utf8)
      default: throw PolicyError("no such file: \(path)")
      }
    }
  }

  static func resolve(_ profile: SandboxProfile, openAccess: Bool) throws -> ResolvedProfile {
    try profile.resolve(grants: SandboxGrants(openAccess: openAccess), table: LibseccompTable())
  }

  static func answer(
    _ profile: ResolvedProfile, _ number: UInt32, _ arguments: [UInt64] = []
  ) -> SeccompAction {
    PolicyEvaluator(profile.systemCalls, table: LibseccompTable()).action(
      auditValue: 0xc000_003e, number: number,
      arguments: arguments + [UInt64](repeating: 0, count: 6 - arguments.count))
  }

  @Test(
    "without a grant the base policy, the fallbacks and the answer to unknown calls are in force")
  func base() throws {
    let resolved = try Self.resolve(try Self.read(), openAccess: false)
    #expect(Self.answer(resolved, 0) == .allow)
    #expect(Self.answer(resolved, 16, [0, 21537]) == .allow)
    #expect(Self.answer(resolved, 16, [0, 21522]) == .errno(25))
    #expect(Self.answer(resolved, 41, [2]) == .notify)
    #expect(Self.answer(resolved, 48) == .errno(38))
    #expect(Self.answer(resolved, 5000) == .errno(38))
    #expect(Self.answer(resolved, 0x4000_0000) == .killProcess)
    #expect(resolved.files.map(\.rights) == [[.readFile], [.readFile]])
    #expect(resolved.files[1].isOptional)
    #expect(resolved.limits.coreSize == 1 && resolved.limits.containerQuota == 7)
    let environment = resolved.environment.apply(
      to: ["LANG": "de_DE", "LD_PRELOAD": "x", "PATH": "/home/me/bin"])
    #expect(environment.map(\.name) == ["LANG", "PATH"])
    #expect(environment.map(\.value) == ["de_DE", "/usr/bin"])
  }

  @Test("a grant adds, and where its conditions do not hold the base's answer stays")
  func openAccess() throws {
    let resolved = try Self.resolve(try Self.read(), openAccess: true)
    #expect(Self.answer(resolved, 41, [2]) == .allow)
    #expect(Self.answer(resolved, 41, [2 + 1 << 32]) == .allow)
    #expect(Self.answer(resolved, 41, [1]) == .notify)
    #expect(Self.answer(resolved, 48) == .allow)
    #expect(Self.answer(resolved, 16, [0, 21522]) == .errno(25))
    #expect(resolved.files[0].rights == [.readFile, .writeFile])
    #expect(resolved.environment.set["RES_OPTIONS"] == "use-vc")
  }

  @Test(
    "a grant that takes away, and rules that could be read two ways, are refused",
    arguments: [
      #"{"syscalls": [{"names": ["read"], "action": "SCMP_ACT_ERRNO"}]}"#,
      #"{"syscalls": [{"names": ["read"], "action": "SCMP_ACT_KILL_PROCESS"}]}"#,
      #"{"syscalls": [{"names": ["shutdown"], "action": "SCMP_ACT_LOG"}]}"#,
      #"{"syscalls": [{"names": ["shutdown"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_KILL"]}}]}"#,
      #"{"syscalls": [{"names": ["shutdown"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_GT"}]}]}"#,
      #"{"syscalls": [{"names": ["ioctl"], "action": "SCMP_ACT_ALLOW"}]}"#,
      #"{"syscalls": [{"names": ["shutdown", "shutdwon"], "action": "SCMP_ACT_ALLOW"}]}"#,
      #"{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": []}"#, "[]", "",
    ])
  func badAdditions(addition: String) {
    #expect(throws: PolicyError.self) {
      try Self.resolve(try Self.read(addition: addition), openAccess: true)
    }
  }

  @Test(
    "a wrong profile is refused",
    arguments: [
      ("\"formatVersion\": 1", "\"formatVersion\": 2", "knows 1"),
      ("\"formatVersion\": 1, ", "", "no \"formatVersion\""),
      ("\"base.json\"", "\"../base.json\"", "below the profile's folder"),
      ("\"base.json\"", "\"/etc/base.json\"", "below the profile's folder"),
      ("\"base.json\"", "\"missing.json\"", "no such file"),
      ("\"READ_FILE\"", "\"READ_FIEL\"", "did you mean READ_FILE?"),
      ("\"/usr/lib\"", "\"/usr/../lib\"", "absolute path"),
      ("\"/usr/lib\"", "\"lib\"", "absolute path"),
      ("\"/usr/lib\"", "\"sharedContainer\"", "has an entry already"),
      ("\"optional\": true", "\"optional\": 1", "must be true or false"),
      ("\"coreSize\": 1", "\"coreSize\": -1", "whole number"),
      ("\"coreSize\": 1,", "", "no \"coreSize\""),
      ("\"LANG\"", "\"LANG=x\"", "no name of a variable"),
      ("\"/usr/bin\"", "5", "must be a string"),
      ("\"errnoRet\": 25", "\"errnoRet\": 0", "as if it had succeeded"),
      ("\"SCMP_ACT_ERRNO\", \"errnoRet\": 25", "\"SCMP_ACT_ALLOW\"", "may not allow"),
      ("[\"ioctl\"]", "[\"ioctl\", \"read\"]", "without a condition"),
      ("[\"ioctl\"]", "[\"shutdown\"]", "no rule with a condition"),
      ("\"SCMP_ACT_ERRNO\", \"errnoRet\": 38}", "\"SCMP_ACT_ALLOW\"}", "may not be allowed"),
    ])
  func badProfiles(old: String, new: String, message: String) throws {
    let text = Self.profile.replacing(old, with: new)
    try #require(text != Self.profile)
    let error = #expect(throws: PolicyError.self) {
      try Self.resolve(try Self.read(text), openAccess: false)
    }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }
}
