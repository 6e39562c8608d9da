import SandboxPolicy
import Seccomp
import TestSupport

/// The policies that ship, read from the source tree.
enum Policies {
  static let table = LibseccompTable()

  static func keyboard() throws -> SandboxProfile {
    let folder = "\(SourceTree.root)/Policies"
    return try SandboxProfile(
      parsing: try Files.read("\(folder)/keyboard.json"), file: "keyboard.json"
    ) { path throws(PolicyError) in
      do {
        return try Files.read("\(folder)/\(path)")
      } catch {
        throw PolicyError("cannot read \(path): \(error)")
      }
    }
  }

  static func resolved(openAccess: Bool) throws -> ResolvedSeccompPolicy {
    try keyboard().resolve(grants: SandboxGrants(openAccess: openAccess), table: table)
      .systemCalls
  }
}
