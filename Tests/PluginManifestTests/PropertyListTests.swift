import Foundation
import Testing

@testable import PluginManifest

private func parse(_ body: String) throws -> PropertyList {
  try PropertyList(parsing: Array("<plist version=\"1.0\">\(body)</plist>".utf8))
}

private func message(_ body: () throws -> PropertyList) -> String {
  do {
    return "read: \(try body())"
  } catch { return "\(error)" }
}

@Suite("Property lists")
struct PropertyListTests {
  @Test(
    "only <true/> and <false/> are booleans",
    arguments: [
      ("<true/>", PropertyList.boolean(true)), ("<false/>", .boolean(false)),
      ("<true></true>", .boolean(true)), ("<string>NO</string>", .string("NO")),
      ("<string>true</string>", .string("true")), ("<integer>1</integer>", .integer(1)),
      ("<integer>0</integer>", .integer(0)), ("<real>1.0</real>", .real(1)),
      ("<array/>", .array([])),
    ])
  func booleans(_ body: String, _ expected: PropertyList) throws {
    #expect(try parse(body) == expected)
  }

  @Test("every type of the XML form is read")
  func everyType() throws {
    let list = try parse(
      """
      <!-- a comment --><dict>
        <key>s</key><string>a &lt;&amp;&#x1F600;&#65; <![CDATA[<b>&amp;]]></string>
        <key>e</key><string/>
        <key>i</key><integer> -42 </integer>
        <key>h</key><integer>0xFF</integer>
        <key>r</key><real>-1.5e3</real>
        <key>d</key><date>2001-01-02T00:00:01Z</date>
        <key>b</key><data> aGV sbG8= </data>
        <key>a</key><array><true/><array/></array>
      </dict>
      """)
    #expect(list["s"] == .string("a <&😀A <b>&amp;"))
    #expect(list["e"] == .string(""))
    #expect(list["i"] == .integer(-42))
    #expect(list["h"] == .integer(255))
    #expect(list["r"] == .real(-1500))
    #expect(list["d"] == .date(86_401))
    #expect(list["b"] == .data(Array("hello".utf8)))
    #expect(list["a"] == .array([.boolean(true), .array([])]))
  }

  @Test(
    "what is wrong in the XML form is refused, with its line",
    arguments: [
      (
        "<dict><key>a</key><true/>\n<key>a</key><false/></dict>", "line 2: the key `a` stands twice"
      ),
      ("<dict><key>a</key></dict>", "a value is missing before </`dict`>"),
      ("<dict><true/></dict>", "a <key> is missing before <`true`/>"),
      ("<array><key>a</key></array>", "a <key> stands outside a dictionary"),
      ("<string>a", "<string> holds another element"),
      ("<string>a</data>", "<string> holds another element"),
      ("<string>&evil;</string>", "&`evil`; is no character"),
      ("<string>&#0;</string>", "a text holds a control character"),
      ("<string>\u{1b}</string>", "a text holds a control character"),
      ("<string>&#xD800;</string>", "is no character"), ("<string>& </string>", "`&`"),
      ("<integer>1.0</integer>", "is not an integer"), ("<integer></integer>", "is not an integer"),
      ("<integer>9223372036854775808</integer>", "is not an integer of 64 bits"),
      ("<real>nan</real>", "is not a finite number"), ("<real>1e999</real>", "is not a finite"),
      ("<real>0x1p3</real>", "is not a finite number"),
      ("<date>2001-02-29T00:00:00Z</date>", "<date> holds"), ("<data>a===</data>", "base64"),
      ("<data>a</data>", "base64"), ("<set/>", "is no element"), ("<true a=\"b\"/>", "attribute"),
      ("<true>x</true>", "<true> holds a text"), ("<true/><true/>", "more than one value"),
      ("", "a value is missing"), ("text", "a text outside a string"),
    ])
  func refusals(_ body: String, _ expected: String) {
    let found = message { try parse(body) }
    #expect(found.contains(expected))
    #expect(found.hasPrefix("line "))
  }

