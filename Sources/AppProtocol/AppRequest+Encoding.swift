import PluginProtocol
import StrictJSON
import TextInput

extension AppRequest {
  func encodeMembers(into writer: inout JSONWriter) {
    writer.member("method", method)
    if self == .resignFirstResponder { return }
    writer.key("params")
    writer.beginObject()
    if let document { writer.member("document", document) }
    switch self {
    case .initialize(let introduction): introduction.encodeMembers(into: &writer)
    case .openDocument(_, let field):
      writer.key("traits")
      field.traits.encode(into: &writer)
      writer.member("text", field.text)
      if let selection = field.selection { writer.member("selection", selection) }
      field.inputViews.encodeMembers(into: &writer)
      writer.member("textInputContextIdentifier", ifPresent: field.textInputContextIdentifier)
    case .setTraits(_, let traits):
      writer.key("traits")
      traits.encode(into: &writer)
    case .reloadInputViews(_, let views): views.encodeMembers(into: &writer)
    case .replaceText(_, let revision, let range, let text, let selection):
      writer.member("baseRevision", revision)
      writer.member("range", range)
      writer.member("text", text)
      if let selection { writer.member("selection", selection) }
    case .select(_, let revision, let selection):
      writer.member("baseRevision", revision)
      writer.member("selection", selection)
    case .event(_, let input): input.encodeMembers(into: &writer)
    case .setScreen(let screen):
      writer.key("screen")
      screen.encode(into: &writer)
    case .closeDocument, .becomeFirstResponder, .resignFirstResponder, .listKeyboards,
      .playInputClick:
      break
    }
    writer.endObject()
  }

  /// The name of the method.
  public var method: String {
    switch self {
    case .initialize: "initialize"
    case .openDocument: "openDocument"
    case .closeDocument: "closeDocument"
    case .becomeFirstResponder: "becomeFirstResponder"
    case .resignFirstResponder: "resignFirstResponder"
    case .setTraits: "setTraits"
    case .reloadInputViews: "reloadInputViews"
    case .replaceText: "replaceText"
    case .select: "select"
    case .event: "event"
    case .playInputClick: "playInputClick"
    case .setScreen: "setScreen"
    case .listKeyboards: "listKeyboards"
    }
  }

  /// The document it is about.
  public var document: String? {
    switch self {
    case .initialize, .resignFirstResponder, .setScreen: nil
    case .openDocument(let name, _), .closeDocument(let name), .becomeFirstResponder(let name),
      .setTraits(let name, _), .reloadInputViews(let name, _),
      .replaceText(let name, _, _, _, _), .select(let name, _, _), .event(let name, _),
      .listKeyboards(let name), .playInputClick(let name):
      name
    }
  }
}

extension AppIntroduction {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.key("protocolVersions")
    writer.beginArray()
    for version in protocolVersions.prefix(16) { writer.value(version) }
    writer.endArray()
    writer.member("appIdentifier", appIdentifier)
    writer.member("implementsShouldAllowExtensionPoint", implementsShouldAllowExtensionPoint)
    if presentsKeyboard { writer.member("presentsKeyboard", true) }
    writer.key("screen")
    screen.encode(into: &writer)
  }
}

extension InputViews {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    if let height = inputViewHeight { writer.member("inputViewHeight", height) }
    if inputAccessoryViewHeight != 0 {
      writer.member("inputAccessoryViewHeight", inputAccessoryViewHeight)
    }
  }
}

extension Screen {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("width", width)
    writer.member("height", height)
    writer.member("orientation", orientation.rawValue)
    writer.endObject()
  }
}

extension AppInput {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    switch self {
    case .event(let event):
      writer.key("event")
      event.encode(into: &writer)
    case .character(let text): writer.member("character", text)
    case .nextKeyboard: writer.member("nextKeyboard", true)
    case .selectKeyboard(let name): writer.member("selectKeyboard", name)
    case .command(let command): command.encodeMembers(into: &writer)
    }
  }
}

extension EditingCommand {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    switch self {
    case .shake: writer.member("shake", true)
    case .answerUndo(let answer): writer.member("answerUndo", answer.rawValue)
    case .drag(let x, let y):
      writer.key("drag")
      writer.beginArray()
      writer.value(x.coordinate)
      writer.value(y.coordinate)
      writer.endArray()
    case .dragEnded: writer.member("dragEnded", true)
    case .format(let command): writer.member("format", command.rawValue)
    }
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ range: Range<Int>) {
    key(name)
    beginArray()
    value(range.lowerBound)
    value(range.upperBound)
    endArray()
  }
}
