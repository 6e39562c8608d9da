import AppProtocol
import StrictJSON
import TestSupport
import Testing
import TextInput

@Suite("The specification of the app protocol")
struct DocumentationTests {
  /// The lines of the code blocks with this info string.
  private static func block(_ wanted: String) throws -> [String] {
    var found: [String] = []
    var info: String?
    for line in try SourceTree.contents(of: "docs/app-protocol.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("```") {
        info = info == nil ? String(line.dropFirst(3)) : nil
      } else if info == wanted {
        found.append(String(line))
      }
    }
    return found
  }

  @Test("has example lines of an app that are read, and written just so")
  func appExamples() throws {
    let lines = try Self.block("json app")
    for line in lines {
      let message = try AppMessage.decode(Array(line.utf8))
      #expect(String(decoding: message.encoded(), as: UTF8.self) == line + "\n")
    }
    for part in [
      "initialize", "openDocument", "closeDocument", "setTraits", "reloadInputViews",
      "becomeFirstResponder", "resignFirstResponder", "replaceText", "select", "character", "tap",
      "nextKeyboard", "selectKeyboard", "listKeyboards", "setScreen", "result", "error",
      "extensionPointAnswerChanged", "shake", "answerUndo", "drag", "dragEnded", "format",
      "playInputClick", "textInputContextIdentifier",
    ] {
      #expect(lines.contains { $0.contains("\"\(part)\"") }, "no example of \(part)")
    }
  }

  @Test("has example lines of the host that are read, and written just so")
  func hostExamples() throws {
    let lines = try Self.block("json host")
    for line in lines {
      let message = try #require(try ServerMessage.decode(Array(line.utf8)), "\(line)")
      #expect(String(decoding: message.encoded(), as: UTF8.self) == line + "\n")
    }
    let names = KeyboardNotification.Name.allCases.map(\.rawValue)
    for part in names + [
      "shouldAllowExtensionPointIdentifier", "textChanged", "markedRange", "presentation",
      "dismissed", "resigned", "handled", "format", "inputClick", "undoPrompt", "keySpan",
      "keyboards", "protocolVersion", "error",
    ] {
      #expect(lines.contains { $0.contains("\"\(part)\"") }, "no example of \(part)")
    }
  }

  @Test("names every error, cause and bound as the code has it")
  func names() throws {
    let text = try SourceTree.contents(of: "docs/app-protocol.md")
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for fault in AppFault.allCases {
      #expect(text.contains("| \(fault.rawValue) | `\(fault)` |"), "\(fault)")
    }
    for cause in TextChange.Cause.allCases { #expect(text.contains("`\(cause.rawValue)`")) }
    let limits = AppProtocolLimits.self
    for bound in [
      "at most \(limits.appLineBytes) bytes", "the host at most \(limits.hostLineBytes)",
      "at most \(limits.nameBytes) bytes", "at most \(limits.documents)",
      "\(limits.textBytes >> 20) MiB", "at most \(limits.chunkBytes) bytes",
      "1 to \(limits.screenExtent)", ServerMessage.keyboardExtensionPoint,
    ] {
      #expect(flat.contains(bound), "\"\(bound)\" is not there")
    }
  }
}
