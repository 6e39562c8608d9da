extension SystemKeyboard.Plane {
  /// The id of the key that shows this plane.
  var keyIdentifier: String { "system.plane.\(rawValue)" }
}

extension SystemKeyboard {
  /// The ids of the keys that show other keys, in the order in which a character is looked for.
  public static func planeKeys(for character: Character) -> [String] {
    let planes: [Plane] =
      character.isLetter ? [.letters, .numbers, .symbols] : [.numbers, .symbols, .letters]
    return planes.map(\.keyIdentifier)
  }

  static func firstPlane(for traits: TextInputTraits) -> Plane {
    traits.keyboardType.value == .numbersAndPunctuation ? .numbers : .letters
  }

  /// The layout of a keyboard type. An absent or unknown type has the default one.
  static func layout(
    for traits: TextInputTraits, plane: Plane, shift: Shift,
    letters: LetterKeys = LetterKeys(language: nil), variantsOf letter: Character? = nil
  ) -> KeyboardLayout {
    let type = traits.keyboardType.value ?? .default
    switch type {
    case .numberPad, .asciiCapableNumberPad: return pad(bottom: [])
    case .decimalPad: return pad(bottom: [character(".")])
    case .phonePad: return phonePad(last: [])
    case .namePhonePad where plane != .letters:
      return phonePad(last: [planeKey(.letters, "ABC")])
    default: break
    }
    let returnKey = Key(
      id: "system.return", label: returnLabel(traits), role: .return, insertText: "\n", width: 2)
    switch plane {
    case .letters:
      var rows = letterRows(shift, letters, asASCII: takesASCII(type)) + [bottom(type, returnKey)]
      if let letter {
        rows.insert(variantRow(of: letter, shift, letters), at: 0)
      }
      return KeyboardLayout(rows: rows)
    case .numbers:
      return KeyboardLayout(rows: [
        characters("1234567890"), characters("-/:;()$&@\""),
        [planeKey(.symbols, "#+=")] + characters(".,?!'") + [delete],
        [planeKey(.letters, "ABC"), space(5), returnKey],
      ])
    case .symbols:
      let currency = takesASCII(type) ? "`" : "€£¥•"
      return KeyboardLayout(rows: [
        characters("[]{}#%^*+="), characters("_\\|~<>" + currency),
        [planeKey(.numbers, "123")] + characters(".,?!'") + [delete],
        [planeKey(.letters, "ABC"), space(5), returnKey],
      ])
    }
  }

  /// A field that asks for ASCII gets nothing else.
  private static func takesASCII(_ type: KeyboardType) -> Bool {
    type == .asciiCapable || type == .URL || type == .emailAddress
  }

  /// The letter that a key of these traits is for, when its key offers variants.
  static func letterWithVariants(_ key: Key, _ traits: TextInputTraits) -> Character? {
    guard key.longPress != nil, !takesASCII(traits.keyboardType.value ?? .default) else {
      return nil
    }
    return key.id.dropFirst(KeyboardLayout.systemPrefix.count).first
  }

  /// A letter as it is shown. What has no capital of one character stays as it is.
  private static func shown(_ letter: Character, _ shift: Shift) -> String {
    let capital = letter.uppercased()
    return shift == .off || capital.count != 1 ? String(letter) : capital
  }

  /// The letter itself and its variants, above the keys that stay where they are.
  private static func variantRow(
    of letter: Character, _ shift: Shift, _ letters: LetterKeys
  ) -> [Key] {
    (String(letter) + letters.variants(of: letter)).map { variant in
      let shown = shown(variant, shift)
      return Key(id: "system.variant.\(variant)", label: shown, insertText: shown)
    }
  }

  private static func letterRows(
    _ shift: Shift, _ keys: LetterKeys, asASCII: Bool
  ) -> [[Key]] {
    func letters(_ text: String) -> [Key] {
      text.map { letter in
        let shown = shown(letter, shift)
        let variant = asASCII ? nil : keys.variants(of: letter).first
        return Key(
          id: "system.\(letter)", label: shown, insertText: shown,
          longPress: variant.map { self.shown($0, shift) })
      }
    }
    let rows = keys.rows(asASCII: asASCII)
    let label = shift == .off ? "⇧" : shift == .once ? "⬆" : "⇪"
    return [
      letters(rows[0]), letters(rows[1]),
      [Key(id: "system.shift", label: label, role: .shift, width: 1.5)] + letters(rows[2])
        + [delete],
    ]
  }

  private static func bottom(_ type: KeyboardType, _ returnKey: Key) -> [Key] {
    let numbers = planeKey(.numbers, "123")
    switch type {
    case .URL:
      // An address has no space in it.
      return [
        numbers, character("."), character("/"),
        Key(id: "system..com", label: ".com", insertText: ".com", width: 2), returnKey,
      ]
    case .emailAddress: return [numbers, space(3), character("@"), character("."), returnKey]
    case .twitter: return [numbers, space(3), character("@"), character("#"), returnKey]
    case .webSearch: return [numbers, space(4), character("."), returnKey]
    case .namePhonePad: return [numbers, space(5)]
    default: return [numbers, space(5), returnKey]
    }
  }

  private static func pad(bottom: [Key]) -> KeyboardLayout {
    KeyboardLayout(rows: [
      characters("123", 2), characters("456", 2), characters("789", 2),
      bottom + characters("0", 2) + [delete],
    ])
  }

  private static func phonePad(last: [Key]) -> KeyboardLayout {
    KeyboardLayout(rows: [
      characters("123", 2), characters("456", 2), characters("789", 2), characters("*0#", 2),
      last + characters("+,;", 2) + [delete],
    ])
  }

  private static func characters(_ text: String, _ width: Double = 1) -> [Key] {
    text.map { character(String($0), width) }
  }

  private static func character(_ text: String, _ width: Double = 1) -> Key {
    Key(id: "system.\(text)", label: text, insertText: text, width: width)
  }

  private static var delete: Key {
    Key(id: "system.delete", label: "⌫", role: .delete, width: 1.5)
  }

  private static func space(_ width: Double) -> Key {
    Key(id: "system.space", label: "space", role: .space, insertText: " ", width: width)
  }

  private static func planeKey(_ plane: Plane, _ label: String) -> Key {
    Key(id: plane.keyIdentifier, label: label, role: .custom, width: 1.5)
  }

  private static func returnLabel(_ traits: TextInputTraits) -> String {
    switch traits.returnKeyType.value ?? .default {
    case .default: "return"
    case .emergencyCall: "Emergency Call"
    case let type: type.rawValue.prefix(1).uppercased() + type.rawValue.dropFirst()
    }
  }
}
