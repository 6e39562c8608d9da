import PluginProtocol
import StrictJSON
import TerminalText
import TextInput

/// One line of a script that plays an app and its user.
public enum ScriptStep: Sendable {
  case input(CoreInput)
  /// Text that is typed character by character.
  case text(String)
  /// Text for which the keys that are shown are tapped, as by a person.
  case keys(String)
  /// Waits, in milliseconds, before the next line is read.
  case wait(milliseconds: UInt64)

  /// The longest wait of one line, in milliseconds.
  static let longestWait: Int64 = 600_000

  /// The first key that a line may have, each with what it does.
  public static let verbs: [(name: String, meaning: String)] = [
    (
      "open",
      "opens a document: {\"open\":NAME,\"field\":TRAITS,\"text\":TEXT,\"app\":ID,\"answer\":ANSWER}"
    ),
    ("focus", "moves the focus: {\"focus\":NAME}; null takes it away"),
    ("type", "types text: {\"type\":TEXT}"),
    (
      "keys",
      "taps the shown keys for a text, with shift and other planes where it takes them, as a person "
        + "would: {\"keys\":TEXT}; \"\\b\" deletes"
    ),
    ("tap", "taps a key of the shown layout: {\"tap\":KEY}"),
    ("longPress", "presses a key for long: {\"longPress\":KEY}"),
    ("swipe", "swipes: {\"swipe\":\"left\",\"count\":3}"),
    ("hardwareKey", "presses a hardware key: {\"hardwareKey\":{\"characters\":\"a\"}}"),
    ("suggestion", "picks a suggestion: {\"suggestion\":TEXT,\"index\":0}"),
    ("stroke", "draws a stroke: {\"stroke\":[[0,0,0]]}, points as x, y, milliseconds"),
    (
      "drag", "drags the cursor with the space key: {\"drag\":[RIGHT,DOWN]} in points; null lets go"
    ),
    ("shake", "shakes the device, which asks whether to undo: {\"shake\":true}"),
    ("answerUndo", "answers that: {\"answerUndo\":\"undo\"}, \"redo\" or \"cancel\""),
    (
      "format",
      "asks for another look of the text: {\"format\":\"bold\"}, \"italic\", \"underline\""
    ),
    ("traits", "changes a document's traits: {\"traits\":NAME,\"field\":TRAITS}"),
    ("edit", "the app replaces the text: {\"edit\":NAME,\"text\":TEXT,\"selection\":[0,0]}"),
    ("select", "the app or user selects: {\"select\":NAME,\"range\":[0,3]}"),
    ("answer", "the app changes its answer: {\"answer\":\"deny\",\"app\":ID}"),
    ("nextKeyboard", "presses the globe key: {\"nextKeyboard\":true}"),
    ("keyboard", "picks a keyboard from the list: {\"keyboard\":ID}"),
    ("close", "closes a document: {\"close\":NAME}"),
    ("wait", "waits: {\"wait\":MILLISECONDS}"),
  ]

  /// - Throws: ``JSONError`` with the place within the line.
  public init(decoding bytes: [UInt8]) throws(JSONError) {
    let root = try JSONDocument(
      parsing: bytes, limits: JSONLimits(maximumBytes: 1 << 20, maximumDepth: 16)
    ).root
    guard let members = root.members else {
      throw root.error("an event is an object, such as {\"tap\":\"a\"}")
    }
    let names = Self.verbs.map(\.name)
    guard let verb = members.first(where: { names.contains($0.key) })?.key else {
      throw root.error("an event has one of \(names.joined(separator: ", "))")
    }
    let reader = ScriptReader(root: root, verb: verb)
    self = try reader.step()
  }
}

/// Reads the members of one script line, strictly.
private struct ScriptReader {
  let root: JSONValue
  let verb: String

