import Glibc
import TestSupport
import Testing

/// Each file of `Tests/Traces` is a rule: what is done, and line by line what has to follow.
@Suite("Traces")
struct TraceFileTests {
  private static let folder = "Tests/Traces"

  static let names: [String] =
    ((try? Files.list("\(SourceTree.root)/\(folder)")) ?? [])
    .filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(6)) }.sorted()

  @Test("there are some")
  func exist() { #expect(Self.names.count > 20) }

  @Test("goes as it is written, with no line more and no line less", arguments: names)
  func trace(name: String) throws {
    let path = "\(Self.folder)/\(name).trace"
    let expected = try SourceTree.contents(of: path)
    let played = try TracePlayer.play(expected)
    if getenv("KEYHOST_UPDATE_TRACES") != nil, played != expected {
      try Files.write(played, to: "\(SourceTree.root)/\(path)")
      return
    }
    guard played != expected else { return }
    let real = played.split(separator: "\n", omittingEmptySubsequences: false)
    let written = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(real, written).prefix { $0 == $1 }.count
    Issue.record(
      """
      \(path), line \(place + 1):
        written: \(place < written.count ? String(written[place]) : "the end")
        happens: \(place < real.count ? String(real[place]) : "the end")
      """)
  }
}
