import StrictJSON
import TestSupport
import Testing

/// Each file of `Tests/Traces/sandbox` is a rule, played by `keyhost type` with a keyboard that really
/// runs in its sandbox.
@Suite("Traces of sandboxed keyboards", .serialized)
struct SandboxTraceTests {
  static let names = TraceFile.names(in: "sandbox")

  @Test("go as they are written, with no line more and no line less", arguments: names)
  func trace(name: String) throws {
    try TraceFile.check("sandbox", name) { steps in
      let home = try TemporaryHome()
      for step in steps where step.hasPrefix("! ") {
        let app = "\(Products.bundles)/\(step.dropFirst(2)).app"
        let installed = try home.expectSuccess("apps", "install", app, "--json")
        let root = try JSONDocument(parsing: installed.standardOutputBytes).root
        for keyboard in root["app"]?["keyboards"]?.elements ?? [] {
          try home.expectSuccess("keyboards", "add", keyboard["identifier"]?.string ?? "")
        }
      }
      let script = steps.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) + "\n" }.joined()
      let result = try home.keyhost("type", "--events", "--json", "--trace", input: script)
      #expect(result.exitCode == 0, "\(result)")
      var told = SandboxTelling()
      return steps + (try result.lines.flatMap { try told.lines(ofEvent: $0) })
        + (try home.keyhost("log", "--json").lines.compactMap { try told.line(ofLog: $0) })
    }
  }
}

/// What is the same in every run of what is told.
private struct SandboxTelling {
  private var names: [String] = []
  private var isEnding = false

  mutating func lines(ofEvent line: String) throws -> [String] {
    let event = try JSONDocument(parsing: Array(line.utf8)).root
    func text(_ name: String) -> String { event[name]?.string ?? "" }
    let kind = text("event")
    // How far a keyboard comes in the moment that it has for its end is its own affair.
    if isEnding, kind != "text" { return [] }
    switch kind {
    case "trace":
      switch text("kind") {
      case "note": return ["  \(name(text("keyboard"))): \(text("note").prefix { !$0.isNumber })"]
      case "toKeyboard":
        if text("line").contains(#""method":"shutdown""#) { isEnding = true }
        return ["  \(name(text("keyboard"))) is told \(try message(text("line")))"]
      default: return ["  \(name(text("keyboard"))) says \(try message(text("line")))"]
      }
    case "presented":
      let reasons = event["decision"]?["reasons"]?.elements?.compactMap { $0["code"]?.string } ?? []
      let bar = event["suggestions"]?.elements?.compactMap(\.string) ?? []
      return [
        "  shown for \(text("document")): \(event["keyboard"]?.string.map(name) ?? "system"), "
          + reasons.joined(separator: " ") + (bar.isEmpty ? "" : ", bar \(bar)")
      ]
    case "handled":
      let by = event["keyboard"]?.string.map(name) ?? text("handler")
      return ["  handled: \(text("document")) by \(by), \(text("reason"))"]
    case "text": return ["  text of \(text("document")): \(text("text").debugDescription)"]
    default: return ["  \(kind): \(text("document"))\(text("message"))"]
    }
  }

  /// The last two parts of a keyboard's id.
  private func name(_ identifier: String) -> String {
    identifier.split(separator: ".").suffix(2).joined(separator: ".")
  }

  /// A line of the protocol with documents named in the order of their first mention.
  private mutating func message(_ line: String) throws -> String {
    let root = try JSONDocument(parsing: Array(line.utf8)).root
    if root["result"]?["layout"] != nil { return "its layout" }
    for place in [root["params"], root["result"]?["field"]] {
      guard let identifier = place?["documentIdentifier"]?.string else { continue }
      if !names.contains(identifier) { names.append(identifier) }
    }
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in root.members ?? [] where key != "jsonrpc" {
      writer.key(key)
      writer.value(copying: value)
    }
    writer.endObject()
    var text = writer.string
    if let version = root["params"]?["hostVersion"]?.string,
      let place = text.firstRange(of: "\"hostVersion\":\"\(version)\"")
    {
      text.replaceSubrange(place, with: #""hostVersion":"0""#)
    }
    for (index, name) in names.enumerated() {
      while let place = text.firstRange(of: name) {
        text.replaceSubrange(place, with: "document-\(index + 1)")
      }
    }
    return text
  }

  /// Without what is another in every run or on another machine.
  func line(ofLog line: String) throws -> String? {
    let record = try JSONDocument(parsing: Array(line.utf8)).root
    guard let event = record["event"]?.string, event != "traced", event != "exit" else {
      return nil
    }
    var parts = ["  log: \(event)"]
    if let keyboard = record["keyboard"]?.string { parts.append(name(keyboard)) }
    for member in ["document", "verdict", "reasons", "openAccess", "change", "reason"] {
      guard let value = record[member] else { continue }
      parts.append("\(member) \(String(decoding: value.source, as: UTF8.self))")
    }
    return parts.joined(separator: " ")
  }
}
