/// Why edits were not applied. The document is as it was.
public enum TextEditError: Error, Equatable, CustomStringConvertible {
  /// The text would have more bytes of UTF-8 than a document may.
  case tooLong(limit: Int)
  /// The marked text has more bytes of UTF-8 than it may.
  case markedTextTooLong(limit: Int)
  /// The selected range of a marked text is not inside that text.
  /// The edits walk through the text too often.
  case tooMuchWork
  case rangeOutOfBounds(Range<Int>, count: Int)

  /// A message for people.
  public var description: String {
    switch self {
    case .tooLong(let limit):
      "the edits would make the text longer than \(limit) bytes; nothing was changed"
    case .markedTextTooLong(let limit):
      "the marked text is longer than \(limit) bytes; nothing was changed"
    case .tooMuchWork:
      "the edits move through the text too often; nothing was changed"
    case .rangeOutOfBounds(let range, let count):
      "the selected range \(range.lowerBound)..<\(range.upperBound) is not inside the marked "
        + "text, which has \(count) characters; nothing was changed"
    }
  }
}
