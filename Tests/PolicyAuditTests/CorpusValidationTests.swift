import PolicyAudit
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// Published profiles, compiled for all architectures they name and compared with their rules.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason)))
struct CorpusValidationTests {
  @Test(
    "published profiles are compiled as they say",
    arguments: [
      "moby-default-v1.12.0.json", "moby-default-v20.10.24.json",
      "moby-profiles-master-2026-08.json", "moby-fixture-conditional_clone3.json",
      "containers-common-v0.38.0.json", "jessfraz-chrome.json", "docker-labs-deny.json",
    ])
  func validated(name: String) throws {
    let policy = try SeccompPolicy(parsing: try Corpus.read(name), file: name)
    let (resolved, _) = try policy.resolve(
      for: PolicySituation(architecture: .x8664, kernel: KernelVersion(major: 6, minor: 1)),
      table: ValidationTests.table)
    let program = try SeccompCompiler().compile(resolved)
    let outcome = try PolicyValidator().validate(
      program, against: resolved, table: ValidationTests.table)
    #expect(outcome == .equal)
  }
}
