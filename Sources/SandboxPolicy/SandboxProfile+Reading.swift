import StrictJSON
import TerminalText

extension SandboxProfile {
  /// Reads a profile and the policies it names.
  ///
  /// - Parameters:
  ///   - bytes: the profile's text.
  ///   - file: its name, for messages.
  ///   - load: gives the bytes of a file named relative to the profile's folder.
  public init(
    parsing bytes: [UInt8], file: String,
    load: (_ relativePath: String) throws(PolicyError) -> [UInt8]
  ) throws(PolicyError) {
    var reader = PolicyReader(file: file)
    let root = try reader.root(of: bytes)
    let members = try reader.object(
      root, called: "a profile",
      required: ["formatVersion", "systemCalls", "files", "limits", "environment", "grants"])
    let version = try reader.unsigned(members.formatVersion, called: "\"formatVersion\"")
    guard version == 1 else {
      throw reader.error(
        "the profile's format is \(version), and this program knows 1", at: members.formatVersion)
    }
    let calls = try reader.object(
      members.systemCalls, called: "\"systemCalls\"",
      required: ["policy", "foreignArchitectures", "unknownCalls", "fallbacks"])
    let baseFile = try reader.relativePath(calls.policy, called: "\"policy\"")
    base = try SeccompPolicy(parsing: try load(baseFile), file: baseFile)
    foreignArchitectureAction = try reader.action(
      calls.foreignArchitectures, errno: nil, errnoName: "errnoRet")
    unknownCallAction = try reader.unknownCalls(calls.unknownCalls)
    fallbacks = try reader.fallbacks(calls.fallbacks)
    files = try reader.files(members.files)
    limits = try reader.limits(members.limits)
    environment = try reader.environment(members.environment)

    let grants = try reader.object(
      members.grants, called: "\"grants\"", required: ["openAccess"])
    let grant = try reader.object(
      grants.openAccess, called: "\"openAccess\"",
      required: ["systemCalls", "files", "environment"])
    let additionFile = try reader.relativePath(grant.systemCalls, called: "\"systemCalls\"")
    var additions = PolicyReader(file: additionFile)
    let rules = try additions.additions(try load(additionFile))
    openAccess = Addition(
      rules: rules, files: try reader.files(grant.files),
      environment: try reader.environment(grant.environment))
    notes = reader.notes + base.notes + additions.notes
    // Our own policies have to be beyond doubt.
    if let warning = notes.first(where: { $0.severity == .warning }) {
      throw PolicyError(warning.message, at: warning.location)
    }
  }
}

/// The members of an object all of whose keys were required.
@dynamicMemberLookup
struct RequiredMembers {
  let values: [String: JSONValue]
  let whole: JSONValue

  subscript(dynamicMember name: String) -> JSONValue { values[name] ?? whole }
}

extension PolicyReader {
  func object(
    _ value: JSONValue, called name: String, required: Set<String>
  ) throws(PolicyError) -> RequiredMembers {
    let members = try members(of: value, called: name, allowed: required)
    for key in required.sorted() where members[key] == nil {
      throw error("\(name) has no \"\(key)\"", at: value)
    }
    return RequiredMembers(values: members, whole: value)
  }

  /// A path that stays in the profile's folder.
  func relativePath(_ value: JSONValue, called name: String) throws(PolicyError) -> String {
    let path = try string(value, called: name)
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard !parts.contains(""), !parts.contains(".."), !parts.contains("."),
      !path.utf8.contains(0)
    else {
      throw error("\(name) must be a path below the profile's folder", at: value)
    }
    return path
  }

  mutating func unknownCalls(_ value: JSONValue) throws(PolicyError) -> SeccompAction {
    let members = try members(
      of: value, called: "\"unknownCalls\"", allowed: ["action", "errnoRet", "comment"])
    guard let name = members["action"] else {
      throw error("\"unknownCalls\" has no \"action\"", at: value)
    }
    let action = try action(name, errno: members["errnoRet"], errnoName: "errnoRet")
    guard !action.permits else {
      throw error("calls that the policy does not know may not be allowed", at: name)
    }
    return action
  }

  /// Rules without conditions that answer when a call's conditional rules do not hold.
  mutating func fallbacks(_ list: JSONValue) throws(PolicyError) -> [SeccompPolicy.Rule] {
    let rules = try rules(list)
    var seen: Set<String> = []
    for rule in rules {
      guard rule.conditions.isEmpty, rule.includes == .init(), rule.excludes == .init() else {
        throw PolicyError("a fallback has no conditions", at: rule.location)
      }
      guard !rule.action.permits else {
        throw PolicyError("a fallback may not allow", at: rule.location)
      }
      for name in rule.names where !seen.insert(name.text).inserted {
        throw PolicyError("\(printable(name.text)) has a fallback already", at: name.location)
      }
    }
    return rules
  }

