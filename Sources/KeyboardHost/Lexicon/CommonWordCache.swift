/// The common words of the languages that keyboards asked for, each read once.
final class CommonWordCache {
  private let folder: String
  private var words: [String: [String]] = [:]

  init(folder: String = CommonWordList.systemFolder) { self.folder = folder }

  /// The words of a language; none where there are none, which `keyhost doctor` tells.
  func words(of language: String) -> [String] {
    if let known = words[language] { return known }
    let found = (try? CommonWordList(language: language, folder: folder).words) ?? []
    words[language] = found
    return found
  }
}
