import PluginProtocol
import StrictJSON
import TextInput

extension AppRequest {
  init(_ name: String, _ method: JSONValue, _ root: JSONValue) throws(JSONError) {
    if name == "resignFirstResponder" {
      self = .resignFirstResponder
      return
    }
    let params = try root.need("params")
    switch name {
    case "initialize": self = .initialize(try AppIntroduction(decoding: params))
    case "openDocument":
      self = .openDocument(try params.document(), try DocumentDescription(decoding: params))
    case "closeDocument": self = .closeDocument(try params.document())
    case "becomeFirstResponder": self = .becomeFirstResponder(try params.document())
    case "setTraits":
      self = .setTraits(
        try params.document(), try TextInputTraits(decoding: try params.need("traits")))
    case "reloadInputViews":
      self = .reloadInputViews(try params.document(), try InputViews(decoding: params))
    case "replaceText":
      self = .replaceText(
        try params.document(), baseRevision: try params.revision("baseRevision"),
        range: try params.need("range").range("range"),
        text: try params.need("text").needString("text", bytes: AppProtocolLimits.appLineBytes),
        selection: try params["selection"]?.range("selection"))
    case "select":
      self = .select(
        try params.document(), baseRevision: try params.revision("baseRevision"),
        selection: try params.need("selection").range("selection"))
    case "event": self = .event(try params.document(), try AppInput(decoding: params))
    case "playInputClick": self = .playInputClick(try params.document())
    case "setScreen": self = .setScreen(try Screen(decoding: try params.need("screen")))
    case "listKeyboards": self = .listKeyboards(try params.document())
    default: throw method.error("there is no such method")
    }
  }
}

extension AppIntroduction {
  init(decoding value: JSONValue) throws(JSONError) {
    var versions: [Int] = []
    let list = try value.need("protocolVersions")
    for element in try list.needElements("protocolVersions", atMost: 16) {
      versions.append(Int(try element.needInteger("protocolVersions", in: 1...Int64(Int32.max))))
    }
    let asks = "implementsShouldAllowExtensionPoint"
    let identifier = try value.need("appIdentifier")
    self.init(
      appIdentifier: try identifier.needString(
        "appIdentifier", bytes: AppProtocolLimits.nameBytes),
      implementsShouldAllowExtensionPoint: try value.need(asks).needBoolean(asks),
      presentsKeyboard: try value["presentsKeyboard"]?.needBoolean("presentsKeyboard") ?? false,
      screen: try Screen(decoding: try value.need("screen")), protocolVersions: versions)
    if appIdentifier.isEmpty { throw identifier.error("\"appIdentifier\" is empty") }
  }
}

extension DocumentDescription {
  init(decoding value: JSONValue) throws(JSONError) {
    self.init(
      traits: try TextInputTraits(decoding: try value.need("traits")),
      text: try value.need("text").needString("text", bytes: AppProtocolLimits.appLineBytes),
      selection: try value["selection"]?.range("selection"),
      inputViews: try InputViews(decoding: value))
    if let context = value["textInputContextIdentifier"] {
      let name = try context.needString(
        "textInputContextIdentifier", bytes: AppProtocolLimits.nameBytes)
      if name.isEmpty { throw context.error("\"textInputContextIdentifier\" is empty") }
      textInputContextIdentifier = name
    }
  }
}

extension InputViews {
  init(decoding value: JSONValue) throws(JSONError) {
    let extent = 0...AppProtocolLimits.screenExtent
    self.init()
    if let height = value["inputViewHeight"] {
      inputViewHeight = Int(try height.needInteger("inputViewHeight", in: extent))
    }
    if let height = value["inputAccessoryViewHeight"] {
      inputAccessoryViewHeight = Int(
        try height.needInteger("inputAccessoryViewHeight", in: extent))
    }
  }
}

