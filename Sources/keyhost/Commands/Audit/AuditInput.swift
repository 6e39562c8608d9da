import ClassicBPF
import CommandLineInterface
import Glibc
import KeyboardHost
import LinuxSystem
import PolicyAudit
import SandboxPolicy
import Seccomp
import StrictJSON

/// What the audit commands have in common: reading filters by the options of a command line.
struct AuditInput {
  /// The largest file that is read, in bytes.
  private static let limit = 4 << 20

  let situation: PolicySituation
  let grants: SandboxGrants
  /// The most steps that a question may take.
  let budget: Int
  /// Whether the command has an option for that.
  private var hasBudget = true

  static let options: [Option] = [
    .flag("open-access", "Resolve a keyboard profile with open access granted."),
    .value(
      "capability", "NAME", isRepeatable: true,
      "A capability the process holds, such as CAP_SYS_ADMIN; none if not given."),
    .value("kernel", "VERSION", "The kernel's version; the running one's if not given."),
    .value(
      "architecture", "NAME",
      "The machine's architecture, such as x86_64, aarch64 or mips64; this one's if not given."),
    .json,
  ]

  /// Of the commands that follow a filter for every input.
  static let followingOptions: [Option] =
    [
      .value(
        "budget", "STEPS",
        "How many steps following every input may take before it is given up, which is an error; "
          + "\(InputSets.ordinaryBudget) if not given.")
    ] + options

  /// - Parameter hasBudget: whether the command's options are ``followingOptions``.
  init(_ invocation: Invocation, hasBudget: Bool = true) throws {
    self.hasBudget = hasBudget
    let native = try Self.architecture(invocation.value("architecture"))
    let version = invocation.value("kernel") ?? Self.kernelRelease()
    guard let kernel = KernelVersion(version) else {
      throw UsageError("`--kernel` is a version such as 6.1, and `\(version)` is none")
    }
    let capabilities = invocation.values("capability")
    for name in capabilities where !Capability.isKnown(name) {
      throw UsageError("`--capability`: no capability is named `\(name)`")
    }
    situation = PolicySituation(
      architecture: native, kernel: kernel, capabilities: Set(capabilities))
    grants = SandboxGrants(openAccess: invocation.has("open-access"))
    budget = try Self.budget(invocation)
  }

  private static func budget(_ invocation: Invocation) throws(UsageError) -> Int {
    guard let text = invocation.value("budget") else { return InputSets.ordinaryBudget }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let steps = Int(text), steps > 0 else {
      throw UsageError("`--budget` is a number of steps, 1 or more, and `\(text)` is none")
    }
    return steps
  }

  private static func architecture(_ name: String?) throws(UsageError) -> SeccompArchitecture {
    guard let name else {
      guard let native = SeccompArchitecture.native else {
        throw UsageError(
          "the audit knows no filters of this machine's architecture; `--architecture` names another"
        )
      }
      return native
    }
    // There is no machine of x32: its programs run under the kernel of x86-64.
    let machines = SeccompArchitecture.allCases.filter { $0 != .x32 }
    guard let found = machines.first(where: { CallSpace.shortName($0) == name }) else {
      throw UsageError(
        "`--architecture`: no architecture is named `\(name)`; there are: "
          + machines.map(CallSpace.shortName).joined(separator: ", "))
    }
    return found
  }

  /// The same situation with other grants.
  init(
    situation: PolicySituation, openAccess: Bool, budget: Int = InputSets.ordinaryBudget
  ) {
    self.situation = situation
    self.budget = budget
    grants = SandboxGrants(openAccess: openAccess)
  }

  var space: CallSpace { CallSpace(native: situation.architecture, table: LibseccompTable()) }

  /// Reads a filter by its file; the profile that ships by the word `keyboard`, and with its grant by
  /// `keyboard+open-access`; the filters of a running process by `pid:N`.
  func filter(_ name: String) throws -> FilterSubject {
    if name == "keyboard+open-access" {
      return try AuditInput(situation: situation, openAccess: true, budget: budget).filter(
        "keyboard")
    }
    if name.hasPrefix("pid:") {
      return try FilterSubject(ofProcess: try Self.process(String(name.dropFirst(4))))
    }
    let path = name == "keyboard" ? try InstalledResources().policy("keyboard.json") : name
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
    let limit = CompilingLimit(file: path, budget: budget, hasOption: hasBudget)
    var reader = FilterReader(situation: situation, grants: grants)
    reader.onCompiling = { limit.reached($0) }
    limit.start()
    defer { limit.end() }
    return try reader.read(try Self.contents(of: path), name: path) { file throws(PolicyError) in
      do {
        return try Self.contents(of: folder.map { "\($0)/\(file)" } ?? file)
      } catch { throw PolicyError("\(error)") }
    }
  }

  /// - Throws: also when the file is longer than any filter is.
  static func contents(of path: String) throws -> [UInt8] {
    let bytes = try OpenFile(followingLinksTo: path).read(upTo: limit + 1)
    guard bytes.count <= limit else {
      throw AuditError("\(path): the file is longer than 4 MB, which no filter is")
    }
    return bytes
  }

  /// A claim by its name among those that ship, by its file, or as an expression.
  static func claim(_ name: String) throws -> Claim {
    if let claim = try Claim(expression: name) { return claim }
    if name.contains("/") || name.hasSuffix(".json") {
      return try Claim(parsing: try contents(of: name), file: name)
    }
    let all = try InstalledResources().claims()
    // `no-io_uring` is how the call is written.
    let plain = name.replacing("_", with: "-")
    guard let claim = all.first(where: { $0.name == plain }) else {
      throw UsageError(
        "no claim is named `\(name)`; there are: " + all.map(\.name).joined(separator: ", ")
          + ", no-socket-family=FAMILY and deny:CALL,arg1=VALUE")
    }
    return claim
  }

  private static func kernelRelease() -> String {
    var names = utsname()
    guard unsafe uname(&names) == 0 else { return "" }
    return unsafe withUnsafePointer(to: &names.release) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 65) { text in
        unsafe String(cString: text)
      }
    }
  }
}

extension Console {
  /// Prints what was noticed in reading, to the error output.
  func printNotes(_ subject: FilterSubject) {
    for note in subject.notes { printError(note.description) }
  }
}

extension JSONWriter {
  mutating func member(_ key: String, _ witness: Witness) {
    self.key(key)
    beginObject()
    member("architecture", orNull: witness.architecture.map(CallSpace.shortName))
    member("auditArchitecture", witness.input.architecture)
    member("number", witness.input.number)
    member("systemCall", orNull: witness.systemCall)
    member(
      "arguments", strings: witness.input.arguments.map { "0x" + String($0, radix: 16) })
    member("answer", witness.action.description)
    member("requirement", orNull: witness.requirement)
    endObject()
  }

  mutating func member(_ key: String, _ notes: [PolicyNote]) {
    self.key(key)
    beginArray()
    for note in notes {
      beginObject()
      member("severity", note.severity.rawValue)
      member("message", note.message)
      member("file", note.location.file)
      member("line", note.location.line)
      member("column", note.location.column)
      endObject()
    }
    endArray()
  }
}
