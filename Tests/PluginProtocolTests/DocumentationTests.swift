import PluginProtocol
import StrictJSON
import TestSupport
import Testing
import TextInput

/// The specification, taken apart.
struct Specification {
  /// The lines of the code blocks with this info string.
  private(set) var blocks: [String: [String]] = [:]

  init() throws {
    var info: String?
    for line in try SourceTree.contents(of: "docs/plugin-protocol.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("```") {
        info = info == nil ? String(line.dropFirst(3)) : nil
      } else if let info {
        blocks[info, default: []].append(String(line))
      }
    }
  }
}

@Suite("The specification of the protocol")
struct DocumentationTests {
  @Test("has example lines of the host that are read, and written just so")
  func hostExamples() throws {
    let lines = try #require(Specification().blocks["json host"])
    for line in lines {
      let message = try HostMessage.decode(Array(line.utf8))
      #expect(String(decoding: message.encoded(), as: UTF8.self) == line + "\n")
      if case .unrecognized(_, let method) = message { Issue.record("unknown: \(method)") }
    }
    // Every method and every event has an example.
    for part in [
      "initialize", "focus", "blur", "event", "change", "settings", "environment", "shutdown",
      "exit", "tap", "longPress", "swipe", "hardwareKey", "suggestion", "stroke", "applied",
      "entries", "error",
    ] {
      #expect(lines.contains { $0.contains("\"\(part)\"") }, "no example of \(part)")
    }
  }

  @Test("has example lines of a keyboard that are read, and written just so")
  func pluginExamples() throws {
    let blocks = try Specification().blocks
    for line in try #require(blocks["json plugin"]) {
      let message = try PluginMessage.decode(Array(line.utf8))
      #expect(String(decoding: message.encoded(), as: UTF8.self) == line + "\n")
    }
    let transactions = try #require(blocks["json transaction"])
    for line in transactions {
      guard case .response(let id, let value) = try PluginMessage.decode(Array(line.utf8)) else {
        Issue.record("no response: \(line)")
        continue
      }
      let transaction = try Transaction(decoding: value)
      let again = PluginMessage.response(id: id) { transaction.encode(into: &$0) }
      #expect(String(decoding: again, as: UTF8.self) == line + "\n")
    }
    for part in [
      "insertText", "deleteBackward", "adjustTextPosition", "setMarkedText", "unmarkText",
      "actions", "layout", "suggestions",
    ] {
      #expect(transactions.contains { $0.contains("\"\(part)\"") }, "no example of \(part)")
    }
    for line in try #require(blocks["json initialize"]) {
      guard case .response(let id, let value) = try PluginMessage.decode(Array(line.utf8)) else {
        Issue.record("no response: \(line)")
        continue
      }
      let result = try InitializeResult(decoding: value)
      let again = PluginMessage.response(id: id) { result.encode(into: &$0) }
      #expect(String(decoding: again, as: UTF8.self) == line + "\n")
    }
  }

  @Test("names every trait, value, role, action and bound as the code has it")
  func names() throws {
    let text = try SourceTree.contents(of: "docs/plugin-protocol.md")
    var names = KeyboardType.allCases.map(\.rawValue)
    names += ReturnKeyType.allCases.map(\.rawValue) + KeyRole.allCases.map(\.rawValue)
    names += AutocapitalizationType.allCases.map(\.rawValue)
    names += KeyboardAppearance.allCases.map(\.rawValue)
    names += KeyboardAction.allCases.map(\.rawValue) + ChangeCause.allCases.map(\.rawValue)
    names += HardwareKey.Modifier.allCases.map(\.rawValue)
    names += SwipeDirection.allCases.map(\.rawValue)
    names += LayoutEnvironment.Orientation.allCases.map(\.rawValue)
    names += [
      "isSecureTextEntry", "textContentType", "enablesReturnKeyAutomatically", "smartQuotesType",
      "isPrivate", "isTerminal",
      KeyboardLayout.systemPrefix,
    ]
    for name in names { #expect(text.contains("`\(name)`"), "\(name) is not named") }
    let bounds = [
      "\(ProtocolLimits.lineBytes) bytes", "at most \(ProtocolLimits.edits),",
      "from -\(ProtocolLimits.offset) to \(ProtocolLimits.offset)",
      "at most \(ProtocolLimits.strokePoints) points", "1 to \(ProtocolLimits.swipeSteps)",
      "at most \(ProtocolLimits.suggestionBytes) bytes",
      "at most \(ContextWindow.maximumBytes) bytes",
      "at most \(KeyboardLayout.maximumTextBytes) bytes",
      "0 to \(ProtocolLimits.maximumIdentifier)", "\(JSONLimits.protocolLine.maximumDepth)",
    ]
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for bound in bounds { #expect(flat.contains(bound), "\"\(bound)\" is not there") }
  }

  @Test("has a keyboard in ten lines that types")
  func tenLines() throws {
    let script = try #require(Specification().blocks["python"])
    #expect(script.filter { !$0.isEmpty && !$0.hasPrefix("#!") }.count <= 11)
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    try Files.write(script.joined(separator: "\n") + "\n", to: "\(folder)/keyboard", mode: 0o755)
    let state = FieldState(documentIdentifier: "d", revision: 0, context: ContextWindow())
    let messages: [HostMessage] = [
      .initialize(id: 0, InitializeRequest(hostVersion: "1", keyboardIdentifier: "k")),
      .focus(state), .event(id: 1, state, .tap(key: "🙂")),
      .event(id: 2, state, .swipe(.left, count: 1)), .blur, .shutdown(id: 3), .exit,
    ]
    let result = try Program("/bin/sh").run(
      ["-c", "exec 3>&1 1>&2; exec \"$0\"", "\(folder)/keyboard"],
      input: messages.flatMap { $0.encoded() })
    #expect(result.exitCode == 0, "\(result)")
    var answers: [PluginMessage] = []
    var framer = LineFramer()
    framer.append(result.standardOutputBytes)
    while let line = try framer.next() { answers.append(try PluginMessage.decode(line)) }
    guard answers.count == 4, case .response(0, let first) = answers[0],
      case .response(1, let second) = answers[1], case .response(2, let third) = answers[2],
      case .response(3, _) = answers[3]
    else {
      Issue.record("\(result)")
      return
    }
    #expect(try InitializeResult(decoding: first).layout.key(typing: "🙂") != nil)
    #expect(try Transaction(decoding: second).edits == [.insertText("🙂")])
    #expect(try Transaction(decoding: third).edits == [.insertText("")])
  }
}
