/// Policies of other projects, which lie beside some clones and are no part of this one.
public enum Corpus {
  public static let folder = "\(SourceTree.root)/../shared/corpus/policies"
  public static let isPresent = Files.exists("\(folder)/INDEX.md")
  /// Why a test is left out, for `.enabled(if:_:)`.
  public static let reason = "the policies of other projects are not beside this clone"

  public static func read(_ name: String) throws -> [UInt8] { try Files.read("\(folder)/\(name)") }
}
