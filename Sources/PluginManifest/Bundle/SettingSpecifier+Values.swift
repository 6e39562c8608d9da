import TerminalText

/// Values in words, and words as values.
extension SettingSpecifier {
  /// The longest text that a user may set, in bytes.
  public static let textBytes = 4096

  /// Whether a secure text field holds it, which lists do not show.
  public var isSecure: Bool { kind == .text(isSecure: true) }

  /// Whether the user can change it.
  public var isReadOnly: Bool { if case .title = kind { true } else { false } }

  /// The name of the type: `text`, `toggle`, `slider`, `choice` or `title`.
  public var typeName: String {
    switch kind {
    case .text: "text"
    case .toggle: "toggle"
    case .slider: "slider"
    case .choice: "choice"
    case .title: "title"
    }
  }

  /// What it can be, for people; safe to show.
  public var values: String {
    switch kind {
    case .text(let isSecure): isSecure ? "a secret text" : "a text"
    case .toggle: "on or off"
    case .slider(let range):
      "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    case .choice(let choices):
      VisibleText.escape(
        "one of "
          + choices.map { choice in
            let (word, title) = (choice.value.text, choice.title)
            return title == word || title.isEmpty ? word : "\(word) (\(title))"
          }.joined(separator: ", "), limit: 400)
    case .title: "shown only"
    }
  }

  /// Whether a value that was stored for it, perhaps by another version of the app, can be used.
  public func accepts(_ value: SettingDefault.Value) -> Bool {
    switch kind {
    case .text:
      if case .string(let text) = value { return Self.faultOfText(text) == nil }
      return false
    case .toggle(let on, let off): return value.isSame(on) || value.isSame(off)
    case .slider(let range): return value.number.map { range.contains($0) } ?? false
    case .choice(let choices): return choices.contains { $0.value.isSame(value) }
    case .title: return false
    }
  }

  /// The value that a word of the user stands for: of a choice the value, or the title if just one
  /// has it. Nil when it is none of the values.
  public func value(of text: String) -> SettingDefault.Value? {
    switch kind {
    case .text: return Self.faultOfText(text) == nil ? .string(text) : nil
    case .toggle(let on, let off):
      switch text {
      case "on": return on
      case "off": return off
      default: return nil
      }
    case .slider(let range):
      // What Swift reads as a number besides, such as `nan` and `0x1p3`, people do not mean.
      guard text.utf8.allSatisfy({ Array("0123456789+-.eE".utf8).contains($0) }),
        let number = Double(text), range.contains(number)
      else { return nil }
      return Int64(text).map { .integer($0) } ?? .real(number)
    case .choice(let choices):
      if let choice = choices.first(where: { $0.value.text == text }) { return choice.value }
      let named = choices.filter { $0.title == text }
      return named.count == 1 ? named[0].value : nil
    case .title: return nil
    }
  }

  /// A value as the user writes it; not safe to show as it is.
  public func text(of value: SettingDefault.Value) -> String {
    if case .toggle(let on, _) = kind { return value.isSame(on) ? "on" : "off" }
    return value.text
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }

  private static func faultOfText(_ text: String) -> String? {
    if text.utf8.count > textBytes { return "is longer than \(textBytes) bytes" }
    return text.utf8.contains(0) ? "holds a NUL" : nil
  }
}

extension SettingDefault.Value {
  /// In words; not safe to show as it is.
  var text: String {
    switch self {
    case .string(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .list(let texts): texts.joined(separator: ", ")
    }
  }

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number) where number.isFinite: number
    default: nil
    }
  }

  /// Equal, a real number also to an integer.
  func isSame(_ other: SettingDefault.Value) -> Bool {
    if self == other { return true }
    guard let number, let otherNumber = other.number else { return false }
    return number == otherNumber
  }
}
