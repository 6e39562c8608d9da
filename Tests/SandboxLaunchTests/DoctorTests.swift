import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import Seccomp
import TestSupport
import Testing

@Suite("The doctor tells what a keyboard would get")
struct DoctorTests {
  private func examine(
    _ allowWeaker: Set<SandboxLayer> = [], launcher: String = Launchers.built
  ) throws -> SandboxDoctor {
    let profile = try Policies.keyboard().resolve(grants: SandboxGrants(), table: LibseccompTable())
    return SandboxDoctor(
      profile: profile, program: try SeccompCompiler().compile(profile.systemCalls),
      launcher: launcher, identity: Products.isRoot ? ProbeBundle.makeIdentity() : nil,
      allowWeaker: allowWeaker)
  }

  @Test("a real launch under Keyhost's own policy works here, and keeps every promise")
  func healthy() throws {
    let doctor = try examine()
    #expect(doctor.isHealthy, "\(doctor.trial)")
    let report = try #require(doctor.report)
    for promise in SandboxPromise.all { #expect(promise.state(report) == .kept, "\(promise.name)") }
  }

  @Test("a promise whose layers are left out is told as kept by one, or not at all")
  func weaker() throws {
    let report = try #require(examine([.privateRoot]).report)
    let states = Dictionary(
      uniqueKeysWithValues: SandboxPromise.all.map { ($0.name, $0.state(report)) })
    #expect(states["foreign-files"] == .keptByOne)
    #expect(states["file-metadata"] == .notKept)
    #expect(states["local-services"] == .keptByOne)
    #expect(states["network"] == .kept)
  }

  @Test("SECURITY.md's first table has the same rows")
  func documented() throws {
    let text = try Files.text("\(SourceTree.root)/SECURITY.md")
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "|---|---|---|" }.dropFirst().prefix { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.drop { $0 == " " }.split(separator: " ") } }
    #expect(rows.map { $0[0].joined(separator: " ") } == SandboxPromise.all.map(\.meaning))
    #expect(rows.map { $0[2] == ["none"] } == SandboxPromise.all.map(\.second.isEmpty))
  }

  @Test("a launcher that cannot be used is the finding, not an error of the doctor")
  func noLauncher() throws {
    let doctor = try examine(launcher: "/nonexistent")
    #expect(!doctor.isHealthy)
    guard case .fails(let error) = doctor.trial else {
      Issue.record("\(doctor.trial)")
      return
    }
    #expect(error.errno == .noSuchFile)
  }

  @Test("the table names a first layer for every promise, and each name once")
  func table() {
    #expect(Set(SandboxPromise.all.map(\.name)).count == SandboxPromise.all.count)
    for promise in SandboxPromise.all {
      #expect(!promise.first.isEmpty)
      #expect(promise.first.isDisjoint(with: promise.second))
      // Where there is one layer alone, the table says so.
      #expect(!promise.second.isEmpty || promise.remark?.contains("no second layer") == true)
    }
  }

  @Test("`keyhost doctor` exits with 0 here, in words and in JSON")
  func command() throws {
    let home = try TemporaryHome()
    let text = try home.keyhost("doctor")
    #expect(text.exitCode == 0, "\(text)")
    #expect(text.standardOutput.contains("all required layers are in force"))
    #expect(!text.standardOutput.contains("NOT KEPT"))
    let json = try home.keyhost("doctor", "--json")
    #expect(json.exitCode == 0)
    #expect(json.standardOutput.hasPrefix("{\"isHealthy\":true,"))
    #expect(json.lines.count == 1)
  }
}
