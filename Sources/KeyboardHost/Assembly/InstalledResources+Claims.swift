import LinuxSystem
import PolicyAudit
import SandboxPolicy

extension InstalledResources {
  /// The longest file of a claim, in bytes.
  private static let claimLimit = 1 << 20

  /// What our own policies claim, by name: `Policies/claims`, each file checked to be one that
  /// nobody else can change.
  ///
  /// - Throws: `StoreError` or `FileError` for a file that cannot be read or trusted, `PolicyError`
  ///   for one that is no claim.
  public func claims() throws -> [Claim] {
    let folder = policies + "/claims"
    let names = try DirectoryHandle(path: folder, followingLinks: true).names()
      .compactMap(\.string).filter { $0.hasSuffix(".json") }
    return try names.map { name in
      let path = try policy("claims/\(name)")
      return try Claim(
        parsing: try OpenFile.contents(of: path, limit: Self.claimLimit), file: path)
    }
  }
}
