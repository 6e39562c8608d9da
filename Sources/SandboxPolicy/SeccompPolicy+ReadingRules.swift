import StrictJSON
import TerminalText

extension PolicyReader {
  private static let ruleKeys: Set<String> = [
    "name", "names", "action", "errnoRet", "args", "comment", "includes", "excludes",
  ]

  /// The entries of a `syscalls` list.
  mutating func rules(_ list: JSONValue) throws(PolicyError) -> [SeccompPolicy.Rule] {
    guard let entries = list.elements else { throw expected("a list", for: "\"syscalls\"", list) }
    var result: [SeccompPolicy.Rule] = []
    result.reserveCapacity(entries.count)
    for entry in entries { result.append(try rule(entry)) }
    return result
  }

  mutating func rule(_ value: JSONValue) throws(PolicyError) -> SeccompPolicy.Rule {
    let members = try members(
      of: value, called: "an entry of \"syscalls\"", allowed: Self.ruleKeys)
    guard let action = members["action"] else {
      throw error("the rule has no \"action\"", at: value)
    }
    return SeccompPolicy.Rule(
      names: try names(of: value, members),
      action: try self.action(action, errno: members["errnoRet"], errnoName: "errnoRet"),
      conditions: try conditions(members["args"]),
      includes: try selector(members["includes"], called: "includes"),
      excludes: try selector(members["excludes"], called: "excludes"),
      comment: try optionalString(members["comment"], called: "comment"),
      location: location(of: value))
  }

  private mutating func names(
    of rule: JSONValue, _ members: [String: JSONValue]
  ) throws(PolicyError) -> [SeccompPolicy.Rule.Name] {
    let values: [JSONValue]
    switch (members["name"], members["names"]) {
    case (.some, .some):
      throw error(
        "\"name\" and \"names\" exclude each other; keep \"names\"", atKey: "name", of: rule)
    case (let name?, nil): values = [name]
    case (nil, let names?): values = try strings(names, called: "\"names\"")
    case (nil, nil): throw error("the rule names no system call", at: rule)
    }
    if values.isEmpty { throw error("the rule names no system call", at: rule) }
    var result: [SeccompPolicy.Rule.Name] = []
    for value in values {
      let name = try string(value, called: "a system call's name")
      guard !name.isEmpty else { throw error("a system call's name is empty", at: value) }
      guard name.utf8.allSatisfy(Self.isNameByte) else {
        throw error(
          "\"\(printable(name))\" is no system call's name: those have only a-z, 0-9 and _",
          at: value)
      }
      if result.contains(where: { $0.text == name }) {
        note(.warning, "\(name) is named twice in one rule", at: value)
        continue
      }
      result.append(.init(text: name, location: location(of: value)))
    }
    return result
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func conditions(
    _ value: JSONValue?
  ) throws(PolicyError) -> [ArgumentCondition] {
    // The oldest dialect writes `"args": null` in every rule.
    guard let value, !value.isNull else { return [] }
    guard let entries = value.elements else { throw expected("a list", for: "\"args\"", value) }
    var result: [ArgumentCondition] = []
    for entry in entries {
      let members = try members(
        of: entry, called: "an entry of \"args\"", allowed: ["index", "value", "valueTwo", "op"])
      guard let index = members["index"], let datum = members["value"],
        let operation = members["op"]
      else { throw error("a condition needs \"index\", \"value\" and \"op\"", at: entry) }
      let number = try unsigned(index, called: "\"index\"")
      guard number < 6 else {
        throw error("\"index\" is \(number), and a call has arguments 0 to 5", at: index)
      }
      let first = try unsigned(datum, called: "\"value\"")
      var second: UInt64 = 0
      if let two = members["valueTwo"] { second = try unsigned(two, called: "\"valueTwo\"") }
      let test = try test(operation, first, second, members["valueTwo"])
      result.append(ArgumentCondition(index: Int(number), test: test))
    }
    return result
  }

  private mutating func test(
    _ operation: JSONValue, _ first: UInt64, _ second: UInt64, _ secondValue: JSONValue?
  ) throws(PolicyError) -> ArgumentCondition.Test {
    let name = try string(operation, called: "\"op\"")
    if name != "SCMP_CMP_MASKED_EQ", second != 0, let secondValue {
      note(.warning, "\"valueTwo\" says nothing with \(printable(name))", at: secondValue)
    }
    switch name {
    case "SCMP_CMP_NE": return .notEqual(first)
    case "SCMP_CMP_LT": return .less(first)
    case "SCMP_CMP_LE": return .lessOrEqual(first)
    case "SCMP_CMP_EQ": return .equal(first)
    case "SCMP_CMP_GE": return .greaterOrEqual(first)
    case "SCMP_CMP_GT": return .greater(first)
    case "SCMP_CMP_MASKED_EQ": return .maskedEqual(mask: first, second)
    default:
      throw error("\"\(printable(name))\" is no comparison of libseccomp", at: operation)
    }
  }

  private mutating func selector(
    _ value: JSONValue?, called name: String
  ) throws(PolicyError) -> SeccompPolicy.Selector {
    var result = SeccompPolicy.Selector()
    if isAbsent(value, called: name) { return result }
    guard let value else { return result }
    let members = try members(
      of: value, called: "\"\(name)\"", allowed: ["caps", "arches", "minKernel"])
    if let caps = members["caps"], !isAbsent(caps, called: "caps") {
      for entry in try strings(caps, called: "\"caps\"") {
        let capability = entry.string ?? ""
        if !Capability.names.contains(capability) {
          let near =
            NearName.nearest(to: capability, among: Capability.names)
            .map { "; did you mean \($0)?" } ?? ""
          note(
            .warning, "\"\(printable(capability))\" is no capability, so it is never held\(near)",
            at: entry)
        }
        result.capabilities.append(capability)
      }
    }
    if let arches = members["arches"], !isAbsent(arches, called: "arches") {
      let known = Set(SeccompArchitecture.allCases.compactMap(\.goName))
      for entry in try strings(arches, called: "\"arches\"") {
        let architecture = entry.string ?? ""
        if !known.contains(architecture) {
          note(
            .warning,
            "\"\(printable(architecture))\" is no architecture's name, so it never matches",
            at: entry)
        }
        result.architectures.append(architecture)
      }
    }
    if let kernel = members["minKernel"], !isAbsent(kernel, called: "minKernel") {
      let text = try string(kernel, called: "\"minKernel\"")
      guard let version = KernelVersion(text) else {
        throw error(
          "\"minKernel\" must be a version such as \"4.8\", and is \"\(printable(text))\"",
          at: kernel)
      }
      result.minimumKernel = version
    }
    return result
  }
}
