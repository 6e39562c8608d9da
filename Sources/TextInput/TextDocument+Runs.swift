/// Bounds for what has to be walked through to find where a character ends. A grapheme cluster may be as
/// long as one likes (a letter with half a million marks), and so may a row of regional indicators, of
/// which only the whole row tells which two are a flag.
extension TextDocument {
  /// The longest character, and the longest row of halves of flags, in a text that an app gives: in
  /// Unicode scalars. UAX #15 (Stream-Safe Text) has 30 marks for more than any language needs.
  public static let maximumRunScalars = 1_024

  /// Whether a text has a longer character, or a longer row of halves of flags.
  public static func hasOverlongRun(_ text: String) -> Bool {
    guard text.utf8.count > maximumRunScalars else { return false }
    var run = 0
    for character in text {
      let scalars = character.unicodeScalars
      run = scalars.first?.isRegionalIndicator == true ? run + scalars.count : scalars.count
      if run > maximumRunScalars { return true }
    }
    return false
  }

  /// The same of what stands around a range of scalars, where the text has just been changed. Looks no
  /// further than it has to.
  public func hasOverlongRun(aroundScalars range: Range<Int>) -> Bool {
    guard utf8Count > Self.maximumRunScalars else { return false }
    let scalars = text.unicodeScalars
    let first = max(range.lowerBound - String.runReach, 0)
    let start =
      scalars.index(scalars.startIndex, offsetBy: first, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    let end =
      scalars.index(
        start, offsetBy: range.upperBound - first + String.runReach, limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    return Self.hasOverlongRun(String(scalars[start..<end]))
  }
}

extension String {
  /// How far is looked for the end of a run, in scalars. Cut off its beginning, the first character of
  /// what is looked at can seem to end too early; so it is twice the longest run.
  fileprivate static let runReach = 2 * (TextDocument.maximumRunScalars + 1)

  /// Whether the index, of a scalar, is in a run that is longer than an app may make one. Only a keyboard
  /// can have made it.
  func isInOverlongRun(_ index: Index) -> Bool {
    let scalars = unicodeScalars
    guard index > startIndex, index < endIndex,
      !scalars[scalars.index(before: index)].isASCII || !scalars[index].isASCII
    else { return false }
    if let start = scalars.index(index, offsetBy: -Self.runReach, limitedBy: startIndex),
      TextDocument.hasOverlongRun(String(scalars[start..<index]))
    {
      return true
    }
    guard let end = scalars.index(index, offsetBy: Self.runReach, limitedBy: endIndex) else {
      return false
    }
    return TextDocument.hasOverlongRun(String(scalars[index..<end]))
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
