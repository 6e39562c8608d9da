import StrictJSON
import TestSupport
import Testing

/// What `keyhost type --json` reported.
struct TypedRun {
  struct Handled {
    var document: String
    /// `system`, or the keyboard's identifier.
    var handler: String
    var reason: String
  }

  var result: ProgramResult
  var handled: [Handled] = []
  /// The text of each document at the end.
  var texts: [String: String] = [:]

  init(_ result: ProgramResult) throws {
    self.result = result
    for line in result.lines {
      let value = try JSONDocument(parsing: Array(line.utf8)).root
      switch value["event"]?.string {
      case "handled":
        handled.append(
          Handled(
            document: value["document"]?.string ?? "",
            handler: value["keyboard"]?.string ?? value["handler"]?.string ?? "",
            reason: value["reason"]?.string ?? ""))
      case "text": texts[value["document"]?.string ?? ""] = value["text"]?.string
      default: break
      }
    }
  }

  /// Runs a script of events.
  static func events(
    _ home: TemporaryHome, _ script: [String], _ options: String...
  ) throws -> TypedRun {
    let result = try home.keyhost.run(
      ["type", "--events", "--json"] + options, input: Array(script.joined(separator: "\n").utf8))
    return try TypedRun(result)
  }

  /// Who handled the inputs of a document, each once, in order.
  func handlers(of document: String) -> [String] {
    var names: [String] = []
    for one in handled where one.document == document && names.last != one.handler {
      names.append(one.handler)
    }
    return names
  }

  /// The reasons given for the inputs of a document, each once, in order.
  func reasons(of document: String) -> [String] {
    var names: [String] = []
    for one in handled where one.document == document && names.last != one.reason {
      names.append(one.reason)
    }
    return names
  }
}
