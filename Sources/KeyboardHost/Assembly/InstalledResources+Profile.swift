import LinuxSystem
import SandboxPolicy

extension InstalledResources {
  /// The longest policy file, in bytes.
  private static let policyLimit = 4 << 20

  /// The policy all keyboards are held to: `keyboard.json` and the files it names, each checked
  /// to be one that nobody else can change.
  public func profile() throws -> SandboxProfile {
    func load(_ name: String) throws(PolicyError) -> [UInt8] {
      do {
        return try OpenFile.contents(of: try policy(name), limit: Self.policyLimit)
      } catch {
        throw PolicyError("\(error)", at: nil)
      }
    }
    return try SandboxProfile(parsing: load("keyboard.json"), file: "keyboard.json", load: load)
  }
}
