/// Which way a paragraph runs, by its first letter (Unicode Standard Annex #9, rules P2 and P3).
///
/// What is to the left or to the right of a cursor is a matter of how text is shown. The host does not
/// see that; as a rule of thumb it takes a whole paragraph to run one way.
enum WritingDirection: Sendable, Equatable {
  case leftToRight
  case rightToLeft

  /// That of the paragraph in which the cursor is, or the selection begins. One without letters runs
  /// from the left.
  init(around context: ContextWindow) {
    let before = context.beforeInput
    let start = before.lastIndex(where: \.isNewline).map { before.index(after: $0) }
    let parts = [
      before[(start ?? before.startIndex)...], (context.markedText ?? "")[...],
      (context.selectedText ?? "")[...], context.afterInput[...],
    ]
    for part in parts {
      for character in part {
        if character.isNewline {
          self = .leftToRight
          return
        }
        guard let scalar = character.unicodeScalars.first, scalar.properties.isAlphabetic else {
          continue
        }
        self = Self.runsFromRight(scalar) ? .rightToLeft : .leftToRight
        return
      }
    }
    self = .leftToRight
  }

  /// How many characters a step to the right goes on in the text.
  var stepToTheRight: Int { self == .rightToLeft ? -1 : 1 }

  /// Whether a letter is of a script that is written from right to left: the blocks whose letters have
  /// the bidirectional class R or AL unless said otherwise (DerivedBidiClass.txt).
  private static func runsFromRight(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
