import LinuxSystem
import TerminalText

/// One place of a terminal's grid, or several beside each other where the character is wide.
public struct Cell: Sendable, Equatable {
  /// What is written there: one base character and its marks.
  public var text: String
  public var style: Style
  /// How many columns it takes; 0 for the rest of a wide one to the left.
  public var width: Int

  /// Nothing written.
  public static let blank = Cell(text: " ", style: .plain, width: 1)
  /// The rest of a wide character to the left.
  static let covered = Cell(text: "", style: .plain, width: 0)

  /// The most marks that are drawn on a character.
  private static let maximumMarks = 4

  /// Cuts text into cells whose width every terminal agrees on.
  ///
  /// Terminals differ in how wide a joined sequence is (a family, a flag, a skin tone), and one that
  /// is taken for narrower than it comes out pushes what stands to its right out of its place. So
  /// the first picture of a sequence stands for all of it, and a flag is drawn as its two letters.
  /// Control characters come out as escapes.
  static func cells(of text: String, style: Style = .plain) -> [Cell] {
    VisibleText.escape(text).flatMap { cells(of: $0, style) }
  }

  private static func cells(of character: Character, _ style: Style) -> [Cell] {
    let scalars = character.unicodeScalars
    if scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) {
      return scalars.compactMap { scalar in
        Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41).map {
          Cell(text: String($0), style: style, width: 1)
        }
      }
    }
    guard let base = scalars.first else { return [] }
    var text = String(base)
    var width = CharacterWidth.columns(of: base)
    if width <= 0 {
      // A mark without a letter would sit on what stands before it.
      guard base.properties.generalCategory.isMark else { return [] }
      text = "\u{25CC}" + text
      width = 1
    }
    var marks = 0
    for scalar in scalars.dropFirst() {
      let isPart = scalar.properties.generalCategory.isMark || isJamo(scalar)
      let isSelector = scalar.properties.isVariationSelector
      guard isPart, !isSelector, marks < maximumMarks else { continue }
      marks += 1
      text.unicodeScalars.append(scalar)
      width += max(CharacterWidth.columns(of: scalar), 0)
    }
    return [Cell(text: text, style: style, width: width)]
  }

  /// The vowels and finals that a Hangul syllable is composed of.
  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11FF).contains(scalar.value)
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool {
    switch self {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
