import CHunspell
import LinuxSystem
import TerminalText
import TextInput

/// A dictionary in Hunspell's form, as most languages have one.
///
/// Not `Sendable`: one thread opens and asks it.
@safe
public final class HunspellDictionary: SpellingDictionary {
  private enum Encoding {
    case utf8
    case latin1
  }

  /// Where Debian and most others keep dictionaries.
  public static let systemFolders = ["/usr/share/hunspell", "/usr/share/myspell/dicts"]

  /// The path of the dictionary's affix file.
  public let path: String
  private let handle: OpaquePointer
  private let encoding: Encoding

  /// Opens the dictionary of a language, by its BCP 47 tag. Of a language that says no region, or one
  /// that has no dictionary of its own, any dictionary serves; American English and the region that
  /// is named as the language come first.
  public init(
    language: String, folders: [String] = HunspellDictionary.systemFolders
  ) throws(SpellingProblem) {
    guard chunspell_is_there() != 0 else {
      throw .noLibrary(name: unsafe String(cString: chunspell_library_name))
    }
    guard let base = Self.find(language, folders) else {
      throw .noDictionary(language: VisibleText.escape(language), folders: folders)
    }
    path = base + ".aff"
    guard let handle = unsafe chunspell_open(base + ".aff", base + ".dic") else {
      throw .unusable(path: VisibleText.escape(path), reason: "Hunspell does not open it")
    }
    unsafe self.handle = handle
    let name = unsafe chunspell_encoding(handle).map { unsafe String(cString: $0) } ?? ""
    switch name.uppercased() {
    case "UTF-8": encoding = .utf8
    case "ISO8859-1", "ISO-8859-1": encoding = .latin1
    default:
      unsafe chunspell_close(handle)
      throw .unusable(
        path: VisibleText.escape(path),
        reason: "it is in the encoding `\(VisibleText.escape(name, limit: 40))`")
    }
  }

  deinit { unsafe chunspell_close(handle) }

  /// The files of a language's dictionary, without `.aff` and `.dic`.
  static func find(_ language: String, _ folders: [String]) -> String? {
    let parts = language.split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let primary = parts.first?.lowercased() else { return nil }
    let wanted = parts.dropFirst().map { "\(primary)_\($0.uppercased())" } + [primary]
    for folder in folders {
      guard let names = try? DirectoryHandle(path: folder, followingLinks: true).names() else {
        continue
      }
      let bases = Set(
        names.map { "\($0)" }.filter { $0.hasSuffix(".aff") }.map { String($0.dropLast(4)) })
      let all = bases.filter { base in
        (base == primary || base.hasPrefix(primary + "_"))
          && names.contains { "\($0)" == base + ".dic" }
      }
      let usual = wanted + ["\(primary)_US", "\(primary)_\(primary.uppercased())"]
      if let base = usual.first(where: { all.contains($0) }) ?? all.min() {
        return "\(folder)/\(base)"
      }
    }
    return nil
  }

  public func isCorrect(_ word: String) -> Bool {
    guard let bytes = encode(word) else { return false }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe chunspell_spell(handle, start) != 0
    }
  }

  public func suggestions(for word: String) -> [String] {
    guard let bytes = encode(word) else { return [] }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return [] }
      var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
      let count = unsafe chunspell_suggest(handle, &list, start)
      defer { unsafe chunspell_free(handle, &list, count) }
      guard let entries = unsafe list else { return [] }
      return (0..<Int(max(count, 0))).compactMap { index in
        unsafe entries[index].flatMap { unsafe decode($0) }
      }
    }
  }

  /// The word in the dictionary's encoding, ended by a zero; nil if it cannot be written in that.
  private func encode(_ word: String) -> [CChar]? {
    guard !word.isEmpty, word.utf8.count <= WordQuestion.maximumBytes else { return nil }
    var bytes: [CChar] = []
    switch encoding {
    case .utf8:
      for byte in word.utf8 {
        if byte == 0 { return nil }
        bytes.append(CChar(bitPattern: byte))
      }
    case .latin1:
      for scalar in word.unicodeScalars {
        guard (1...255).contains(scalar.value) else { return nil }
        bytes.append(CChar(bitPattern: UInt8(scalar.value)))
      }
    }
    return bytes + [0]
  }

  private func decode(_ text: UnsafeMutablePointer<CChar>) -> String? {
    switch encoding {
    case .utf8: return unsafe String(validatingCString: text)
    case .latin1:
      var result = ""
      var position = unsafe text
      while unsafe position.pointee != 0 {
        let byte = UInt8(bitPattern: unsafe position.pointee)
        result.unicodeScalars.append(Unicode.Scalar(byte))
        unsafe position += 1
      }
      return result
    }
  }
}
