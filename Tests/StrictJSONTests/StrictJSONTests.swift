import Testing

@testable import StrictJSON

private func parse(_ text: String, limits: JSONLimits = .document) throws(JSONError) -> JSONValue {
  try JSONDocument(parsing: text, limits: limits).root
}

private func fault(_ text: String, limits: JSONLimits = .document) -> JSONError? {
  do {
    _ = try parse(text, limits: limits)
    return nil
  } catch { return error }
}

@Suite("Strict JSON")
struct StrictJSONTests {
  @Test("reads every kind of value")
  func kinds() throws {
    let root = try parse(
      #" {"n":null,"t":true,"f":false,"i":-12,"r":1.5e2,"s":"aé😀","a":[1,[2],{}],"o":{"x":1}} "#)
    #expect(root["n"]?.isNull == true)
    #expect(root["t"]?.boolean == true)
    #expect(root["f"]?.boolean == false)
    #expect(root["i"]?.int64 == -12)
    #expect(root["i"]?.uint64 == nil)
    #expect(root["r"]?.double == 150)
    #expect(root["r"]?.int64 == nil)
    #expect(root["s"]?.string == "aé😀")
    #expect(root["a"]?.elements?.count == 3)
    #expect(root["a"]?.elements?[1].elements?.first?.int64 == 2)
    #expect(root["o"]?["x"]?.int64 == 1)
    #expect(root.members?.map(\.key) == ["n", "t", "f", "i", "r", "s", "a", "o"])
    #expect(root["missing"] == nil)
    #expect(root["t"]?.string == nil && root["s"]?.boolean == nil && root["s"]?.elements == nil)
  }

  @Test("resolves escapes, surrogate pairs too")
  func escapes() throws {
    let root = try parse(#"["\"\\\/\b\f\n\r\t","\u0041\u00e9\ud83d\ude00"]"#)
    #expect(root.elements?[0].string == "\"\\/\u{8}\u{c}\n\r\t")
    #expect(root.elements?[1].string == "Aé😀")
  }

  @Test("integers are exact to 64 bits")
  func integers() throws {
    let root = try parse("[9223372036854775807,-9223372036854775808,18446744073709551615]")
    #expect(root.elements?[0].int64 == .max)
    #expect(root.elements?[1].int64 == .min)
    #expect(root.elements?[2].uint64 == .max)
    #expect(root.elements?[2].int64 == nil)
    #expect(fault("18446744073709551616")?.message == "the integer does not fit into 64 bits")
    #expect(fault("1e400")?.message == "the number is too large")
  }

  @Test(
    "refuses what is not JSON, with the place",
    arguments: [
      ("", 1, 1), ("  \n ", 2, 2), ("nul", 1, 1), ("{", 1, 2), ("[1,]", 1, 4), ("{\"a\":1,}", 1, 8),
      ("[1 2]", 1, 4), ("{\"a\" 1}", 1, 6), ("{a:1}", 1, 2), ("// x\n1", 1, 1), ("[1] x", 1, 5),
      ("01", 1, 1), ("-", 1, 2), ("1.", 1, 3), ("1e", 1, 3), ("\"a", 1, 1), ("\"\u{1}\"", 1, 2),
      ("\"\\x\"", 1, 2), ("\"\\u12g4\"", 1, 2), ("\"\\ud800\"", 1, 2), ("\"\\udc00\"", 1, 2),
      ("\"\\ud800\\u0041\"", 1, 2), ("'a'", 1, 1), ("[\n\n  +1]", 3, 3),
      ("{\"a\":1,\n\"a\":2}", 2, 1),
      ("{\"a\":1,\"\\u0061\":2}", 1, 8), ("\u{FEFF}1", 1, 1),
    ])
  func refusals(text: String, line: Int, column: Int) throws {
    let error = try #require(fault(text))
    #expect(error.line == line && error.column == column, "\(text): \(error)")
  }

  @Test(
    "refuses bytes that are not UTF-8",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
      [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98, 0x22],
    ])
  func notUTF8(bytes: [Int]) {
    let text = [0x22] + bytes.map { UInt8($0) } + [0x22]
    #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
  }

  @Test("a UTF-16 text is named as such")
  func utf16() {
    #expect(throws: JSONError.self) { try JSONDocument(parsing: [0xFF, 0xFE, 0x31, 0x00]) }
  }

  @Test("a key in a large object may not stand twice either")
  func largeObjectDuplicates() throws {
    let members = (0..<100).map { "\"k\($0)\":\($0)" }
    #expect(fault("{" + members.joined(separator: ",") + "}") == nil)
    #expect(fault("{" + (members + ["\"k50\":1"]).joined(separator: ",") + "}") != nil)
  }

  @Test(
    "a key in two spellings that are equal as strings stands twice: one would hide the other",
    arguments: [
      "{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\\u0301\":2}",
      // The kelvin sign is a K.
      "{\"minKernel\":1,\"min\u{212A}ernel\":2}",
    ])
  func spellings(text: String) {
    #expect(fault(text)?.message.contains("stands twice") == true)
  }

  @Test("keys that only look alike are two keys")
  func lookAlikes() throws {
    let root = try parse("{\"a\":1,\"\u{430}\":2}")
    #expect(root["a"]?.int64 == 1)
    #expect(root["\u{430}"]?.int64 == 2)
  }

  @Test("a key that stands twice is shown in plain ASCII, and not in full")
  func keyInMessage() {
    let key = "\u{202E}\u{1F511}" + String(repeating: "k", count: 100)
    let message = fault("{\"\(key)\":1,\"\(key)\":2}")?.message
    let shown = "\\u{202e}\\u{1f511}" + String(repeating: "k", count: 62)
    #expect(message == "the key \"\(shown)\" stands twice")
  }

  @Test("the bounds on depth and size hold")
  func bounds() {
    let limits = JSONLimits(maximumBytes: 100, maximumDepth: 3)
    #expect(fault("[[[1]]]", limits: limits) == nil)
    #expect(fault("[[[[1]]]]", limits: limits)?.column == 4)
    #expect(fault(String(repeating: " ", count: 99) + "1", limits: limits) == nil)
    #expect(fault(String(repeating: " ", count: 100) + "1", limits: limits) != nil)
    #expect(fault("{\"x\":" + String(repeating: "[", count: 100_000)) != nil)
  }

  @Test("what is written is read back the same")
  func roundTrip() throws {
    let text = "\u{0}\u{1f}\u{7f}\"\\/\n\r\t é😀 \u{2028}"
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("text", text)
    writer.member("flag", true)
    writer.member("number", UInt64.max)
    writer.member("real", 0.5)
    writer.key("list")
    writer.beginArray()
    writer.value(1)
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.member("absent", ifPresent: nil)
    writer.endObject()
    #expect(!writer.bytes.contains(0x0A))
    let root = try JSONDocument(parsing: writer.bytes).root
    #expect(root["text"]?.string == text)
    #expect(root["number"]?.uint64 == .max)
    #expect(root["list"]?.elements?.count == 3)
    var copy = JSONWriter()
    copy.value(copying: root)
    #expect(copy.bytes == writer.bytes)
  }

  @Test("every cut of a text is refused or means the same, and never traps")
  func truncation() throws {
    let text = Array(#"{"a":[1,-2.5e3,"\u00e9é\ud83d\ude00",{"b":null,"c":[true,false]}]}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(text[..<length])) }
    }
    for index in text.indices {
      for byte in [0, 0x22, 0x2C, 0x5B, 0x5C, 0x7B, 0x80, 0xED, 0xFF] as [UInt8] {
        var changed = text
        changed[index] = byte
        _ = try? JSONDocument(parsing: changed).root.members?.count
      }
    }
  }
}
