/// What a terminal says of its mouse, byte by byte as it comes.
public struct MouseReport: Sendable {
  /// How a terminal says it.
  public enum Form: Sendable {
    /// `button;column;row` and then `M` for a press or `m` for a release: what xterm's control
    /// sequences call SGR (mode 1006).
    case numbers
    /// One byte for each of the three, 32 added: what terminals do that do not know the other
    /// (mode 1000). They have no word for columns beyond 223.
    case bytes
  }

  /// How a report ended.
  public struct Ending: Sendable, Equatable {
    /// What the person did; nil where it means nothing here: a release, the wheel, another button,
    /// or no report at all.
    public var input: PlayInput?
  }

  /// The longest report; a terminal has no million columns.
  private static let maximumLength = 24
  /// Shift, Alt and Control, which change nothing here.
  private static let modifiers = 4 | 8 | 16

  private let form: Form
  private var text = ""
  private var numbers: [Int] = []

  public init(_ form: Form) { self.form = form }

  /// - Returns: nil while more has to come.
  public mutating func append(_ byte: UInt8) -> Ending? {
    switch form {
    case .numbers: appendDigit(byte)
    case .bytes: appendNumber(byte)
    }
  }

  /// What the person did by a report that is there as a whole, with the byte that ends it.
  static func input(ofNumbers text: Substring) -> PlayInput? {
    var report = MouseReport(.numbers)
    for byte in text.utf8 { if let ending = report.append(byte) { return ending.input } }
    return nil
  }

  private mutating func appendDigit(_ byte: UInt8) -> Ending? {
    let scalar = Unicode.Scalar(byte)
    switch scalar {
    case "0"..."9", ";":
      text.unicodeScalars.append(scalar)
      return text.utf8.count > Self.maximumLength ? Ending() : nil
    case "M":
      let parts = text.split(separator: ";", omittingEmptySubsequences: false)
      numbers = parts.compactMap { Int($0) }
      return Ending(input: numbers.count == parts.count ? press : nil)
    default: return Ending()
    }
  }

  private mutating func appendNumber(_ byte: UInt8) -> Ending? {
    guard byte >= 32 else { return Ending() }
    numbers.append(Int(byte) - 32)
    return numbers.count < 3 ? nil : Ending(input: press)
  }

  private var press: PlayInput? {
    // The upper left cell is 1;1.
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    switch numbers[0] & ~Self.modifiers {
    case 0: return .press(row: numbers[2] - 1, column: numbers[1] - 1)
    case 2: return .longPress(row: numbers[2] - 1, column: numbers[1] - 1)
    default: return nil
    }
  }
}