  @Test(
    "a file that is no property list says so",
    arguments: [
      "", "{ a = b; }", "<?xml version=\"1.0\"?><html></html>", "bplist", "bplist15",
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>",
      "<!DOCTYPE plist [<!ENTITY x \"y\">]><plist><true/></plist>",
      "<plist><true/></plist> more", "<plist/>",
    ])
  func noPropertyList(_ text: String) {
    #expect(throws: PropertyListError.self) { try PropertyList(parsing: Array(text.utf8)) }
  }

  @Test("100,000 levels of nesting are refused, closed or not, in every place")
  func deepNesting() {
    for (open, close) in [
      ("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"),
    ] {
      let deep = String(repeating: open, count: 40_000)
      #expect(message { try parse(deep) }.contains("nested deeper than 32"))
      let closed = deep + "<true/>" + String(repeating: close, count: 40_000)
      #expect(message { try parse(closed) }.contains("nested deeper than 32"))
    }
    let array = String(repeating: "<array>", count: 100_000)
    #expect(message { try parse(array) }.contains("nested deeper than 32"))
    let limit = String(repeating: "<array>", count: 31) + "<true/>"
    #expect(throws: Never.self) { try parse(limit + String(repeating: "</array>", count: 31)) }
  }

  @Test("a file beyond the limits is refused before it costs anything")
  func limits() {
    let long = "<string>" + String(repeating: "a", count: 1 << 20) + "</string>"
    #expect(message { try parse(long) }.contains("longer than 1048576 bytes"))
    let many = "<array>" + String(repeating: "<true/>", count: 30_000) + "</array>"
    #expect(message { try parse(many) }.contains("more than 20000 values"))
  }

  @Test("both forms are read as Foundation wrote them")
  func foundationWrites() throws {
    let object: [String: Any] = [
      "string": "text", "unicode": "háček 中 👩‍👩‍👧", "empty": "", "yes": true, "no": false,
      "zero": 0, "negative": -1, "large": Int64.max, "small": Int64.min, "byte": 200,
      "real": 1.5, "list": ["a", "b", [1, 2]] as [Any], "data": Data((0...255).map { UInt8($0) }),
      "date": Date(timeIntervalSinceReferenceDate: 1_000_000), "inner": ["k": ["v": true]],
      "long": String(repeating: "x", count: 5_000), "many": Array(0..<300),
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: object, format: format, options: 0)
      let list = try PropertyList(parsing: Array(data))
      #expect(list["string"] == .string("text"))
      #expect(list["unicode"] == .string("háček 中 👩‍👩‍👧"))
      #expect(list["empty"] == .string(""))
      #expect(list["yes"] == .boolean(true))
      #expect(list["no"] == .boolean(false))
      #expect(list["zero"] == .integer(0))
      #expect(list["negative"] == .integer(-1))
      #expect(list["large"] == .integer(.max))
      #expect(list["small"] == .integer(.min))
      #expect(list["byte"] == .integer(200))
      #expect(list["real"] == .real(1.5))
      #expect(
        list["list"] == .array([.string("a"), .string("b"), .array([.integer(1), .integer(2)])]))
      #expect(list["data"] == .data((0...255).map { UInt8($0) }))
      #expect(list["date"] == .date(1_000_000))
      #expect(list["inner"]?["k"]?["v"] == .boolean(true))
      #expect(list["long"] == .string(String(repeating: "x", count: 5_000)))
      #expect(list["many"] == .array((0..<300).map { .integer($0) }))
    }
  }

  @Test("any change of bytes in a file is read or refused, and never ends the host")
  func mutations() throws {
    let object: [String: Any] = [
      "a": ["b": true, "c": [1, 2.5, "x"]] as [String: Any], "d": Data([1, 2, 3]), "e": "ü",
    ]
    var generator = SystemRandomNumberGenerator()
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let bytes = Array(
        try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
      for length in 0..<bytes.count { _ = try? PropertyList(parsing: Array(bytes[..<length])) }
      for _ in 0..<20_000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<changed.count, using: &generator)
          changed[place] = UInt8.random(in: 0...255, using: &generator)
        }
        _ = try? PropertyList(parsing: changed)
      }
    }
  }
}
