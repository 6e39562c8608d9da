import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("A launch puts every layer in force")
struct LaunchTests {
  @Test("every required layer is reported as enforced", arguments: Launchers.all)
  func everyLayer(_ launcher: String) throws {
    let bundle = try ProbeBundle()
    let probe = try Probe(bundle.request(), launcher: launcher)
    let report = try #require(probe.report)
    for entry in report.layers where SandboxLayer.required.contains(entry.layer) {
      if entry.layer == .identity, !Products.isRoot {
        #expect(entry.state == .notRequested)
      } else {
        #expect(entry.state == .enforced, "\(entry.layer)")
      }
    }
  }
}
