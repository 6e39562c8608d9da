// What `keyhost type --json` prints of what happens; docs/json-output.md has it in words.

import KeyboardHost
import PluginProtocol
import StrictJSON
import TextInput

extension HandledInput {
  func encode(into writer: inout JSONWriter) {
    writer.member("event", "handled")
    writer.member("document", document.rawValue)
    writer.key("input")
    switch input {
    case .event(let event): event.encode(into: &writer)
    case .character(let text):
      writer.beginObject()
      writer.member("type", text)
      writer.endObject()
    case .nextKeyboard:
      writer.beginObject()
      writer.member("nextKeyboard", true)
      writer.endObject()
    case .selectKeyboard(let identifier):
      writer.beginObject()
      writer.member("keyboard", identifier)
      writer.endObject()
    case .command(let command): command.encode(into: &writer)
    }
    switch handler {
    case .system: writer.member("handler", "system")
    case .keyboard(let identifier):
      writer.member("handler", "keyboard")
      writer.member("keyboard", identifier)
    }
    writer.member("reason", reason.code)
    writer.member("detail", reason.description)
    writer.key("transaction")
    transaction.encode(into: &writer)
    writer.member("revision", revision)
  }
}

extension EditingCommand {
  /// As in a script.
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .shake: writer.member("shake", true)
    case .answerUndo(let answer): writer.member("answerUndo", answer.rawValue)
    case .drag(let x, let y):
      writer.key("drag")
      writer.beginArray()
      writer.value(x)
      writer.value(y)
      writer.endArray()
    case .dragEnded:
      writer.key("drag")
      writer.null()
    case .format(let command): writer.member("format", command.rawValue)
    }
    writer.endObject()
  }
}

extension Presentation {
  func encode(into writer: inout JSONWriter) {
    writer.member("event", "presented")
    writer.member("document", document.rawValue)
    writer.member("keyboard", ifPresent: keyboard)
    writer.key("decision")
    writer.beginObject()
    decision.encodeMembers(into: &writer)
    writer.endObject()
    writer.key("keys")
    writer.beginArray()
    for row in layout.rows {
      writer.beginArray()
      for key in row { writer.value(key.id) }
      writer.endArray()
    }
    writer.endArray()
    writer.key("suggestions")
    writer.beginArray()
    for suggestion in suggestions { writer.value(suggestion) }
    writer.endArray()
    writer.member("showsKeyPreview", showsKeyPreview)
    writer.key("keySpan")
    writer.beginArray()
    writer.value(keySpan.lowerBound)
    writer.value(keySpan.upperBound)
    writer.endArray()
    if let undoPrompt {
      writer.key("undoPrompt")
      writer.beginObject()
      writer.member("canUndo", undoPrompt.canUndo)
      writer.member("canRedo", undoPrompt.canRedo)
      writer.endObject()
    }
  }
}