  func step() throws(JSONError) -> ScriptStep {
    switch verb {
    case "open":
      try allow(["field", "text", "app", "answer"])
      return .input(
        .open(
          try document(), app: try string("app"), answer: try answer("answer") ?? .notImplemented,
          traits: try traits() ?? TextInputTraits(), text: try string("text") ?? ""))
    case "close":
      try allow([])
      return .input(.close(try document()))
    case "focus":
      try allow([])
      return .input(.focus(root[verb]?.isNull == true ? nil : try document()))
    case "type":
      try allow([])
      let text = try need(verb)
      if let control = text.unicodeScalars.first(where: TypedText.isControl) {
        throw root.error(
          atKey: verb, "the control character \(TypedText.name(of: control)) is not text")
      }
      return .text(text)
    case "keys":
      try allow([])
      let text = try need(verb)
      if let control = text.unicodeScalars.first(where: { TypedText.isControl($0) && $0 != "\u{8}" }
      ) {
        throw root.error(
          atKey: verb, "there is no key for the control character \(TypedText.name(of: control))")
      }
      return .keys(text)
    case "drag", "shake", "answerUndo", "format":
      try allow([])
      return .input(.user(.command(try command())))
    case "traits":
      try allow(["field"])
      guard let traits = try traits() else { throw root.error("\"field\" is missing") }
      return .input(.traits(try document(), traits))
    case "edit":
      try allow(["text", "selection"])
      let edit = AppEdit.replaceText(try need("text"), selection: try range("selection"))
      return .input(.appEdit(try document(), edit))
    case "select":
      try allow(["range"])
      guard let range = try range("range") else { throw root.error("\"range\" is missing") }
      return .input(.appEdit(try document(), .select(range)))
    case "answer":
      try allow(["app"])
      guard let answer = try answer(verb) else { throw root.error("\"answer\" is missing") }
      return .input(.appAnswer(app: try need("app"), answer))
    case "nextKeyboard":
      try allow([])
      guard root[verb]?.boolean == true else {
        throw root.error(atKey: verb, "\"nextKeyboard\" is true")
      }
      return .input(.user(.nextKeyboard))
    case "keyboard":
      try allow([])
      return .input(.user(.selectKeyboard(try need(verb))))
    case "wait":
      try allow([])
      guard let time = root[verb]?.int64, (0...ScriptStep.longestWait).contains(time) else {
        throw root.error(
          atKey: verb, "\"wait\" is a number of milliseconds up to \(ScriptStep.longestWait)")
      }
      return .wait(milliseconds: UInt64(time))
    default:
      try allow(["count", "index"])
      return .input(.user(.event(try InputEvent(decoding: root))))
    }
  }

  private func command() throws(JSONError) -> EditingCommand {
    guard let value = root[verb] else { throw root.error("\"\(verb)\" is missing") }
    switch verb {
    case "shake":
      guard value.boolean == true else { throw root.error(atKey: verb, "\"shake\" is true") }
      return .shake
    case "drag":
      if value.isNull { return .dragEnded }
      guard let way = value.elements, way.count == 2, let x = way[0].double, let y = way[1].double
      else { throw value.error("\"drag\" is a pair of points, such as [18,0], or null") }
      return .drag(x: x, y: y)
    case "answerUndo": return .answerUndo(try choice(value))
    default: return .format(try choice(value))
    }
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ value: JSONValue
  ) throws(JSONError) -> Choice where Choice.RawValue == String {
    guard let text = value.string, let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw value.error("\"\(verb)\" is one of \(known)")
    }
    return choice
  }

  private func allow(_ names: [String]) throws(JSONError) {
    for (key, _) in root.members ?? [] where key != verb && !names.contains(key) {
      throw root.error(
        atKey: key, "\"\(VisibleText.escape(key, limit: 60))\" does not go with \"\(verb)\"")
    }
  }

  private func string(_ name: String) throws(JSONError) -> String? {
    guard let value = root[name] else { return nil }
    guard let text = value.string else { throw value.error("\"\(name)\" is a string") }
    return text
  }

  private func need(_ name: String) throws(JSONError) -> String {
    guard let text = try string(name) else { throw root.error("\"\(name)\" is missing") }
    return text
  }

  private func document() throws(JSONError) -> DocumentID {
    let name = try need(verb)
    guard !name.isEmpty, name.utf8.count <= 128 else {
      throw root.error(atKey: verb, "a document's name has 1 to 128 bytes")
    }
    return DocumentID(name)
  }

  private func traits() throws(JSONError) -> TextInputTraits? {
    guard let value = root["field"] else { return nil }
    return try TextInputTraits(decoding: value)
  }

  private func answer(_ name: String) throws(JSONError) -> AppAnswer? {
    guard let text = try string(name) else { return nil }
    guard let answer = AppAnswer(rawValue: text) else {
      let known = AppAnswer.allCases.map(\.rawValue).joined(separator: ", ")
      throw root.error(atKey: name, "\"\(name)\" is one of \(known)")
    }
    return answer
  }

  private func range(_ name: String) throws(JSONError) -> Range<Int>? {
    guard let value = root[name] else { return nil }
    guard let bounds = value.elements, bounds.count == 2, let start = bounds[0].int64,
      let end = bounds[1].int64, start >= 0, start <= end, end <= 1 << 20
    else { throw value.error("\"\(name)\" is a pair of character offsets, such as [0,3]") }
    return Int(start)..<Int(end)
  }
}
