import KeyboardExtension

/// The keys of the keyboard: a row of tags above letters or symbols.
enum HabraLayout {
  enum Shift {
    case off
    case once
    case locked
  }

  enum Plane {
    case latin
    case cyrillic
    case symbols

    var rows: [String] {
      switch self {
      case .latin: ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
      case .cyrillic: ["йцукенгшщзх", "фывапролджэ", "ячсмитьбюъ"]
      case .symbols: ["1234567890", "-/:;()&@\"#", "?!'<>=+*_"]
      }
    }
  }

  static let shiftKey = "shift"
  static let symbolsKey = "symbols"
  static let lettersKey = "letters"
  static let languageKey = "language"

  static func layout(tags: [Tag], plane: Plane, shift: Shift) -> KeyboardLayout {
    var rows = [tags.map(key(of:))]
    for row in plane.rows {
      rows.append(row.map { key(typing: $0, isCapital: shift != .off && plane != .symbols) })
    }
    if plane != .symbols {
      let label = shift == .off ? "⇧" : shift == .once ? "⬆" : "⇪"
      rows[3].insert(Key(id: shiftKey, label: label, role: .shift, width: 1.5), at: 0)
    }
    rows[3].append(Key(id: "delete", label: "⌫", role: .delete, width: 1.5, longPress: "all"))

    let bottom = [
      plane == .symbols
        ? Key(id: lettersKey, label: "ABC", role: .custom, width: 1.5)
        : Key(id: symbolsKey, label: "123", role: .custom, width: 1.5),
      Key(id: languageKey, label: plane == .cyrillic ? "EN" : "РУ", role: .custom),
      key(typing: ",", isCapital: false),
      Key(id: "space", label: "space", role: .space, insertText: " ", width: 4),
      key(typing: ".", isCapital: false),
      Key(id: "return", label: "return", role: .return, insertText: "\n", width: 2),
      Key(id: "next", label: "⌨", role: .nextKeyboard),
      Key(id: "dismiss", label: "▾", role: .dismiss),
    ]
    rows.append(bottom)
    return KeyboardLayout(rows: rows)
  }

  private static func key(of tag: Tag) -> Key {
    Key(
      id: tag.keyIdentifier, label: tag.label, role: .custom, insertText: tag.opening + tag.closing,
      width: tag.label.count > 4 ? 1.5 : 1)
  }

  private static func key(typing letter: Character, isCapital: Bool) -> Key {
    let shown = isCapital ? letter.uppercased() : String(letter)
    return Key(id: "\(letter)", label: shown, insertText: shown)
  }
}
