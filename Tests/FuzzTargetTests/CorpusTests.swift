import FuzzTargets
import TestSupport
import Testing

@Suite("The fuzzer's corpus")
struct CorpusTests {
  @Test("every input of the corpus is handled as it must be", arguments: FuzzTarget.allCases)
  func replay(target: FuzzTarget) throws {
    let folder = "\(SourceTree.root)/Fuzz/Corpus/\(target.rawValue)"
    let names = try Files.list(folder)
    #expect(names.count >= 3, "\(target.rawValue) has hardly a corpus")
    for name in names {
      let bytes = try Files.read("\(folder)/\(name)")
      #expect(bytes.count <= target.maximumLength, "\(name)")
      #expect(throws: Never.self, "\(folder)/\(name)") { try target.check(bytes) }
    }
  }
}
