import SandboxPolicy
import Seccomp
import TestSupport
import Testing

/// Real profiles as published, where the folder with them lies beside the source tree.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.reason))) struct CorpusTests {
  static let table = LibseccompTable()

  static func read(_ name: String) throws -> SeccompPolicy {
    try SeccompPolicy(parsing: try Corpus.read(name), file: name)
  }

  @Test(
    "every published profile is read whole, resolved and compiled for this machine",
    arguments: [
      ("moby-default-v1.12.0.json", 311), ("moby-default-v20.10.24.json", 27),
      ("moby-profiles-master-2026-08.json", 33), ("moby-fixture-conditional_clone3.json", 3),
      ("containers-common-v0.38.0.json", 26), ("jessfraz-chrome.json", 306),
      ("docker-labs-deny.json", 0),
    ])
  func readable(name: String, count: Int) throws {
    let policy = try Self.read(name)
    #expect(policy.rules.count == count, "\(policy.rules.count)")
    let (resolved, _) = try policy.resolve(
      for: ResolutionTests.amd64, table: Self.table)
    let program = try SeccompCompiler().compile(resolved)
    try program.validate()
  }

  @Test("an error number that libseccomp refuses is refused at its place")
  func errno() throws {
    let error = #expect(throws: PolicyError.self) { try Self.read("moby-fixture-example.json") }
    #expect(error?.location?.line == 30)
    #expect(error?.message.contains("12345") == true)
  }

  @Test("contradicting rules are chosen by capability and architecture")
  func conditionalClone3() throws {
    let text = String(
      decoding: try Corpus.read("moby-fixture-conditional_clone3.json"),
      as: UTF8.self)
    func answer(
      _ architecture: SeccompArchitecture, _ capabilities: Set<String>
    ) throws -> SeccompAction {
      try ResolutionTests.answer(
        "clone3", text,
        PolicySituation(
          architecture: architecture, kernel: KernelVersion(major: 6, minor: 1),
          capabilities: capabilities))
    }
    #expect(try answer(.x8664, []) == .errno(38))
    #expect(try answer(.x8664, ["CAP_SYS_ADMIN"]) == .allow)
    #expect(try answer(.mips64, []) == .errno(89))
    #expect(try Self.read("moby-fixture-conditional_clone3.json").notes.count == 2)
  }
}
