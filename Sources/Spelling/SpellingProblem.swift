/// Why there is no dictionary.
public enum SpellingProblem: Error, Equatable, CustomStringConvertible {
  /// The library is not on this machine.
  case noLibrary(name: String)
  /// No dictionary for the language is in the folders.
  case noDictionary(language: String, folders: [String])
  /// The dictionary's files cannot be used.
  case unusable(path: String, reason: String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .noLibrary(let name):
      "the library \(name) is not there; the Debian package libhunspell-1.7-0 has it"
    case .noDictionary(let language, let folders):
      "no dictionary for `\(language)` is in \(folders.joined(separator: ", ")); the Debian packages "
        + "hunspell-en-us, hunspell-de-de and so on have them"
    case .unusable(let path, let reason): "the dictionary \(path) cannot be used: \(reason)"
    }
  }
}
