import StrictJSON
import TerminalText

extension SeccompPolicy {
  static let actionNames: [String: SeccompAction] = [
    "SCMP_ACT_KILL": .killThread, "SCMP_ACT_KILL_THREAD": .killThread,
    "SCMP_ACT_KILL_PROCESS": .killProcess, "SCMP_ACT_TRAP": .trap(0),
    "SCMP_ACT_ERRNO": .errno(1), "SCMP_ACT_TRACE": .trace(1), "SCMP_ACT_ALLOW": .allow,
    "SCMP_ACT_LOG": .log, "SCMP_ACT_NOTIFY": .notify,
  ]

  private static let flagNames: Set<String> = [
    "SECCOMP_FILTER_FLAG_TSYNC", "SECCOMP_FILTER_FLAG_LOG", "SECCOMP_FILTER_FLAG_SPEC_ALLOW",
    "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV",
  ]

  /// Reads a policy strictly: unknown and repeated keys, wrong types, numbers out of range and
  /// contradicting forms are errors with line and column, never a silent default.
  ///
  /// - Parameters:
  ///   - bytes: the text, UTF-8, at most 4 MiB.
  ///   - file: its name, for messages.
  public init(parsing bytes: [UInt8], file: String) throws(PolicyError) {
    var reader = PolicyReader(file: file)
    let root = try reader.root(of: bytes)
    let members = try reader.members(
      of: root, called: "a seccomp policy",
      allowed: [
        "defaultAction", "defaultErrnoRet", "architectures", "archMap", "flags", "listenerPath",
        "listenerMetadata", "syscalls",
      ])
    guard let action = members["defaultAction"] else {
      throw reader.error("the policy has no \"defaultAction\"", at: root)
    }
    self.file = file
    defaultAction = try reader.action(
      action, errno: members["defaultErrnoRet"], errnoName: "defaultErrnoRet")
    if members["architectures"] != nil, members["archMap"] != nil {
      throw reader.error(
        "\"architectures\" and \"archMap\" exclude each other; keep one", atKey: "archMap",
        of: root)
    }
    architectures = try reader.architectures(members["architectures"])
    architectureMap = try reader.architectureMap(members["archMap"])
    flags = try reader.flags(members["flags"], known: Self.flagNames)
    listenerPath = try reader.optionalString(members["listenerPath"], called: "listenerPath")
    listenerMetadata = try reader.optionalString(
      members["listenerMetadata"], called: "listenerMetadata")
    if listenerMetadata != nil, listenerPath == nil {
      throw reader.error(
        "\"listenerMetadata\" has no meaning without \"listenerPath\"", atKey: "listenerMetadata",
        of: root)
    }
    rules = []
    if !reader.isAbsent(members["syscalls"], called: "syscalls"), let list = members["syscalls"] {
      rules = try reader.rules(list)
      if rules.isEmpty {
        reader.note(
          .note, "there are no rules: every call gets the default, \(defaultAction)", at: list)
      }
    } else {
      reader.note(
        .note, "there are no rules: every call gets the default, \(defaultAction)", at: root)
    }
    notes = reader.notes
  }
}

extension PolicyReader {
  mutating func action(
    _ value: JSONValue, errno: JSONValue?, errnoName: String
  ) throws(PolicyError) -> SeccompAction {
    let name = try string(value, called: "an action")
    guard let action = SeccompPolicy.actionNames[name] else {
      let near =
        NearName.nearest(to: name, among: SeccompPolicy.actionNames.keys)
        .map { "; did you mean \"\($0)\"?" } ?? ""
      throw error("\"\(printable(name))\" is no seccomp action\(near)", at: value)
    }
    guard let errno, !errno.isNull else {
      if let errno { note(.note, "null is read as if \"\(errnoName)\" were absent", at: errno) }
      return action
    }
    let number = try unsigned(errno, called: "\"\(errnoName)\"")
    switch action {
    case .errno:
      // libseccomp refuses more than 4094, and cuts what does not fit 16 bits: 65536 becomes 0.
      guard number <= 4094 else {
        throw error(
          "\"\(errnoName)\" is \(number), and error numbers end at 4094: a larger one would be "
            + "cut, and could report success for a refused call", at: errno)
      }
      if number == 0 {
        note(
          .warning, "\"\(errnoName)\" 0 makes a refused call look as if it had succeeded",
          at: errno)
      }
      return .errno(UInt16(number))
    case .trace:
      guard let data = UInt16(exactly: number) else {
        throw error("\"\(errnoName)\" is \(number), and a tracer gets 16 bits", at: errno)
      }
      return .trace(data)
    default:
      throw error("\(name) has no error number, so \"\(errnoName)\" would say nothing", at: errno)
    }
  }

