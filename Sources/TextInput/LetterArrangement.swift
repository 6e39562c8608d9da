/// How the 26 letters stand on the system keyboard.
///
/// The arrangement is the one of the language's usual keyboard, as `xkeyboard-config` has it. Letters
/// beyond the 26 are those of ``LetterKeys``.
public enum LetterArrangement: String, Sendable, Equatable, CaseIterable {
  case qwerty
  case qwertz
  case azerty

  /// The arrangement of a language by its BCP 47 tag. A language that is not known, or nil, has that
  /// of English.
  public init(language: String?) {
    let parts = (language ?? "").lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    let regions = parts.dropFirst()
    switch parts.first ?? "" {
    case "de", "gsw", "hr", "sl", "bs", "cs", "sk", "hu", "sq", "lb", "rm": self = .qwertz
    case "fr":
      if regions.contains("ca") {
        self = .qwerty
      } else {
        self = regions.contains("ch") || regions.contains("lu") ? .qwertz : .azerty
      }
    case "it" where regions.contains("ch"): self = .qwertz
    case "nl" where regions.contains("be"): self = .azerty
    default: self = .qwerty
    }
  }

  /// The letters of the three rows.
  var rows: [String] {
    switch self {
    case .qwerty: ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
    case .qwertz: ["qwertzuiop", "asdfghjkl", "yxcvbnm"]
    case .azerty: ["azertyuiop", "qsdfghjklm", "wxcvbn"]
    }
  }
}
