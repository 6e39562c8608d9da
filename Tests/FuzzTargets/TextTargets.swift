import KeyboardHost
import PluginProtocol
import StrictJSON
import TerminalText
import TextInput

/// Escaped text cannot do anything to a terminal, is within its limit, and stays as it is when it
/// is escaped again.
func checkVisibleText(_ bytes: [UInt8]) throws(FuzzFinding) {
  let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
  let limit = Int(bytes.first ?? 0)
  let whole = VisibleText.escape(text)
  let cut = VisibleText.escape(text, limit: limit)
  for shown in [whole, cut] {
    try demand(VisibleText.isSafe(shown), "what was escaped is not safe")
    try demand(
      VisibleText.escape(shown).utf8.elementsEqual(shown.utf8), "escaping twice changes a text")
    for scalar in shown.unicodeScalars {
      try demand(!isDangerous(scalar.value), "U+\(String(scalar.value, radix: 16)) is shown")
    }
  }
  try demand(cut.utf8.count <= max(limit, 4), "the text is longer than its limit")
  if whole.utf8.count <= max(limit, 4) {
    try demand(cut.utf8.elementsEqual(whole.utf8), "a text that fits was cut")
  } else {
    try demand(
      cut.hasSuffix("…") && whole.utf8.starts(with: cut.utf8.dropLast(3)),
      "a cut text is not the beginning of the whole")
  }
  if VisibleText.isSafe(text) {
    try demand(whole.utf8.elementsEqual(text.utf8), "a safe text was changed")
  }
}

/// Controls and what reorders or hides text, written down apart from the rule that is checked.
private func isDangerous(_ value: UInt32) -> Bool {
  switch value {
  case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
    0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
    true
  default: false
  }
}

/// Settings that are read are written and read again as they were, and grant nothing that is not
/// in the file.
func checkSettings(_ bytes: [UInt8]) throws(FuzzFinding) {
  let settings: HostSettings
  do { settings = try HostSettings(decoding: bytes) } catch {
    try check(error, in: bytes)
    return
  }
  let again = try mustNotThrow("written settings are not read") { () throws(JSONError) in
    try HostSettings(decoding: settings.encoded())
  }
  try demand(again == settings, "settings change when written")
  try demand(
    settings.enabledKeyboards.count { $0 == HostSettings.systemKeyboard } == 1,
    "the system keyboard is not in the list exactly once")
  guard let root = try? JSONDocument(parsing: bytes).root else {
    throw FuzzFinding("settings were read from what is no JSON")
  }
  for (key, count) in [
    ("allowedHosts", settings.allowedHosts.count), ("identities", settings.identities.count),
    ("weakenings", settings.weakenings.count), ("services", settings.services.count),
    ("appSettings", settings.appSettings.count),
  ] {
    try demand(
      (root[key]?.members?.count ?? 0) == count, "an entry of `\(key)` hides another one")
  }
  try demand(
    (root["openAccess"]?.elements?.count ?? 0) == settings.openAccess.count,
    "an entry of `openAccess` hides another one")
  try demand(
    Set(settings.identities.values).count == settings.identities.count, "a shared identity")
}

/// Lines are read without trust, and what is written of foreign text is one safe line.
func checkAuditLog(_ bytes: [UInt8]) throws(FuzzFinding) {
  if let record = AuditRecord(line: bytes) {
    try demand(AuditTime(record.time.text) == record.time, "a time changes when written")
    try demand(record.line == bytes, "a line changed")
  }
  let text = String(decoding: bytes, as: UTF8.self)
  if let time = AuditTime(text) {
    try demand(AuditTime(time.text) == time, "a time changes when written")
  }
  let event = AuditEvent(
    .launchFailed, keyboard: text, app: text,
    [
      AuditField("message", .foreign(text)), AuditField("time", .foreign(text)),
      AuditField("list", .list([.foreign(text), .integer(bytes.count)])),
    ])
  let line = AuditLog.line(
    event, at: AuditTime(milliseconds: 0),
    repeats: (count: 2, first: AuditTime(milliseconds: 0), last: AuditTime(milliseconds: 1)))
  try demand(line.last == 0x0A && !line.dropLast().contains(0x0A), "an event is not one line")
  try demand(line.count < 4_096, "a line is as long as foreign text makes it")
  guard let record = AuditRecord(line: Array(line.dropLast())) else {
    throw FuzzFinding("a line of the log is not read")
  }
  try demand(record.count == 2 && record.event == "launchFailed", "an event changed")
  for text in [record.keyboard, record.app, record.fields.first?.value.string] {
    guard let text else { throw FuzzFinding("foreign text is lost") }
    try demand(VisibleText.isSafe(text), "foreign text stands in the log as it came")
    try demand(text.utf8.count <= AuditValue.foreignLimit, "foreign text is longer than its limit")
  }
}

/// Scripts are read strictly; typed text comes out the same however it was cut.
func checkScript(_ bytes: [UInt8]) throws(FuzzFinding) {
  try checkStep(bytes)
  if let root = try? JSONDocument(parsing: bytes).root,
    let traits = try? TextInputTraits(decoding: root)
  {
    let text = WrittenJSON { traits.encode(into: &$0) }
    guard let written = text.root, var again = try? TextInputTraits(decoding: written) else {
      throw FuzzFinding("written traits are not read")
    }
    again.unrecognized = traits.unrecognized
    if root.source.count < 64 { try demand(again == traits, "traits change when written") }
    let field = FieldDescription(traits: traits)
    if !traits.unrecognized.isEmpty {
      try demand(Eligibility.fieldRefuses(field), "a field with a trait nobody knows is served")
    }
    if root["isSecureTextEntry"]?.boolean == true {
      try demand(
        Eligibility.fieldRefuses(field) && Eligibility.isSecure(traits),
        "a secure field is served by a keyboard")
    }
  }
  try checkTyping(bytes)
}

private func checkStep(_ bytes: [UInt8]) throws(FuzzFinding) {
  let step: ScriptStep
  do { step = try ScriptStep(decoding: bytes) } catch {
    return try check(error, in: bytes)
  }
  switch step {
  case .wait(let time):
    try demand(time <= 600_000, "a wait is longer than allowed")
  case .text(let text):
    try demand(
      text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\t\r\n".unicodeScalars.contains($0) },
      "a control character is typed")
  case .keys(let text):
    try demand(
      text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 || "\u{8}\t\r\n".unicodeScalars.contains($0)
      }, "a control character has a key")
  case .input: break
  }
}

private func checkTyping(_ bytes: [UInt8]) throws(FuzzFinding) {
  func type(_ pieces: [[UInt8]]) -> (characters: [String], fault: TypedText.Fault?) {
    var typed = TypedText()
    var characters: [String] = []
    do throws(TypedText.Fault) {
      for piece in pieces { try typed.append(piece, isLast: false, into: &characters) }
      try typed.append([], isLast: true, into: &characters)
      return (characters, nil)
    } catch { return (characters, error) }
  }
  let whole = type([bytes])
  let cut = type(bytes.pieces(seed: bytes.first ?? 0))
  try demand(
    whole.characters.elementsEqual(cut.characters) { $0.utf8.elementsEqual($1.utf8) },
    "the characters depend on how the text was cut")
  try demand(whole.fault == cut.fault, "a fault depends on how the text was cut")
  let joined = whole.characters.flatMap(\.utf8)
  try demand(bytes.starts(with: joined), "the characters are not those of the text")
  if let fault = whole.fault {
    try demand(fault.offset == joined.count, "a fault stands elsewhere than it is said to")
  } else {
    try demand(joined.count == bytes.count, "characters are missing")
  }
}