  mutating func architectures(
    _ value: JSONValue?
  ) throws(PolicyError) -> [SeccompArchitecture]? {
    if isAbsent(value, called: "architectures") { return nil }
    guard let value else { return nil }
    let entries = try strings(value, called: "\"architectures\"")
    if entries.isEmpty {
      note(.note, "an empty list of architectures means the native one alone", at: value)
      return nil
    }
    var result: [SeccompArchitecture] = []
    for entry in entries {
      let architecture = try architecture(entry)
      if result.contains(architecture) {
        throw error("\(architecture.rawValue) is listed twice", at: entry)
      }
      result.append(architecture)
    }
    return result
  }

  func architecture(_ value: JSONValue) throws(PolicyError) -> SeccompArchitecture {
    let name = try string(value, called: "an architecture")
    guard let architecture = SeccompArchitecture(rawValue: name) else {
      let names = SeccompArchitecture.allCases.map(\.rawValue)
      let near =
        (NearName.nearest(to: name, among: names) ?? names.first { $0.hasSuffix(name) })
        .map { "; did you mean \"\($0)\"?" } ?? ""
      throw error("\"\(printable(name))\" is no architecture of seccomp\(near)", at: value)
    }
    return architecture
  }

  mutating func architectureMap(
    _ value: JSONValue?
  ) throws(PolicyError) -> [SeccompPolicy.ArchitectureFamily]? {
    if isAbsent(value, called: "archMap") { return nil }
    guard let value else { return nil }
    guard let entries = value.elements else { throw expected("a list", for: "\"archMap\"", value) }
    var result: [SeccompPolicy.ArchitectureFamily] = []
    for entry in entries {
      let members = try members(
        of: entry, called: "an entry of \"archMap\"", allowed: ["architecture", "subArchitectures"])
      guard let name = members["architecture"] else {
        throw error("an entry of \"archMap\" has no \"architecture\"", at: entry)
      }
      let architecture = try architecture(name)
      if result.contains(where: { $0.architecture == architecture }) {
        throw error("\(architecture.rawValue) has two entries in \"archMap\"", at: name)
      }
      var subArchitectures: [SeccompArchitecture] = []
      // Generators write null where an architecture has none; that is no cause for a note.
      if let list = members["subArchitectures"], !list.isNull {
        for item in try strings(list, called: "\"subArchitectures\"") {
          subArchitectures.append(try self.architecture(item))
        }
      }
      result.append(.init(architecture: architecture, subArchitectures: subArchitectures))
    }
    return result
  }

  mutating func flags(_ value: JSONValue?, known: Set<String>) throws(PolicyError) -> [String] {
    if isAbsent(value, called: "flags") { return [] }
    guard let value else { return [] }
    var result: [String] = []
    for entry in try strings(value, called: "\"flags\"") {
      let name = entry.string ?? ""
      guard known.contains(name) else {
        throw error("\"\(printable(name))\" is no flag of the OCI specification", at: entry)
      }
      result.append(name)
    }
    return result
  }

  mutating func optionalString(
    _ value: JSONValue?, called name: String
  ) throws(PolicyError) -> String? {
    if isAbsent(value, called: name) { return nil }
    guard let value else { return nil }
    return try string(value, called: "\"\(name)\"")
  }
}
