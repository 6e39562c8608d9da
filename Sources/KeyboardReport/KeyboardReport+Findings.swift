import PolicyAudit
import SandboxLaunch
import TerminalText

extension KeyboardReport {
  /// What is wrong, for people, each made safe to show: a claim that does not hold, a promise that
  /// is not kept here, an app that cannot be used, a log that is damaged. What a keyboard tried and
  /// was refused is no fault.
  public var findings: [String] {
    var found: [String] = []
    for policy in policies {
      for claim in policy.brokenClaims {
        let example = claim.witness.map { ", as in \($0)" } ?? ""
        found.append(
          "not proven \(policy.grants.phrase): \(claim.name): \(claim.title)\(example)")
      }
    }
    for change in changes where change.kind == .newlyDenied {
      found.append(
        "open access takes away what a keyboard has without it: \(change.witness)")
    }
    if let problem = trial.problem {
      found.append("no keyboard is started here: \(VisibleText.escape(problem))")
    }
    for evidence in PromiseEvidence.all where evidence.state(trial) == .notKept {
      found.append("not kept here: that a keyboard cannot \(evidence.promise.meaning)")
    }
    for fault in faults {
      found.append(
        VisibleText.escape("the app \(fault.app) cannot be used: \(fault.message)"))
    }
    if let problem = history.problem {
      found.append("the audit log could not be read to its end: \(problem)")
    }
    for line in history.damaged {
      found.append("\(VisibleText.escape(line.file)):\(line.line): this is not an audit line")
    }
    let more = history.damagedCount - history.damaged.count
    if more > 0 { found.append("and \(more) more lines of the audit log that are none") }
    return found
  }
}
