import LinuxSystem
import TerminalText

/// The commonest words of a language, from the language models that Debian's `onboard-data` installs:
/// a file for each language, in the ARPA form, with how often each word was counted.
///
/// Hunspell's dictionaries and the lists of `/usr/share/dict` know which words there are, and not
/// which of them are common.
public struct CommonWordList: Sendable, Equatable {
  /// Why there are no words, safe to show.
  public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
  }

  /// Where the models are.
  public static let systemFolder = "/usr/share/onboard/models"
  /// The most words, so that the user's own entries fit into a line of the protocol with them.
  public static let maximumWords = 1_000
  /// The longest model, in bytes; the greatest of `onboard-data` has a quarter of it.
  public static let maximumFileBytes = 1 << 22
  /// The longest word, in bytes.
  static let maximumWordBytes = 40

  /// The model that was read.
  public let path: String
  /// The words, the commonest first.
  public let words: [String]

  /// Reads the words of a language, by its BCP 47 tag. Of a language that says no region, or one that
  /// has no model of its own, any model serves.
  public init(
    language: String, folder: String = CommonWordList.systemFolder
  ) throws(Problem) {
    guard let found = Self.find(language, folder) else {
      throw Problem(
        description: "no words of `\(VisibleText.escape(language))` are in \(folder); the Debian "
          + "package onboard-data has those of many languages")
    }
    path = found
    do {
      words = Self.words(
        in: try OpenFile.contents(of: found, limit: Self.maximumFileBytes))
    } catch {
      throw Problem(description: VisibleText.escape("\(error)"))
    }
  }

  private static func find(_ language: String, _ folder: String) -> String? {
    let parts = language.split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let primary = parts.first?.lowercased(),
      let names = try? DirectoryHandle(path: folder, followingLinks: true).names()
    else { return nil }
    let all = Set(
      names.map { "\($0)" }.filter { $0.hasSuffix(".lm") && $0.hasPrefix(primary + "_") })
    let usual =
      parts.dropFirst().map { "\(primary)_\($0.uppercased()).lm" }
      + ["\(primary)_US.lm", "\(primary)_\(primary.uppercased()).lm"]
    return (usual.first { all.contains($0) } ?? all.min()).map { "\(folder)/\($0)" }
  }

  /// The words of a model, the most counted first. Lines that are none of the form are passed over.
  static func words(in bytes: [UInt8]) -> [String] {
    var found: [(count: Int, word: Range<Int>)] = []
    var isInside = false
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      defer { start = end + 1 }
      guard isInside else {
        isInside = bytes[start..<end].elementsEqual("\\1-grams:".utf8)
        continue
      }
      // An empty line, or the next part's head.
      if start == end || bytes[start] == UInt8(ascii: "\\") { break }
      if let (count, word) = entry(bytes, start..<end) { found.append((count, word)) }
    }
    found.sort { ($0.count, $1.word.lowerBound) > ($1.count, $0.word.lowerBound) }
    var words: [String] = []
    for (_, range) in found {
      guard words.count < maximumWords else { break }
      guard let word = String(validating: bytes[range], as: UTF8.self), isWord(word) else {
        continue
      }
      words.append(word)
    }
    return words
  }

  /// A count, a blank and a word.
  private static func entry(_ bytes: [UInt8], _ line: Range<Int>) -> (Int, Range<Int>)? {
    var count = 0
    var index = line.lowerBound
    while index < line.upperBound, (0x30...0x39).contains(bytes[index]) {
      guard count < 1 << 56 else { return nil }
      count = count * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    guard index > line.lowerBound, index < line.upperBound, bytes[index] == 0x20 else {
      return nil
    }
    let word = (index + 1)..<line.upperBound
    return word.isEmpty || word.count > maximumWordBytes ? nil : (count, word)
  }

  private static func isWord(_ text: String) -> Bool {
    text.first?.isLetter == true
      && text.allSatisfy { $0.isLetter || $0 == "'" || $0 == "\u{2019}" || $0 == "-" }
  }
}