  /// What a grant adds: rules that allow, or that ask the supervisor.
  mutating func additions(_ bytes: [UInt8]) throws(PolicyError) -> [SeccompPolicy.Rule] {
    let root = try root(of: bytes)
    let members = try object(root, called: "a grant's policy", required: ["syscalls"])
    let rules = try rules(members.syscalls)
    for rule in rules {
      guard rule.action == .allow || rule.action == .notify else {
        throw PolicyError(
          "a grant only ever adds, so its rules are SCMP_ACT_ALLOW or SCMP_ACT_NOTIFY",
          at: rule.location)
      }
      guard rule.includes == .init(), rule.excludes == .init() else {
        throw PolicyError("a grant's rule has no includes and excludes", at: rule.location)
      }
    }
    return rules
  }

  func files(_ list: JSONValue) throws(PolicyError) -> [FileRule] {
    guard let entries = list.elements else { throw expected("a list", for: "\"files\"", list) }
    var result: [FileRule] = []
    for entry in entries {
      let members = try members(
        of: entry, called: "an entry of \"files\"",
        allowed: ["place", "rights", "optional", "comment"])
      guard let place = members["place"], let rights = members["rights"] else {
        throw error("an entry of \"files\" needs \"place\" and \"rights\"", at: entry)
      }
      guard let spot = FileRule.Place(try string(place, called: "\"place\"")) else {
        throw error(
          "\"place\" is an absolute path without \"..\", or one of bundle, container, "
            + "sharedContainer, temporary, interpreter", at: place)
      }
      if result.contains(where: { $0.place == spot }) {
        throw error("this place has an entry already", at: place)
      }
      var set: Set<FileRight> = []
      for right in try strings(rights, called: "\"rights\"") {
        let name = right.string ?? ""
        guard let known = FileRight(rawValue: name) else {
          let near =
            NearName.nearest(to: name, among: FileRight.allCases.map(\.rawValue))
            .map { "; did you mean \($0)?" } ?? ""
          throw error("\"\(printable(name))\" is no right of Landlock\(near)", at: right)
        }
        set.insert(known)
      }
      var isOptional = false
      if let optional = members["optional"] {
        isOptional = try boolean(optional, called: "\"optional\"")
      }
      result.append(FileRule(place: spot, rights: set, isOptional: isOptional))
    }
    return result
  }

  func limits(_ value: JSONValue) throws(PolicyError) -> SandboxLimits {
    let members = try object(
      value, called: "\"limits\"",
      required: [
        "residentMemory", "dataSegment", "addressSpace", "fileSize", "coreSize", "openFiles",
        "processes", "containerQuota",
      ])
    return SandboxLimits(
      residentMemory: try unsigned(members.residentMemory, called: "\"residentMemory\""),
      dataSegment: try unsigned(members.dataSegment, called: "\"dataSegment\""),
      addressSpace: try unsigned(members.addressSpace, called: "\"addressSpace\""),
      fileSize: try unsigned(members.fileSize, called: "\"fileSize\""),
      coreSize: try unsigned(members.coreSize, called: "\"coreSize\""),
      openFiles: try unsigned(members.openFiles, called: "\"openFiles\""),
      processes: try unsigned(members.processes, called: "\"processes\""),
      containerQuota: try unsigned(members.containerQuota, called: "\"containerQuota\""))
  }

  func environment(_ value: JSONValue) throws(PolicyError) -> EnvironmentRule {
    let members = try object(value, called: "\"environment\"", required: ["pass", "set"])
    var rule = EnvironmentRule()
    for entry in try strings(members.pass, called: "\"pass\"") {
      rule.pass.append(try variable(entry.string ?? "", at: entry))
    }
    guard let pairs = members.set.members else {
      throw expected("an object", for: "\"set\"", members.set)
    }
    for (name, value) in pairs {
      let text = try string(value, called: "a variable's value")
      guard !text.utf8.contains(0) else { throw error("a variable's value has a NUL", at: value) }
      rule.set[try variable(name, at: value)] = text
    }
    return rule
  }

  private func variable(_ name: String, at value: JSONValue) throws(PolicyError) -> String {
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "=")), !name.utf8.contains(0) else {
      throw error("\"\(printable(name))\" is no name of a variable", at: value)
    }
    return name
  }
}
