import KeyboardHost
import PolicyAudit
import SandboxLaunch
import SandboxPolicy
import TestSupport
import Testing

@testable import KeyboardReport

@Suite("What a keyboard may do, proven")
struct ProofTests {
  @Test("every claim that ships is proven, for its states and no others")
  func claims() throws {
    for policy in try Reports.policies.get() {
      let wanted = try Reports.claims().filter { $0.holds.contains(policy.grants.stateName) }
      #expect(policy.claims.map(\.name) == wanted.map(\.name))
      #expect(!policy.claims.isEmpty)
      #expect(policy.brokenClaims.isEmpty)
    }
  }

  @Test("the program is the one that the host would use")
  func program() throws {
    for policy in try Reports.policies.get() {
      let used = try PreparedPolicy(
        try Reports.resources.get().profile(), grants: policy.grants)
      #expect(policy.digest == used.digest)
      #expect(policy.files == used.profile.files)
      #expect(policy.limits == used.profile.limits)
    }
  }

  @Test(
    "each call is treated as the filter and the host treat it",
    arguments: [
      ("read", CallTreatment.allowed, CallTreatment.allowed),
      ("openat", .someArguments, .someArguments), ("clone", .someArguments, .someArguments),
      ("socket", .refused, .someArguments), ("connect", .refused, .byHost),
      ("recvmsg", .refused, .allowed), ("execve", .refused, .refused),
      ("socketpair", .refused, .refused), ("ptrace", .ends, .ends), ("mount", .ends, .ends),
      ("io_uring_setup", .ends, .ends),
    ])
  func treatment(name: String, base: CallTreatment, openAccess: CallTreatment) throws {
    let policies = try Reports.policies.get()
    #expect(policies[0].calls.first { $0.name == name }?.treatment == base)
    #expect(policies[1].calls.first { $0.name == name }?.treatment == openAccess)
  }

  @Test("every call is counted once, and open access takes nothing away")
  func counts() throws {
    let report = try Reports.report()
    for policy in report.policies {
      let sum = CallTreatment.allCases.reduce(0) { $0 + policy.count($1) }
      #expect(sum == policy.calls.count)
      #expect(Set(policy.calls.map(\.number)).count == policy.calls.count)
    }
    #expect(report.addedCalls.contains("socket"))
    #expect(!report.changes.contains { $0.kind == .newlyDenied })
    #expect(report.findings.isEmpty)
  }

  @Test("every claim stands behind a promise or behind the host's hold, and none is made up")
  func promises() throws {
    let known = Set(try Reports.claims().map(\.name))
    let used = Set(PromiseEvidence.all.flatMap(\.claimNames))
      .union(PromiseEvidence.supervisionClaims)
    #expect(used == known)
  }

  @Test(
    "a claim that does not hold is a finding with a call that shows it, and no promise is proven")
  func broken() throws {
    let claim = Claim(
      name: "no-ptrace", title: "Nothing is read.", never: [.init(calls: ["read"])],
      holds: ["base"])
    let policy = try ProvenPolicy(
      try Reports.resources.get().profile(), grants: SandboxGrants(), claims: [claim])
    #expect(policy.brokenClaims.map(\.name) == ["no-ptrace"])
    var report = try Reports.report()
    report.policies = [policy]
    #expect(report.findings.count == 1)
    #expect(
      report.findings[0].hasPrefix(
        "not proven without open access: no-ptrace: Nothing is read., as in x86_64 read("))
    let evidence = try #require(PromiseEvidence.all.first { $0.claimNames.contains("no-ptrace") })
    #expect(evidence.phrase(in: policy) == "NOT PROVEN: no-ptrace")
    let keyboard = Reports.keyboard("a")
    #expect(
      keyboard.abilities(under: policy).contains { $0.hasPrefix("Network: NOT PROVEN") },
      "what no claim speaks of is not promised")
    let page = try CheckedPage(report.html())
    #expect(page.text.contains("NOT PROVEN: no-ptrace"))
  }

  @Test("a layer that is missing is a promise that is not kept")
  func missingLayers() throws {
    let weak = SandboxTrial(
      report: EnforcementReport(states: [.seccomp: .enforced], landlockABI: 0), problem: "no root")
    let findings = try Reports.report(trial: weak).findings
    #expect(findings.contains("no keyboard is started here: no root"))
    #expect(
      findings.contains { $0.hasPrefix("not kept here: that a keyboard cannot see or change") })
    let none = SandboxTrial(report: nil, problem: "no launcher")
    #expect(
      try Reports.report(trial: none).findings == ["no keyboard is started here: no launcher"])
  }
}
