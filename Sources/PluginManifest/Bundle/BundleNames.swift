import TerminalText

/// The rules for what a bundle calls itself and its files.
enum BundleNames {
  /// Why an id is refused, or nil when it is good.
  ///
  /// Letters, digits, `.`, `-` and `_`, in parts between single dots, beginning with a letter or
  /// digit: it serves as a file name, an argument and a key in files, and must be safe as each.
  static func faultOfIdentifier(_ text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.count > BundleLimits.identifierBytes {
      return "is longer than \(BundleLimits.identifierBytes) bytes"
    }
    if text.hasPrefix("-") { return "begins with `-`, like an option" }
    if text.lowercased() == "system" { return "is the name of the host's own keyboard" }
    let isPlain = text.utf8.allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
    }
    guard isPlain else { return "holds something other than letters, digits, `.`, `-` and `_`" }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) { return "has an empty part between its dots" }
    if parts.contains(where: { $0.hasPrefix("-") }) { return "has a part that begins with `-`" }
    return nil
  }

  /// Why a display name or a version is refused.
  static func faultOfName(_ text: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "is empty" }
    if text.utf8.count > BundleLimits.nameBytes {
      return "is longer than \(BundleLimits.nameBytes) bytes"
    }
    if text.hasPrefix("-") { return "begins with `-`, like an option" }
    if !VisibleText.isSafe(text) {
      return "holds a control character, or one that changes the direction of writing"
    }
    return nil
  }

  /// Why a name under which people are to know something is refused.
  static func faultOfDisplayName(_ text: String) -> String? {
    let letters = text.lowercased().filter(\.isLetter)
    if ["system", "systemkeyboard"].contains(letters) {
      return "is the name of the host's own keyboard"
    }
    return nil
  }

  /// Why the name of a file in a bundle is refused.
  static func faultOfFile(_ text: String) -> String? {
    if let fault = faultOfName(text) { return fault }
    if text == "." || text == ".." || text.utf8.contains(UInt8(ascii: "/")) {
      return "is not the name of a file"
    }
    return nil
  }
}
