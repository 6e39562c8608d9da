import Glibc
import SandboxLaunch
import SandboxSelftest
import TestSupport
import Testing

/// The product under attack: its launcher, its policies, its own attacker.
enum Attacked {
  static let probe =
    Products.launcher.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    + "/sandbox-probe"

  static func stage() throws -> Stage {
    try Stage(launcher: Products.launcher, probe: probe, profile: Policies.keyboard())
  }

  /// Everything, and not the fixed sample that fits into every run of the tests.
  static let isFull = getenv("KEYHOST_FULL").map { String(cString: $0) } == "1"

  /// Attacks of a class: refused without and with open access, each listed layer alone, and let
  /// through without them. Where the machine cannot do it at all, the result says so.
  static func expectRefused(_ attackClass: AttackClass) throws {
    let selftest = Selftest(try stage())
    for attack in AttackCatalog.attacks(of: attackClass) {
      let result = try selftest.run(attack)
      switch result.verdict {
      case .refused(let groups):
        #expect(groups == attack.protection.layers, "\(attack.name)")
      case .notTestable(let why): print("not testable here: \(attack.name): \(why)")
      case .gotThrough(let how): Issue.record("\(attack.name) got through \(how)")
      case .unproven(let why): Issue.record("\(attack.name): \(why)")
      }
    }
  }
}

/// Foreign text reaches a terminal only in visible form.
func expectPlainText(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let hidden = text.unicodeScalars.filter {
    ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F..<0xA0).contains($0.value)
      || (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
  }
  #expect(
    hidden.isEmpty, "control characters in: \(text.debugDescription)",
    sourceLocation: sourceLocation)
}
