/// Makes what a person does of what a terminal sends.
///
/// Keys that the terminal's description does not know, and reports that come in pieces, become no text; what
/// is pasted is text alone, and no key in it does anything.
public struct TerminalReader: Sendable {
  /// What a terminal sends.
  public enum Unit: Sendable, Equatable {
    /// A scalar, control characters included.
    case character(UInt32)
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
    /// The parameters of a control sequence so far.
    case sequence(String)
    case mouse(MouseReport)
  }

  /// The longest control sequence.
  private static let maximumLength = 32

  private var state = State.text
  private var isPasting = false
  /// What comes behind another input that was held until it was known what follows.
  private var next: PlayInput?

  public init() {}

  /// - Returns: what the person did; nil where that is nothing, or not known before more comes.
  public mutating func take(_ unit: Unit) -> PlayInput? {
    switch (state, unit) {
    case (_, .end):
      return .end
    case (_, .resize):
      return .resize
    case (.escape, .pause):
      state = .text
      return isPasting ? nil : .key(.escape)
    case (.sequence(""), .pause):
      state = .text
      return nil
    case (_, .pause):
      return nil
    case (.mouse(var report), .character(let value)):
      guard let result = report.append(value) else {
        state = .mouse(report)
        return nil
      }
      state = .text
      return isPasting ? nil : result.input
    case (.sequence(let parameters), .character(let value)):
      return takeSequence(parameters, value)
    case (.escape, .character(UInt32(UInt8(ascii: "[")))):
      state = .sequence("")
      return nil
    case (.escape, _):
      state = .text
      let held = isPasting ? nil : PlayInput.key(.escape)
      let input = take(unit)
      guard let held else { return input }
      next = input
      return held
    case (_, .mouse(let form)):
      state = .mouse(MouseReport(form))
      return nil
    case (_, .key(let key)):
      state = .text
      // The way out stays open, should the end of what is pasted never come.
      return isPasting && key != .function(10) ? nil : .key(key)
    case (.text, .character(let value)):
      return takeCharacter(value)
    }
  }

  /// What was held back by what was returned last; to be asked for before the next ``take(_:)``.
  public mutating func takeHeld() -> PlayInput? {
    defer { next = nil }
    return next
  }

  private mutating func takeCharacter(_ value: UInt32) -> PlayInput? {
    if value == 0x1B {
      state = .escape
      return nil
    }
    if isPasting {
      switch value {
      case 0x09: return .character("\t")
      case 0x0A, 0x0D: return .character("\n")
      default: break
      }
    } else {
      switch value {
      case 0x03, 0x11: return .quit  // Ctrl-C, Ctrl-Q
      case 0x08, 0x7F: return .key(.backspace)
      case 0x09: return .key(.tab)
      case 0x0A, 0x0D: return .key(.enter)
      default: break
      }
    }
    guard value >= 0x20, value != 0x7F, let scalar = Unicode.Scalar(value) else { return nil }
    return .character(String(scalar))
  }

  /// One character of a control sequence (ECMA-48, 5.4): parameters, and the byte that ends it.
  private mutating func takeSequence(_ parameters: String, _ value: UInt32) -> PlayInput? {
    guard let scalar = Unicode.Scalar(value), (0x20...0x7E).contains(value) else {
      state = .text
      return nil
    }
    guard value >= 0x40 else {
      let more = parameters + String(scalar)
      state = more.utf8.count > Self.maximumLength ? .text : .sequence(more)
      return nil
    }
    state = .text
    let sequence = parameters + String(scalar)
    switch sequence {
    case "200~": isPasting = true
    case "201~": isPasting = false
    default: return isPasting ? nil : Self.keys[sequence].map { .key($0) }
    }
    return nil
  }

  /// Keys as terminals send them whose description says otherwise: the VT220's, and xterm's.
  private static let keys: [String: PlayInput.Key] = [
    "1~": .home, "7~": .home, "H": .home, "4~": .end, "8~": .end, "F": .end, "3~": .delete,
    "A": .up, "B": .down, "C": .right, "D": .left, "Z": .backTab, "1;2C": .textRight,
    "1;2D": .textLeft,
  ]
}
