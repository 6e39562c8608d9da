/// Makes what a person does of what a terminal sends, byte by byte as it comes.
///
/// Keys that the terminal's description does not know become no text. Nothing is lost where it comes in
/// pieces, as over a slow line: neither a character nor a report. What is pasted is text alone, and no key
/// in it does anything.
public struct TerminalReader: Sendable {
  /// What a terminal sends.
  public enum Unit: Sendable, Equatable {
    /// A byte of UTF-8, or a control character.
    case byte(UInt8)
    /// The beginning of a report of the mouse.
    case mouse(MouseReport.Form)
    case key(PlayInput.Key)
    case resize
    case end
    /// There is nothing more for now.
    case pause
  }

  private enum State {
    case text
    case escape
    /// Escape was told as a key, since nothing came behind it for a while.
    case escapeTold
    /// Nothing came behind Escape and a bracket for a while, as of Alt and that key.
    case bracket
    /// The first character of what was sent behind such a while: text if it is alone, as of a person, and
    /// what a sequence goes on with if more comes with it.
    case late(Character, parameters: String)
    /// The parameters of a control sequence so far.
    case sequence(String)
    case mouse(MouseReport)
  }

  private static let escape: UInt8 = 0x1B
  private static let openingBracket = UInt8(ascii: "[")
  /// The longest control sequence.
  private static let maximumLength = 32

  private var state = State.text
  private var decoder = ScalarDecoder()
  private var isPasting = false
  /// What came since the last pause: its only byte, and how many bytes there were.
  private var burst: (byte: UInt8, count: Int) = (0, 0)
  /// What comes behind another input that was held until it was known what follows.
  private var next: PlayInput?

  public init() {}

  /// - Returns: what the person did; nil where that is nothing, or not known before more comes.
  public mutating func take(_ unit: Unit) -> PlayInput? {
    switch unit {
    case .end: return .end
    case .resize: return .resize
    case .pause: return takePause()
    case .mouse(let form):
      defer { state = .mouse(MouseReport(form)) }
      return held
    case .key(let key):
      let held = held
      state = .text
      // The way out stays open, should the end of what is pasted never come.
      guard !isPasting || key == .function(10) else { return nil }
      guard let held else { return .key(key) }
      next = .key(key)
      return held
    case .byte(let byte):
      burst = (byte, burst.count + 1)
      return takeByte(byte)
    }
  }

  /// What was held back by what was returned last; to be asked for before the next ``take(_:)``.
  public mutating func takeHeld() -> PlayInput? {
    defer { next = nil }
    return next
  }

  private mutating func takePause() -> PlayInput? {
    defer { burst.count = 0 }
    guard !isPasting else {
      // The end may come in pieces, or never: then a key that comes alone is a person's way out.
      return burst.count == 1 && Self.isQuit(burst.byte) ? .quit : nil
    }
    switch state {
    case .escape:
      state = .escapeTold
      return .key(.escape)
    case .sequence(""):
      state = .bracket
      return nil
    case .late(let character, _):
      state = .text
      return .character(String(character))
    default: return nil
    }
  }

  private mutating func takeByte(_ byte: UInt8) -> PlayInput? {
    if byte == Self.escape { return takeEscape() }
    switch state {
    case .text: return takeCharacter(byte)
    case .escape where byte == Self.openingBracket:
      state = .sequence("")
      return nil
    case .escape:
      state = .text
      guard !isPasting else { return takeCharacter(byte) }
      next = takeCharacter(byte)
      return .key(.escape)
    case .escapeTold where byte == Self.openingBracket:
      state = .late("[", parameters: "")
      return nil
    case .bracket where Self.isParameter(byte):
      let character = Character(Unicode.Scalar(byte))
      state = .late(character, parameters: String(character))
      return nil
    case .escapeTold, .bracket:
      state = .text
      return takeCharacter(byte)
    case .late(let character, let parameters):
      guard Self.isParameter(byte) || Self.keys[parameters + String(Unicode.Scalar(byte))] != nil
      else {
        state = .text
        next = takeCharacter(byte)
        return .character(String(character))
      }
      return takeSequence(parameters, byte)
    case .sequence(let parameters): return takeSequence(parameters, byte)
    case .mouse(var report):
      guard let result = report.append(byte) else {
        state = .mouse(report)
        return nil
      }
      state = .text
      return isPasting ? nil : result.input
    }
  }

  /// Begins anew: what was begun has no end then.
  private mutating func takeEscape() -> PlayInput? {
    defer { state = .escape }
    return held
  }

  /// What was held until it was known what follows, which is nothing that belongs to it.
  private var held: PlayInput? {
    switch state {
    case .escape where !isPasting: .key(.escape)
    case .late(let character, _): .character(String(character))
    default: nil
    }
  }

  private mutating func takeCharacter(_ byte: UInt8) -> PlayInput? {
    guard let scalar = decoder.take(byte) else { return nil }
    if isPasting {
      switch scalar {
      case "\t": return .character("\t")
      case "\n", "\r": return .character("\n")
      default: break
      }
    } else {
      switch scalar.value {
      case 0x03, 0x11: return .quit
      case 0x08, 0x7F: return .key(.backspace)
      case 0x09: return .key(.tab)
      case 0x0A, 0x0D: return .key(.enter)
      default: break
      }
    }
    guard scalar.value >= 0x20, scalar.value != 0x7F else { return nil }
    return .character(String(scalar))
  }

  /// One byte of a control sequence (ECMA-48, 5.4): parameters, and the byte that ends it.
  private mutating func takeSequence(_ parameters: String, _ byte: UInt8) -> PlayInput? {
    state = .text
    guard (0x20...0x7E).contains(byte) else { return nil }
    let sequence = parameters + String(Unicode.Scalar(byte))
    guard byte >= 0x40 else {
      if sequence.utf8.count <= Self.maximumLength { state = .sequence(sequence) }
      return nil
    }
    switch sequence {
    case "200~": isPasting = true
    case "201~": isPasting = false
    default:
      guard !isPasting else { return nil }
      // A report of the mouse that came in pieces, so that nobody saw its beginning.
      if sequence.first == "<" { return MouseReport.input(ofNumbers: sequence.dropFirst()) }
      return Self.keys[sequence].map { .key($0) }
    }
    return nil
  }

  /// Ctrl-C and Ctrl-Q.
  private static func isQuit(_ byte: UInt8) -> Bool { byte == 0x03 || byte == 0x11 }

  /// What a sequence may begin with that nobody types by chance behind Alt and a bracket: a number, or
  /// the sign of a report.
  private static func isParameter(_ byte: UInt8) -> Bool { (0x30...0x3F).contains(byte) }

  /// Keys as terminals send them whose description says otherwise: the VT220's, and xterm's.
  private static let keys: [String: PlayInput.Key] = {
    var keys: [String: PlayInput.Key] = [
      "1~": .home, "7~": .home, "H": .home, "4~": .end, "8~": .end, "F": .end, "3~": .delete,
      "A": .up, "B": .down, "C": .right, "D": .left, "Z": .backTab, "1;2C": .textRight,
      "1;2D": .textLeft,
    ]
    for (index, number) in [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24].enumerated() {
      keys["\(number)~"] = .function(index + 1)
    }
    return keys
  }()
}