extension Screen {
  init(decoding value: JSONValue) throws(JSONError) {
    let extent = 1...AppProtocolLimits.screenExtent
    self.init(
      width: Int(try value.need("width").needInteger("width", in: extent)),
      height: Int(try value.need("height").needInteger("height", in: extent)),
      orientation: try value.need("orientation").needCase(
        "orientation", of: LayoutEnvironment.Orientation.self))
  }
}

extension AppInput {
  init(decoding value: JSONValue) throws(JSONError) {
    var found: [AppInput] = []
    if let event = value["event"] { found.append(.event(try InputEvent(decoding: event))) }
    if let character = value["character"] {
      // The server tells of one that is too long.
      let text = try character.needString("character", bytes: AppProtocolLimits.appLineBytes)
      guard text.count == 1, text.unicodeScalars.allSatisfy(\.isTypeable) else {
        throw character.error("\"character\" is one user-perceived character, and none of control")
      }
      found.append(.character(text))
    }
    if let next = value["nextKeyboard"] {
      try next.needTrue("nextKeyboard")
      found.append(.nextKeyboard)
    }
    if let name = value["selectKeyboard"] {
      found.append(
        .selectKeyboard(try name.needString("selectKeyboard", bytes: ProtocolLimits.nameBytes)))
    }
    if let command = try EditingCommand(decoding: value) { found.append(.command(command)) }
    guard found.count == 1 else {
      throw value.error(
        "an event is one of \"event\", \"character\", \"nextKeyboard\", \"selectKeyboard\", \"shake\", "
          + "\"answerUndo\", \"drag\", \"dragEnded\" and \"format\"")
    }
    self = found[0]
  }
}

extension EditingCommand {
  /// - Returns: nil when there is none of the commands.
  fileprivate init?(decoding value: JSONValue) throws(JSONError) {
    var found: [EditingCommand] = []
    if let shake = value["shake"] {
      try shake.needTrue("shake")
      found.append(.shake)
    }
    if let answer = value["answerUndo"] {
      found.append(.answerUndo(try answer.needCase("answerUndo", of: UndoAnswer.self)))
    }
    if let drag = value["drag"] {
      let way = try drag.needElements("drag", atMost: 2)
      guard way.count == 2 else { throw drag.error("\"drag\" is a way to the right and down") }
      found.append(.drag(x: try way[0].coordinate("drag"), y: try way[1].coordinate("drag")))
    }
    if let ended = value["dragEnded"] {
      try ended.needTrue("dragEnded")
      found.append(.dragEnded)
    }
    if let format = value["format"] {
      found.append(.format(try format.needCase("format", of: RichTextCommand.self)))
    }
    guard let first = found.first else { return nil }
    guard found.count == 1 else { throw value.error("an event is one thing") }
    self = first
  }
}

extension JSONValue {
  func document() throws(JSONError) -> String {
    let value = try need("document")
    let name = try value.needString("document", bytes: AppProtocolLimits.nameBytes)
    if name.isEmpty { throw value.error("\"document\" is empty") }
    return name
  }

  func needTrue(_ name: String) throws(JSONError) {
    guard try needBoolean(name) else { throw error("\"\(name)\" is true or left out") }
  }

  func revision(_ name: String) throws(JSONError) -> UInt64 {
    UInt64(try need(name).needInteger(name, in: 0...ProtocolLimits.maximumIdentifier))
  }

  /// A list of two offsets, the beginning and the end.
  func range(_ name: String) throws(JSONError) -> Range<Int> {
    let numbers = try needElements(name, atMost: 2)
    guard numbers.count == 2 else { throw error("\"\(name)\" has a beginning and an end") }
    let bounds = 0...AppProtocolLimits.offset
    let start = Int(try numbers[0].needInteger(name, in: bounds))
    let end = Int(try numbers[1].needInteger(name, in: bounds))
    guard start <= end else { throw error("\"\(name)\" ends before it begins") }
    return start..<end
  }
}
