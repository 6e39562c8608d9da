/// The file around the system-call policy: rights over files, limits, environment, and what each
/// grant adds (`Policies/keyboard.json`).
///
/// A grant only ever adds: its part may allow more calls and more file rights, never fewer.
public struct SandboxProfile: Sendable, Hashable {
  /// What is added when the user granted something.
  struct Addition: Sendable, Hashable {
    var rules: [SeccompPolicy.Rule]
    var files: [FileRule]
    var environment: EnvironmentRule
  }

  var base: SeccompPolicy
  var foreignArchitectureAction: SeccompAction
  var unknownCallAction: SeccompAction
  /// Answers to calls none of whose conditional rules holds: the base policy has conditions for
  /// some calls, and its default action is not always the right error number.
  var fallbacks: [SeccompPolicy.Rule]
  var files: [FileRule]
  var limits: SandboxLimits
  var environment: EnvironmentRule
  var openAccess: Addition

  /// What was noticed in reading the profile and its policies.
  public var notes: [PolicyNote]

  /// The profile for a state of the grants, on the machine this runs on.
  ///
  /// - Throws: when the table does not know a call that the profile decides, or when two of its
  ///   rules contradict each other.
  public func resolve(
    grants: SandboxGrants, table: some SystemCallTable
  ) throws(PolicyError) -> ResolvedProfile {
    guard let architecture = base.architectures?.first else {
      throw PolicyError("the base policy names no architecture", at: nil)
    }
    // The profile has no conditions on the kernel or on capabilities, so any will do.
    let situation = PolicySituation(
      architecture: architecture, kernel: KernelVersion(major: 0, minor: 0))
    let (resolved, notes) = try base.resolve(for: situation, table: table)
    if let note = notes.first { throw PolicyError(note.message, at: note.location) }
    var policy = resolved
    policy.foreignArchitectureAction = foreignArchitectureAction
    policy.unknownCallAction = unknownCallAction
    for rule in fallbacks {
      for name in rule.names {
        policy.fallbacks[name.text] = .init(action: rule.action, source: name.location)
      }
    }
    var profile = ResolvedProfile(
      grants: grants, systemCalls: policy, files: files, limits: limits, environment: environment)
    if grants.openAccess { profile.add(openAccess) }
    try profile.systemCalls.checkForContradictions(table: table)
    return profile
  }
}

extension ResolvedProfile {
  fileprivate mutating func add(_ addition: SandboxProfile.Addition) {
    for rule in addition.rules {
      for name in rule.names { systemCalls.add(rule, for: name) }
    }
    for file in addition.files {
      if let index = files.firstIndex(where: { $0.place == file.place }) {
        files[index].rights.formUnion(file.rights)
      } else {
        files.append(file)
      }
    }
    environment.pass += addition.environment.pass
    environment.set.merge(addition.environment.set) { _, added in added }
  }
}

extension ResolvedSeccompPolicy {
  /// Adds what a grant allows. The base's answer to the call stays in force where the addition's
  /// conditions do not hold.
  fileprivate mutating func add(_ rule: SeccompPolicy.Rule, for name: SeccompPolicy.Rule.Name) {
    if let index = rules.firstIndex(where: {
      $0.systemCall == name.text && $0.conditions.isEmpty
    }) {
      let base = rules.remove(at: index)
      if !rule.conditions.isEmpty {
        fallbacks[name.text] = .init(action: base.action, source: base.source)
      }
    }
    rules.append(
      Rule(
        systemCall: name.text, conditions: rule.conditions, action: rule.action,
        source: name.location))
  }

  /// Refuses what another reader could take otherwise: calls decided twice without a condition, or
  /// both with and without one, unknown names, and comparisons that libseccomp gets wrong.
  fileprivate func checkForContradictions(table: some SystemCallTable) throws(PolicyError) {
    var unconditional: [String: PolicyLocation] = [:]
    var conditional: [String: Rule] = [:]
    for rule in rules {
      if !table.isKnown(rule.systemCall) {
        throw PolicyError("no system call is named \(rule.systemCall)", at: rule.source)
      }
      if rule.conditions.isEmpty {
        if let other = unconditional.updateValue(rule.source, forKey: rule.systemCall) {
          throw PolicyError("\(rule.systemCall) is decided already at \(other)", at: rule.source)
        }
      } else {
        if let other = conditional[rule.systemCall], other.action != rule.action {
          throw PolicyError(
            "\(rule.systemCall) has conditional rules with two answers; which wins where both "
              + "hold is libseccomp's guess: use one answer and a fallback", at: rule.source)
        }
        conditional[rule.systemCall] = rule
      }
      for condition in rule.conditions {
        switch condition.test {
        case .equal, .maskedEqual: continue
        default:
          throw PolicyError(
            "\(rule.systemCall) compares with other than SCMP_CMP_EQ and SCMP_CMP_MASKED_EQ, "
              + "which libseccomp does not always compile rightly", at: rule.source)
        }
      }
    }
    for (name, rule) in conditional {
      if let other = unconditional[name] {
        throw PolicyError(
          "\(name) has a condition here, and none at \(other), which wins", at: rule.source)
      }
    }
    for (name, fallback) in fallbacks {
      if !table.isKnown(name) {
        throw PolicyError("no system call is named \(printable(name))", at: fallback.source)
      }
      if let other = unconditional[name] {
        throw PolicyError(
          "\(name) has a fallback, and a rule without a condition at \(other)",
          at: fallback.source)
      }
      if conditional[name] == nil {
        throw PolicyError(
          "\(name) has a fallback and no rule with a condition", at: fallback.source)
      }
    }
  }
}
