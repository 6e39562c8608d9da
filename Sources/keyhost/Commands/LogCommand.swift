import CommandLineInterface
import Glibc
import KeyboardHost
import StrictJSON
import TerminalText

let logCommand = Command(
  "log", abstract: "Show the audit log: decisions, launches, refusals, grants.",
  discussion: [
    """
    Times are in UTC. A line with a count stands for as many events. The log never holds the text \
    of a field.
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
  func show(_ item: AuditLogReader.Item) throws {
    switch item {
    case .damaged(let file, let number):
      isDamaged = true
      console.printError(
        "keyhost: \(VisibleText.escape(file)):\(number): this is not an audit line")
    case .record(let record):
      if let since, record.time < since { return }
      if let keyboard, record.keyboard != keyboard { return }
      if let event, record.event != event { return }
      if invocation.wantsJSON {
        try console.print(raw: record.line + [UInt8(ascii: "\n")])
      } else {
        try console.print(line(record))
      }
    }
  }
  while true {
    try reader.read(show)
    guard invocation.has("follow") else {
      try reader.finish(show)
      return isDamaged ? .failure : .success
    }
    usleep(200_000)
  }
}

private func line(_ record: AuditRecord) -> String {
  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
  // The file rules of a launch are for `audit inspect`.
  var details = record.fields.filter { !["first", "last", "files"].contains($0.key) }.map {
    VisibleText.escape($0.key) + "=" + text($0.value)
  }
  if let app = record.app { details.insert("app=" + VisibleText.escape(app), at: 0) }
  if record.count != 1 { details.append("(\(record.count) times)") }
  let keyboard = record.keyboard.map { VisibleText.escape($0) } ?? "-"
  let start = "\(record.time.text)  \(padded(VisibleText.escape(record.event), 13))  "
  guard !details.isEmpty else { return start + keyboard }
  return start + padded(keyboard, 30) + "  " + details.joined(separator: " ")
}

/// A value as people read it: no quotes where there is nothing to confuse.
private func text(_ value: JSONValue) -> String {
  if let members = value.members {
    return members.map { VisibleText.escape($0.key) + ":" + text($0.value) }.joined(separator: ",")
  }
  if let elements = value.elements { return elements.map(text).joined(separator: ",") }
  if let string = value.string, !string.isEmpty, !string.contains(where: { " =,\"".contains($0) }) {
    return VisibleText.escape(string)
  }
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
