import StrictJSON
import TextInput

extension InputEvent {
  /// Reads an event.
  public init(decoding value: JSONValue) throws(JSONError) {
    guard value.kind == .object else {
      throw value.error("an event is an object, not \(value.kind.article)")
    }
    let idBytes = KeyboardLayout.maximumTextBytes
    var event: InputEvent?
    for (name, member) in value.members ?? [] {
      let next: InputEvent
      switch name {
      case "tap": next = .tap(key: try member.needString(name, bytes: idBytes))
      case "longPress": next = .longPress(key: try member.needString(name, bytes: idBytes))
      case "swipe":
        let steps = try value["count"]?.needInteger("count", in: 1...ProtocolLimits.swipeSteps)
        next = .swipe(try member.needCase(name, of: SwipeDirection.self), count: Int(steps ?? 1))
      case "hardwareKey": next = .hardwareKey(try HardwareKey(decoding: member))
      case "suggestion":
        let index = try value.need("index").needInteger("index", in: 0...99)
        let text = try member.needString(name, bytes: ProtocolLimits.suggestionBytes)
        next = .suggestion(index: Int(index), text: text)
      case "stroke":
        var points: [StrokePoint] = []
        for point in try member.needElements(name, atMost: ProtocolLimits.strokePoints) {
          points.append(try StrokePoint(decoding: point))
        }
        next = .stroke(points)
      default: continue
      }
      guard event == nil else {
        throw value.error("an event is one thing; \"\(name)\" is a second")
      }
      event = next
    }
    guard let event else {
      throw value.error(
        "an event has one of tap, longPress, swipe, hardwareKey, suggestion, stroke")
    }
    self = event
  }

  /// Writes the event as it is read, within the bounds of the protocol.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .tap(let key): writer.member("tap", key.clipped(to: KeyboardLayout.maximumTextBytes))
    case .longPress(let key):
      writer.member("longPress", key.clipped(to: KeyboardLayout.maximumTextBytes))
    case .swipe(let direction, let count):
      writer.member("swipe", direction.rawValue)
      writer.member("count", min(max(count, 1), Int(ProtocolLimits.swipeSteps)))
    case .hardwareKey(let key):
      writer.key("hardwareKey")
      key.encode(into: &writer)
    case .suggestion(let index, let text):
      writer.member("suggestion", text.clipped(to: ProtocolLimits.suggestionBytes))
      writer.member("index", min(max(index, 0), 99))
    case .stroke(let points):
      writer.key("stroke")
      writer.beginArray()
      for point in points.prefix(ProtocolLimits.strokePoints) { point.encode(into: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension HardwareKey {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    try value.needObject("hardwareKey")
    let limit = ProtocolLimits.hardwareKeyBytes
    self.init(characters: try value["characters"]?.needString("characters", bytes: limit) ?? "")
    name = try value["name"]?.needString("name", bytes: ProtocolLimits.traitBytes)
    if let list = value["modifiers"] {
      for element in try list.needElements("modifiers", atMost: Modifier.allCases.count) {
        modifiers.insert(try element.needCase("modifiers", of: Modifier.self))
      }
    }
  }

  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("characters", characters.clipped(to: ProtocolLimits.hardwareKeyBytes))
    writer.member("name", ifPresent: name?.clipped(to: ProtocolLimits.traitBytes))
    if !modifiers.isEmpty {
      writer.key("modifiers")
      writer.beginArray()
      for modifier in Modifier.allCases where modifiers.contains(modifier) {
        writer.value(modifier.rawValue)
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension StrokePoint {
  fileprivate init(decoding value: JSONValue) throws(JSONError) {
    let numbers = try value.needElements("stroke", atMost: 3)
    guard numbers.count == 3 else {
      throw value.error("a point of \"stroke\" has three numbers: x, y, milliseconds")
    }
    self.init(
      x: try numbers[0].coordinate(), y: try numbers[1].coordinate(),
      time: try numbers[2].coordinate())
  }

  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginArray()
    for number in [x, y, time] { writer.value(number.coordinate) }
    writer.endArray()
  }
}

extension JSONValue {
  package func coordinate(_ name: String = "stroke") throws(JSONError) -> Double {
    let extent = ProtocolLimits.strokeExtent
    guard let number = double, abs(number) <= extent else {
      throw error("a point of \"\(name)\" has numbers from -\(Int(extent)) to \(Int(extent))")
    }
    return number
  }
}

extension Double {
  /// Within the bounds of a stroke, in hundredths, so that its length as text is bounded as well.
  package var coordinate: Double {
    guard isFinite else { return 0 }
    let extent = ProtocolLimits.strokeExtent
    let hundredths = Swift.min(Swift.max(self, -extent), extent) * 100
    // Not rounded(): that is a function of the C library, which nothing else here needs.
    return Double(Int64(hundredths + (hundredths < 0 ? -0.5 : 0.5))) / 100
  }
}

extension String {
  /// The first whole grapheme clusters that have no more bytes than that together.
  package func clipped(to bytes: Int) -> String {
    if utf8.count <= bytes { return self }
    var end = startIndex
    while end < endIndex {
      let next = index(after: end)
      if utf8.distance(from: startIndex, to: next) > bytes { break }
      end = next
    }
    return String(self[..<end])
  }
}
