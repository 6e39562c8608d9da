import Glibc
import TestSupport
import Testing

/// A kernel without a layer, a policy that is none, a launcher that is not ours: no keyboard is
/// started, the message names what is missing, and typing goes on.
@Suite("Without its sandbox no keyboard runs", .serialized)
struct LauncherTests {
  /// Leaves a mark when it runs, and types in capitals.
  private static let marking = PythonKeyboard.script(
    """
    open(os.environ["KEYHOST_CONTAINER"] + "/ran", "w").close()
    def shout(request):
        reply(request, [{"insertText": typed(request).upper()}])
    serve(shout)
    """)

  /// A system call that a kernel does not have, or refuses.
  struct Missing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var number: Int
    /// What the kernel answers.
    var errno: Int32
    /// Only calls whose first argument has one of these bits are refused; 0 is all.
    var bits = 0
    /// The layer that the message must name.
    var layer: String
  }

  /// x86-64's numbers.
  private static let missing: [Missing] = [
    Missing(
      testDescription: "a kernel without Landlock", number: 444, errno: ENOSYS, layer: "landlock"),
    Missing(
      testDescription: "a kernel with Landlock switched off", number: 444, errno: EOPNOTSUPP,
      layer: "landlock"),
    Missing(
      testDescription: "a kernel that restricts nobody by Landlock", number: 446, errno: EPERM,
      layer: "landlock"),
    Missing(
      testDescription: "a kernel without filters", number: 317, errno: ENOSYS, layer: "seccomp"),
    Missing(
      testDescription: "network namespaces forbidden", number: 272, errno: EPERM,
      bits: 0x4000_0000, layer: "networkNamespace"),
    Missing(
      testDescription: "mount namespaces forbidden", number: 272, errno: ENOSPC, bits: 0x20000,
      layer: "privateRoot"),
    Missing(
      testDescription: "process namespaces forbidden", number: 56, errno: EPERM,
      bits: 0x2000_0000, layer: "processNamespace"),
    Missing(
      testDescription: "no new root can be entered", number: 155, errno: EPERM,
      layer: "privateRoot"),
  ]

  /// Only who is not root needs a user namespace.
  private static let forbiddenToUsers = [
    Missing(
      testDescription: "user namespaces forbidden", number: 272, errno: EPERM,
      bits: 0x1000_0000, layer: "userNamespace"),
    Missing(
      testDescription: "no user namespace left", number: 272, errno: ENOSPC, bits: 0x1000_0000,
      layer: "userNamespace"),
  ]

  @Test(
    "no keyboard is started, the layer is named, and typing goes on",
    arguments: missing + (Products.isRoot ? [] : forbiddenToUsers))
  func missingLayer(_ missing: Missing) throws {
    let home = try TemporaryHome(keyboards: ["marking": Self.marking])
    let typed = try Self.masked(missing, home, ["type"], input: "hello")
    try expectSystemKeyboard(home, typed, named: missing.layer)
    // What the doctor says of the same kernel.
    let doctor = try Self.masked(missing, home, ["doctor"])
    #expect(doctor.exitCode == 1, "\(doctor)")
    #expect(
      (doctor.standardOutput + doctor.standardError).contains(missing.layer), "\(doctor)")
  }

  @Test("with nothing masked the same keyboard types, so it is the mask that is seen")
  func control() throws {
    let home = try TemporaryHome(keyboards: ["marking": Self.marking])
    let harmless = Missing(testDescription: "", number: 1023, errno: ENOSYS, layer: "")
    let typed = try Self.masked(harmless, home, ["type"], input: "hello")
    #expect(typed.standardOutput == "HELLO\n", "\(typed)")
    #expect(Files.exists("\(home.container("marking"))/ran"))
  }

  // MARK: What belongs to the program

  enum Damage: String, Sendable, CaseIterable {
    case launcherMissing, launcherOthers, launcherImpostor, launcherSilent, noPolicies,
      policyNotJSON
    case policyUnknownCall, policyContradiction, policyOthers
  }

  @Test(
    "a policy that does not compile, or a launcher that is missing or not ours, starts no keyboard",
    arguments: Damage.allCases)
  func damaged(_ damage: Damage) throws {
    let home = try TemporaryHome(keyboards: ["marking": Self.marking])
    let prefix = try Prefix()
    let expected = try prefix.apply(damage)
    let typed = try Program(prefix.keyhost, environment: home.environment)
      .run("type", input: "hello")
    try expectSystemKeyboard(home, typed, named: expected)
  }

  @Test("the copy with nothing damaged works, so it is the damage that is seen")
  func undamaged() throws {
    let home = try TemporaryHome(keyboards: ["marking": Self.marking])
    let prefix = try Prefix()
    let typed = try Program(prefix.keyhost, environment: home.environment)
      .run("type", input: "hello")
    #expect(typed.standardOutput == "HELLO\n", "\(typed)")
  }

  private func expectSystemKeyboard(
    _ home: TemporaryHome, _ typed: ProgramResult, named word: String
  ) throws {
    #expect(typed.exitCode == 0, "\(typed)")
    #expect(typed.standardOutput == "hello\n", "\(typed)")
    #expect(typed.standardError.contains("system keyboard"), "\(typed)")
    #expect(!Files.exists("\(home.container("marking"))/ran"), "the keyboard ran")
    let log = try home.keyhost("log", "--json")
    // A machine that is very busy takes longer to hear that a launcher has ended.
    #expect(
      (typed.standardError + log.standardOutput).contains(word)
        || word == "launcher" && typed.standardError.contains("did not start in time"),
      "\(word) in neither\n\(typed)\nnor\n\(log)")
    #expect(!log.standardOutput.contains("\"event\":\"launch\""), "\(log)")
  }

  /// Runs `keyhost` on what looks like another kernel: a filter that answers for it.
  private static func masked(
    _ missing: Missing, _ home: TemporaryHome, _ arguments: [String], input: String = ""
  ) throws -> ProgramResult {
    let script = "\(home.work)/mask.py"
    try Files.write(mask, to: script)
    return try Program("/usr/bin/python3", environment: home.environment).run(
      ["-IS", script, "\(missing.number)", "\(missing.errno)", "\(missing.bits)", Products.keyhost]
        + arguments, input: Array(input.utf8))
  }

  /// `mask.py NUMBER ERRNO BITS PROGRAM ARGUMENT...`.
  private static let mask = #"""
    import ctypes, os, struct, sys

    number, errno, bits = (int(word) for word in sys.argv[1:4])
    # struct sock_filter: code, jt, jf, k.
    def instruction(code, k, true=0, false=0):
        return struct.pack("HBBI", code, true, false, k)
    LOAD, EQUAL, SET, RETURN = 0x20, 0x15, 0x45, 0x06
    ALLOW, ERRNO = 0x7FFF0000, 0x00050000
    refuse = instruction(RETURN, ERRNO | errno)
    allow = instruction(RETURN, ALLOW)
    if bits:
        program = [instruction(LOAD, 0), instruction(EQUAL, number, 0, 3), instruction(LOAD, 16),
                   instruction(SET, bits, 0, 1), refuse, allow]
    else:
        program = [instruction(LOAD, 0), instruction(EQUAL, number, 0, 1), refuse, allow]
    code = ctypes.create_string_buffer(b"".join(program))
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    # Without no new privileges where that can be: root's programs are to have them.
    if os.geteuid() != 0 and libc.prctl(38, 1, 0, 0, 0) != 0:
        sys.exit("no new privileges")
    loaded = Program(len(program), ctypes.addressof(code))
    if libc.prctl(22, 2, ctypes.addressof(loaded), 0, 0) != 0:
        sys.exit("no filter: " + os.strerror(ctypes.get_errno()))
    os.execv(sys.argv[4], sys.argv[4:])
    """#
}

/// A copy of the installed program that a test may damage.
private final class Prefix {
  let folder: String
  var keyhost: String { "\(folder)/bin/keyhost" }
  private var launcher: String { "\(folder)/libexec/keyhost/keyhost-launcher" }
  private var policies: String { "\(folder)/share/keyhost/Policies" }

  init() throws {
    folder = try Files.temporaryDirectory(mode: 0o755)
    try Files.makeDirectory("\(folder)/bin")
    try Files.makeDirectory("\(folder)/libexec/keyhost")
    try Files.makeDirectory("\(policies)/seccomp")
    // A second name for the program does where it may be made: nobody changes it.
    if link(Products.keyhost, keyhost) != 0 {
      try Files.write(Files.read(Products.keyhost), to: keyhost, mode: 0o755)
    }
    try Files.write(Files.read(Products.launcher), to: launcher, mode: 0o755)
    for name in ["keyboard.json", "seccomp/base.json", "seccomp/open-access.json"] {
      try Files.write(
        Files.read("\(SourceTree.root)/Policies/\(name)"), to: "\(policies)/\(name)")
    }
  }

  deinit { Files.remove(folder) }

  /// - Returns: a word that the message must have.
  func apply(_ damage: LauncherTests.Damage) throws -> String {
    let base = "\(policies)/seccomp/base.json"
    switch damage {
    case .launcherMissing:
      Files.remove(launcher)
      return "keyhost-launcher"
    case .launcherOthers:
      try Files.write(Files.read(launcher), to: launcher, mode: 0o757)
      return "keyhost-launcher"
    case .launcherImpostor:
      try Files.write(
        "#!/bin/sh\n: >\"$KEYHOST_CONTAINER/ran\"\necho nonsense >&5\n", to: launcher, mode: 0o755)
      return "launcher"
    case .launcherSilent:
      try Files.write("#!/bin/sh\nexit 0\n", to: launcher, mode: 0o755)
      return "launcher"
    case .noPolicies:
      Files.remove("\(policies)/keyboard.json")
      return "keyboard.json"
    case .policyNotJSON:
      try Files.write("{", to: base)
      return "base.json"
    case .policyUnknownCall:
      try replace(base, "\"read\"", "\"no-such-call\"")
      return "no-such-call"
    case .policyContradiction:
      try replace(base, "SCMP_ACT_ALLOW", "SCMP_ACT_PERHAPS")
      return "SCMP_ACT_PERHAPS"
    case .policyOthers:
      try Files.write(Files.read(base), to: base, mode: 0o666)
      return "base.json"
    }
  }

  private func replace(_ path: String, _ old: String, _ new: String) throws {
    let text = try Files.text(path)
    #expect(text.contains(old), "\(path)")
    try Files.write(text.replacing(old, with: new, maxReplacements: 1), to: path)
  }
}
