import StrictJSON
import TestSupport
import Testing

/// Each file of `Tests/Traces/apps` is a rule of what apps are told, played with real connections to
/// a real `keyhost serve`.
@Suite("Traces of apps")
struct AppTraceTests {
  static let names = TraceFile.names(in: "apps")

  @Test("go as they are written, with no line more and no line less", arguments: names)
  func trace(name: String) throws {
    try TraceFile.check("apps", name) { steps in
      // A keyboard that could serve, and waits behind the system keyboard, which needs no time.
      let home = try TemporaryHome(keyboards: ["keyboard": PythonKeyboard.plain])
      try home.expectSuccess("keyboards", "move", "system", "1")
      let server = try RunningServer(home)
      let stage = AppStage(path: server.path)
      return try steps.flatMap { [$0] + (try stage.play($0)) }
    }
  }
}

/// The apps of a trace, by their letters.
private final class AppStage {
  private let path: String
  private var apps: [(name: String, app: RawApp)] = []
  private var lastRequest = 1

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  init(path: String) { self.path = path }

  /// - Returns: what followed.
  func play(_ step: String) throws -> [String] {
    guard step.hasPrefix("> ") || step.hasPrefix("! ") else { return [] }
    let words = step.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count >= 3 else { throw Fault(description: "`\(step)` says too little") }
    let (name, verb) = (words[1], words[2])
    let rest = words.count > 3 ? words[3] : ""
    if step.hasPrefix("! ") {
      guard ["connects", "asked"].contains(verb) else {
        throw Fault(description: "nobody knows `\(verb)`")
      }
      let app = try RawApp(path, implementsQuestion: verb == "asked")
      apps.append((name, app))
      return try follow()
    }
    guard let app = apps.first(where: { $0.name == name })?.app else {
      throw Fault(description: "no app is called \(name)")
    }
    switch verb {
    case "answers": app.send(#"{"jsonrpc":"2.0","id":\#(rest)}"#)
    case "notifies": app.send(#"{"jsonrpc":"2.0","method":"\#(rest)"}"#)
    default:
      lastRequest += 1
      app.call(lastRequest, verb, String(rest.dropFirst().dropLast()))
    }
    return try follow(name)
  }

  /// Everything that is said until each app has had an answer to a request that does nothing, the
  /// one that did something first.
  private func follow(_ first: String? = nil) throws -> [String] {
    var lines: [String] = []
    for (name, app) in apps.sorted(by: { $0.name == first && $1.name != first }) {
      lastRequest += 1
      app.call(lastRequest, "closeDocument", #""document":"nobody's""#)
      while true {
        guard let line = app.line() else {
          if !app.isAtEnd { throw Fault(description: "\(name) hears nothing") }
          lines.append("  \(name): the connection ends")
          break
        }
        if line.contains("\"id\":\(lastRequest),") { break }
        lines.append("  \(name): \(try Self.short(line))")
      }
    }
    // In the order of their names, whoever was asked first.
    return lines.enumerated().sorted {
      ($0.element.prefix(4), $0.offset) < ($1.element.prefix(4), $1.offset)
    }.map(\.element)
  }

  /// Without what is in every line, the number of an answer to what stands right above, and keys.
  private static func short(_ line: String) throws -> String {
    let root = try JSONDocument(parsing: Array(line.utf8)).root
    let isAnswer = root["method"] == nil
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in root.members ?? [] where key != "jsonrpc" && !(isAnswer && key == "id") {
      writer.key(key)
      guard key == "params", value["layout"] != nil else {
        writer.value(copying: value)
        continue
      }
      writer.beginObject()
      for (name, member) in value.members ?? [] where name != "layout" {
        writer.key(name)
        writer.value(copying: member)
      }
      writer.endObject()
    }
    writer.endObject()
    return writer.string
  }
}
