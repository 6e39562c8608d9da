import SandboxPolicy
import Seccomp

/// The policies that ship, read from the source tree.
public enum Policies {
  public static let table = LibseccompTable()

  /// A file below `Policies`.
  public static func load(_ path: String) throws(PolicyError) -> [UInt8] {
    do {
      return try Files.read("\(SourceTree.root)/Policies/\(path)")
    } catch {
      throw PolicyError("cannot read \(path): \(error)")
    }
  }

  public static func keyboard() throws -> SandboxProfile {
    try SandboxProfile(parsing: try load("keyboard.json"), file: "keyboard.json", load: load)
  }

  public static func resolved(openAccess: Bool) throws -> ResolvedSeccompPolicy {
    try keyboard().resolve(grants: SandboxGrants(openAccess: openAccess), table: table)
      .systemCalls
  }
}
