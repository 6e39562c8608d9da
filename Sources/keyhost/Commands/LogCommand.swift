import CommandLineInterface
import Glibc
import KeyboardHost
import SandboxLaunch
import StrictJSON
import TerminalText

let logCommand = Command(
  "log", abstract: "Show the audit log: decisions, launches, refusals, grants.",
  discussion: [
    """
    Times are in UTC. A line with a count stands for as many events, the first of them at its time. \
    Of a launch's layers only those are named that are not in force; --json has all. The log never \
    holds the text of a field.
    """,
    "A damaged line is named on the standard error output, and the exit code is then 1.",
  ],
  options: [
    .flag("follow", "Go on showing lines as they come, until interrupted."),
    .value(
      "since", "TIME",
      "Only lines from then on: a time such as 2026-01-31T12:00Z, or 90s, 10m, 2h, 3d ago."),
    .value("keyboard", "ID", "Only lines about this keyboard."),
    .value("event", "EVENT", choices: AuditKind.allCases.map(\.rawValue), "Only such lines."),
    .flag("json", "Print the lines as they are in the file, one JSON object each."),
  ],
  action: showLog)

@Sendable private func showLog(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let since = try invocation.value("since").map { try moment($0) }
  let keyboard = invocation.value("keyboard")
  let event = invocation.value("event")
  let context = try HostContext()
  var reader = AuditLogReader(path: context.paths.auditLog)
  var isDamaged = false
  var isKeyboardKnown = false
  var lines = OrderedLines()
  func show(_ item: AuditLogReader.Item) throws {
    switch item {
    case .damaged(let file, let number):
      isDamaged = true
      console.printError(
        "keyhost: \(VisibleText.escape(file)):\(number): this is not an audit line")
    case .record(let record):
      if let keyboard, record.keyboard != keyboard { return }
      isKeyboardKnown = true
      if let since, record.time < since { return }
      if let event, record.event != event { return }
      if invocation.wantsJSON {
        try console.print(raw: record.line + [UInt8(ascii: "\n")])
      } else if invocation.has("follow") {
        try console.print(line(record))
      } else {
        lines.add(line(record), at: record.first)
      }
    }
  }
  try reader.read(show)
  if let keyboard, !isKeyboardKnown, !isInstalled(keyboard, context) {
    console.printError(
      "keyhost: the log has no line about a keyboard `\(VisibleText.escape(keyboard))`, and none "
        + "is installed: `keyhost keyboards list` shows those that are")
  }
  while invocation.has("follow") {
    usleep(200_000)
    try reader.read(show)
  }
  try reader.finish(show)
  for line in lines.texts { try console.print(line) }
  return isDamaged ? .failure : .success
}

/// A listing that cannot be read is no reason to show no log, nor to doubt a name.
private func isInstalled(_ keyboard: String, _ context: HostContext) -> Bool {
  guard let listed = try? context.choices.list() else { return true }
  return listed.contains { $0.identifier == keyboard }
}

/// Lines of the log in the order of what they tell. Repeats are written some seconds after they
/// were, so a line goes back by so much; no further, or a clock that was set would mix everything.
private struct OrderedLines {
  private static let reach = AuditLog.coalescingWindow + 1_000
  private var lines: [(time: AuditTime, text: String)] = []

  var texts: [String] { lines.map(\.text) }

  mutating func add(_ text: String, at time: AuditTime) {
    var place = lines.endIndex
    while place > 0, time < lines[place - 1].time,
      lines[place - 1].time <= time.advanced(byMilliseconds: Self.reach)
    {
      place -= 1
    }
    lines.insert((time, text), at: place)
  }
}

private func line(_ record: AuditRecord) -> String {
  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
  // The file rules of a launch are for `audit inspect`.
  var details = record.fields.filter { !["first", "last", "files"].contains($0.key) }.map {
    VisibleText.escape($0.key) + "=" + ($0.key == "layers" ? layers($0.value) : text($0.value))
  }
  if let app = record.app { details.insert("app=" + shown(app), at: 0) }
  if record.count != 1 { details.append("(\(record.count) times until \(record.time.text))") }
  let keyboard = record.keyboard.map { shown($0) } ?? "-"
  let start = "\(record.first.text)  \(padded(VisibleText.escape(record.event), 13))  "
  guard !details.isEmpty else { return start + keyboard }
  return start + padded(keyboard, 30) + "  " + details.joined(separator: " ")
}

/// The layers of a launch: those that are not in force by name, as they alone are news.
private func layers(_ value: JSONValue) -> String {
  guard let members = value.members, !members.isEmpty else { return text(value) }
  let others = members.filter { name, state in
    // A host asks for the one of these two that its own user needs.
    let isSpared = [SandboxLayer.userNamespace, .identity].map(\.rawValue).contains(name)
    if isSpared, state.string == LayerState.notRequested.description { return false }
    return state.string != LayerState.enforced.description
  }
  if others.isEmpty { return "enforced" }
  return (others.map { VisibleText.escape($0.key) + ":" + text($0.value) } + ["others:enforced"])
    .joined(separator: ",")
}

/// A name as people read it: no quotes where there is nothing to confuse. An app or a keyboard chooses its
/// names, and must not make one look like several fields.
private func shown(_ name: String) -> String {
  let isPlain = name.unicodeScalars.allSatisfy {
    !$0.properties.isWhitespace && !"=,\"\\".unicodeScalars.contains($0)
  }
  if isPlain, !name.isEmpty, VisibleText.isSafe(name) { return name }
  var quoted = ""
  for scalar in name.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted += "\\" }
    quoted.unicodeScalars.append(scalar)
  }
  return "\"" + VisibleText.escape(quoted) + "\""
}

/// A value as people read it.
private func text(_ value: JSONValue) -> String {
  if let members = value.members {
    return members.map { VisibleText.escape($0.key) + ":" + text($0.value) }.joined(separator: ",")
  }
  if let elements = value.elements { return elements.map(text).joined(separator: ",") }
  if let string = value.string { return shown(string) }
  return VisibleText.escape(String(decoding: value.source, as: UTF8.self))
}

private func moment(_ text: String) throws(UsageError) -> AuditTime {
  let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
  if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
    (0...1_000_000_000).contains(count)
  {
    return AuditTime.now().advanced(byMilliseconds: -count * unit * 1000)
  }
  guard let time = AuditTime(text) else {
    throw UsageError(
      "`--since` is `\(VisibleText.escape(text, limit: 60))`, neither a time such as "
        + "2026-01-31T12:00Z nor 90s, 10m, 2h or 3d")
  }
  return time
}
