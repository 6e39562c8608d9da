import Glibc
import TestSupport
import Testing

/// A file of `Tests/Traces`: its steps stay, and what followed is written anew to be compared.
enum TraceFile {
  static func names(in folder: String) -> [String] {
    ((try? Files.list("\(SourceTree.root)/Tests/Traces/\(folder)")) ?? [])
      .filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(6)) }.sorted()
  }

  /// The lines that are not what followed.
  static func steps(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      .filter { !$0.hasPrefix("  ") }
  }

  /// Compares what happened with what is written, or writes it.
  static func check(_ folder: String, _ name: String, _ play: ([String]) throws -> [String]) throws
  {
    let path = "Tests/Traces/\(folder)/\(name).trace"
    let written = try SourceTree.contents(of: path)
    let played = try play(steps(written)).map { $0 + "\n" }.joined()
    guard played != written else { return }
    if getenv("KEYHOST_UPDATE_TRACES") != nil {
      return try Files.write(played, to: "\(SourceTree.root)/\(path)")
    }
    let real = played.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = written.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(real, expected).prefix { $0 == $1 }.count
    Issue.record(
      """
      \(path), line \(place + 1):
        written: \(place < expected.count ? String(expected[place]) : "the end")
        happens: \(place < real.count ? String(real[place]) : "the end")
      """)
  }
}
