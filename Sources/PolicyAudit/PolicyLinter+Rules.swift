import SandboxPolicy

extension PolicyLinter {
  /// What the rules show by themselves.
  func ruleFindings(_ policy: ResolvedSeccompPolicy) -> [LintFinding] {
    var findings: [LintFinding] = []
    var unconditional: [String: ResolvedSeccompPolicy.Rule] = [:]
    for rule in policy.rules where rule.conditions.isEmpty && rule.action != policy.defaultAction {
      if let first = unconditional[rule.systemCall] {
        if first.action != rule.action {
          findings.append(
            LintFinding(
              kind: .contradiction, location: rule.source,
              message:
                "\(rule.systemCall) is \(rule.action) here and \(first.action) at \(first.source): "
                + "libseccomp keeps the first, \(first.action), without a word",
              remedy: "keep one of the two rules"))
        }
      } else {
        unconditional[rule.systemCall] = rule
      }
    }
    for rule in policy.rules where !rule.conditions.isEmpty {
      if let other = unconditional[rule.systemCall] {
        findings.append(
          LintFinding(
            kind: .shadowed, location: rule.source,
            message:
              "\(rule.systemCall) has a condition here that never counts: the rule without one at "
              + "\(other.source) answers \(other.action) always",
            remedy: "remove one of the two rules"))
      }
      findings += rule.conditions.compactMap { finding($0, rule) }
    }
    findings += overlaps(policy)
    findings += actions(policy)
    return findings
  }

  private func finding(
    _ condition: ArgumentCondition, _ rule: ResolvedSeccompPolicy.Rule
  ) -> LintFinding? {
    if case .maskedEqual(let mask, let datum) = condition.test {
      if mask == 0 {
        return LintFinding(
          kind: .mask, location: rule.source,
          message:
            "the mask of \(rule.systemCall)'s argument \(condition.index) is 0, so the condition "
            + "holds for every value (libseccomp masks the datum too)",
          remedy: datum == 0
            ? "drop the condition, or give a mask"
            : "perhaps mask and datum are swapped: \"value\": \(datum), \"valueTwo\": 0")
      }
      if datum & ~mask != 0 {
        return LintFinding(
          kind: .mask, location: rule.source,
          message:
            "\(condition) has bits of the datum outside the mask, which libseccomp ignores: it "
            + "means \(hexadecimal(datum & mask))",
          remedy: "\"value\": \(mask), \"valueTwo\": \(datum & mask)")
      }
    }
    // A null pointer is the one address that says something.
    if ArgumentKind.of(rule.systemCall, argument: condition.index) == .pointer {
      switch condition.test {
      case .equal(0), .notEqual(0): return nil
      default:
        return LintFinding(
          kind: .pointer, location: rule.source,
          message:
            "argument \(condition.index) of \(rule.systemCall) is an address: what lies there is "
            + "not what is compared, and may change after the filter has run",
          remedy: "decide by the call alone")
      }
    }
    return nil
  }

  /// Conditional rules of one call with different answers that can hold together.
  private func overlaps(_ policy: ResolvedSeccompPolicy) -> [LintFinding] {
    var findings: [LintFinding] = []
    let conditional = Dictionary(
      grouping: policy.rules.filter { !$0.conditions.isEmpty && $0.action != policy.defaultAction },
      by: \.systemCall)
    for (call, rules) in conditional.sorted(by: { $0.key < $1.key }) {
      for (position, rule) in rules.enumerated() {
        let earlier = rules[..<position].first { other in
          other.action != rule.action && Self.canHoldTogether(other.conditions, rule.conditions)
        }
        guard let earlier else { continue }
        findings.append(
          LintFinding(
            kind: .contradiction, location: rule.source,
            message:
              "\(call) can meet this rule, \(rule.action), and the one at \(earlier.source), "
              + "\(earlier.action), at once; which wins is libseccomp's choice, and `explain "
              + "\(call)` shows it",
            remedy: "make the conditions exclude each other"))
      }
    }
    return findings
  }

  /// Whether some arguments meet both; when in doubt, yes.
  private static func canHoldTogether(
    _ a: [ArgumentCondition], _ b: [ArgumentCondition]
  ) -> Bool {
    for first in a {
      for second in b where first.index == second.index {
        switch (first.test, second.test) {
        case (.equal(let x), _) where !second.holds(for: x): return false
        case (_, .equal(let y)) where !first.holds(for: y): return false
        case (.maskedEqual(let m, let x), .maskedEqual(let n, let y)):
          if (x ^ y) & m & n != 0 { return false }
        default: continue
        }
      }
    }
    return true
  }

  private func actions(_ policy: ResolvedSeccompPolicy) -> [LintFinding] {
    var findings: [LintFinding] = []
    func killThread(_ location: PolicyLocation?, _ what: String) {
      findings.append(
        LintFinding(
          kind: .killThread, location: location,
          message:
            "\(what) kills one thread (SCMP_ACT_KILL and SCMP_ACT_KILL_THREAD do): the other "
            + "threads go on without it, often for ever",
          remedy: "\"action\": \"SCMP_ACT_KILL_PROCESS\""))
    }
    if policy.defaultAction == .killThread { killThread(nil, "the default action") }
    if policy.defaultAction == .log {
      findings.append(
        LintFinding(
          kind: .log,
          message: "the default action SCMP_ACT_LOG allows every call: it denies nothing",
          remedy: "\"defaultAction\": \"SCMP_ACT_ERRNO\""))
    }
    for rule in policy.rules where rule.action == .killThread {
      killThread(rule.source, "\(rule.systemCall)'s rule")
    }
    for rule in policy.rules where rule.action == .log && policy.defaultAction.permits {
      findings.append(
        LintFinding(
          kind: .log, location: rule.source,
          message:
            "\(rule.systemCall) is logged and allowed: SCMP_ACT_LOG is no denial",
          remedy: "\"action\": \"SCMP_ACT_ERRNO\""))
    }
    return findings
  }
}
