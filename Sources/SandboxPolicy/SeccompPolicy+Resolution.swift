import TerminalText

extension SeccompPolicy {
  /// Decides everything a situation decides, the way container runtimes do.
  ///
  /// Rules that `includes` and `excludes` leave out are dropped; an argument index that is repeated
  /// within a rule makes each of its conditions a rule of its own (what runc does). A name that the
  /// table does not know is dropped with a warning where its rule allows, and an error where it
  /// would have denied: there the misspelling takes protection away.
  ///
  /// - Returns: the policy, and what was noticed on the way (not the notes of reading).
  public func resolve(
    for situation: PolicySituation, table: some SystemCallTable
  ) throws(PolicyError) -> (policy: ResolvedSeccompPolicy, notes: [PolicyNote]) {
    var notes: [PolicyNote] = []
    var resolved: [ResolvedSeccompPolicy.Rule] = []
    var hints = NearNames(table.names(on: situation.architecture))
    for rule in rules where rule.applies(in: situation) {
      let alternatives = rule.alternatives(notes: &notes)
      for name in rule.names {
        guard table.isKnown(name.text) else {
          notes.append(try unknown(name, in: rule, &hints))
          continue
        }
        for conditions in alternatives {
          resolved.append(
            .init(
              systemCall: name.text, conditions: conditions, action: rule.action,
              source: name.location))
        }
      }
    }
    let policy = ResolvedSeccompPolicy(
      defaultAction: defaultAction,
      architectures: architectures(in: situation, notes: &notes),
      // libseccomp's own choice, which container runtimes leave as it is.
      foreignArchitectureAction: .killThread, rules: resolved)
    return (policy, notes)
  }

  private func architectures(
    in situation: PolicySituation, notes: inout [PolicyNote]
  ) -> [SeccompArchitecture] {
    let native = situation.architecture
    if let family = architectureMap?.first(where: { $0.architecture == native }) {
      return [native] + family.subArchitectures
    }
    guard let architectures else { return [native] }
    if architectures.contains(native) { return architectures }
    notes.append(
      PolicyNote(
        .warning,
        "\(native.rawValue) is not among the architectures; runtimes add the native one, so its "
          + "calls are judged by these rules too",
        at: PolicyLocation(file: file, line: 1, column: 1)))
    return [native] + architectures
  }

  private func unknown(
    _ name: Rule.Name, in rule: Rule, _ hints: inout NearNames
  ) throws(PolicyError) -> PolicyNote {
    let near = hints.nearest(to: name.text).map { "; did you mean \($0)?" } ?? ""
    if !rule.action.permits, defaultAction.permits {
      throw PolicyError(
        "no system call is named \(printable(name.text)), so this rule would deny nothing\(near)",
        at: name.location)
    }
    return PolicyNote(
      .warning,
      "this libseccomp knows no system call named \(printable(name.text)), so it gets the default here, "
        + "\(defaultAction)\(near)",
      at: name.location)
  }
}

/// Finds what unknown names may have meant. Each is compared with every name there is, so after so
/// many of them, which nobody mistyped, no more are sought.
private struct NearNames {
  static let most = 100

  private let names: [String]
  private var found: [String: String?] = [:]

  init(_ names: some Sequence<String>) { self.names = Array(names) }

  mutating func nearest(to word: String) -> String? {
    if let known = found[word] { return known }
    if found.count >= Self.most { return nil }
    let near = NearName.nearest(to: word, among: names)
    found[word] = .some(near)
    return near
  }
}

extension SeccompPolicy.Rule {
  /// Whether `includes` and `excludes` let the rule count. All capabilities of `includes` must be
  /// held; one of `excludes` is enough to leave the rule out.
  func applies(in situation: PolicySituation) -> Bool {
    let name = situation.architecture.goName ?? ""
    if !includes.capabilities.allSatisfy(situation.capabilities.contains) { return false }
    if !includes.architectures.isEmpty, !includes.architectures.contains(name) { return false }
    if let minimum = includes.minimumKernel, situation.kernel < minimum { return false }
    if excludes.capabilities.contains(where: situation.capabilities.contains) { return false }
    if excludes.architectures.contains(name) { return false }
    if let minimum = excludes.minimumKernel, situation.kernel >= minimum { return false }
    return true
  }

  /// The rule's conditions as libseccomp can take them: it refuses a repeated index.
  fileprivate func alternatives(notes: inout [PolicyNote]) -> [[ArgumentCondition]] {
    guard Set(conditions.map(\.index)).count < conditions.count else { return [conditions] }
    notes.append(
      PolicyNote(
        .warning,
        "an argument is compared twice in one rule: container runtimes then take every condition "
          + "as a rule of its own, so that any of them alone is enough ("
          + conditions.map(\.description).joined(separator: " OR ") + ")",
        at: location))
    return conditions.map { [$0] }
  }
}
