import SandboxLaunch
import SandboxSelftest
import Testing

@Suite("The attacks cover what is promised")
struct CatalogTests {
  @Test("every promise is attacked, and every layer that keeps it stands alone in an attack")
  func promises() {
    for promise in SandboxPromise.all {
      let attacks = AttackCatalog.all.filter { $0.protection.promise == promise.name }
      #expect(!attacks.isEmpty, "\(promise.name)")
      let groups = attacks.flatMap(\.protection.layers)
      #expect(groups.contains(promise.first), "\(promise.name): \(promise.first)")
      // A second layer of two parts is shown part by part: each stops attacks of its own.
      for layer in promise.second where promise.name != "terminal" {
        #expect(groups.contains([layer]), "\(promise.name): \(layer)")
      }
    }
  }

  @Test("every class has attacks, and every attack a name of its own")
  func names() {
    for attackClass in AttackClass.allCases {
      #expect(!AttackCatalog.attacks(of: attackClass).isEmpty, "\(attackClass)")
    }
    #expect(Set(AttackCatalog.all.map(\.name)).count == AttackCatalog.all.count)
  }

  @Test("a secret is told only to an attacker that is to bring it somewhere")
  func secrets() {
    for attack in AttackCatalog.all where attack.evidence == .secretTaken {
      #expect(!attack.arguments.contains { $0.contains("{secret}") }, "\(attack.name)")
    }
  }

  @Test("a layer left out shows: an attack that it alone stops gets through")
  func withoutLayer() throws {
    let selftest = Selftest(try Attacked.stage())
    let attack = try #require(AttackCatalog.all.first { $0.name == "descriptors/pair" })
    let result = try selftest.run(attack, without: [.seccomp])
    guard case .gotThrough = result.verdict else {
      Issue.record("\(result.verdict)")
      return
    }
  }
}
