import PluginManifest
import TestSupport
import Testing

/// `Settings.bundle` as a bundle has it: all types, and what is wrong with some.
@Suite("Settings bundles")
struct SettingsBundleTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  private func specifier(
    _ type: String, _ key: String?, _ members: (String, PropertyListText)...
  ) -> PropertyListText {
    .dictionary(
      [("Type", .string("PS\(type)Specifier"))] + (key.map { [("Key", .string($0))] } ?? [])
        + members)
  }

  private func schema(
    _ specifiers: [PropertyListText], panes: [String: String] = [:]
  ) throws -> SettingsSchema {
    let app = FixtureApp(
      keyboards: [FixtureKeyboard(script: "#!/usr/bin/python3\n")],
      settings: .dictionary([("PreferenceSpecifiers", .array(specifiers))]))
    let path = try app.write(to: folder.path)
    for (name, text) in panes {
      try Files.write(text, to: "\(path)/Settings.bundle/\(name).plist")
    }
    return try AppBundle(validating: path).manifest.settings
  }

  private func pane(_ specifiers: PropertyListText...) -> String {
    PropertyListText.dictionary([("PreferenceSpecifiers", .array(specifiers))]).document
  }

  private var values: PropertyListText { .array([.integer(1), .string("two")]) }
  private var titles: PropertyListText { .array([.string("One"), .string("Two")]) }

  @Test("every type of the phone's schema is read, with child panes in their place")
  func all() throws {
    let schema = try schema(
      [
        specifier("Group", nil, ("Title", .string("Typing"))),
        specifier(
          "TextField", "name", ("Title", .string("Name")), ("DefaultValue", .string("me")),
          ("KeyboardType", .string("Alphabet"))),
        specifier("TextField", "secret", ("IsSecure", .boolean(true))),
        specifier("ToggleSwitch", "on", ("DefaultValue", .boolean(true))),
        specifier(
          "ToggleSwitch", "size", ("DefaultValue", .boolean(false)), ("TrueValue", .string("L")),
          ("FalseValue", .string("S"))),
        specifier("ChildPane", nil, ("Title", .string("More")), ("File", .string("More"))),
        specifier(
          "Slider", "volume", ("DefaultValue", .real(0.5)), ("MinimumValue", .integer(0)),
          ("MaximumValue", .integer(1))),
        specifier("Group", nil),
        specifier(
          "MultiValue", "choice", ("DefaultValue", .string("two")), ("Values", values),
          ("Titles", titles)),
        specifier("TitleValue", "version", ("DefaultValue", .string("1.2"))),
      ],
      panes: [
        "More": pane(
          specifier(
            "RadioGroup", "radio", ("Title", .string("Radio")), ("DefaultValue", .integer(1)),
            ("Values", values), ("Titles", titles)))
      ])
    #expect(schema.faults.isEmpty, "\(schema.faults)")
    #expect(
      schema.specifiers.map(\.key) == [
        "name", "secret", "on", "size", "radio", "volume", "choice", "version",
      ])
    #expect(
      schema.specifiers.map(\.typeName) == [
        "text", "text", "toggle", "toggle", "choice", "slider", "choice", "title",
      ])
    #expect(schema["name"]?.title == "Name" && schema["name"]?.group == "Typing")
    #expect(schema["radio"]?.group == "Radio" && schema["volume"]?.group == "Typing")
    #expect(schema["choice"]?.group == nil)
    #expect(schema["secret"]?.isSecure == true && schema["name"]?.isSecure == false)
    #expect(
      schema.defaults == [
        SettingDefault(key: "name", value: .string("me")),
        SettingDefault(key: "on", value: .boolean(true)),
        SettingDefault(key: "size", value: .string("S")),
        SettingDefault(key: "radio", value: .integer(1)),
        SettingDefault(key: "volume", value: .real(0.5)),
        SettingDefault(key: "choice", value: .string("two")),
        SettingDefault(key: "version", value: .string("1.2")),
      ])
  }

  @Test("a word is a value of its setting, or none")
  func words() throws {
    let schema = try schema([
      specifier("TextField", "text"),
      specifier("ToggleSwitch", "on"),
      specifier("Slider", "level", ("MinimumValue", .integer(-2)), ("MaximumValue", .real(2.5))),
      specifier("MultiValue", "choice", ("Values", values), ("Titles", titles)),
      specifier("TitleValue", "shown", ("DefaultValue", .string("x"))),
    ])
    #expect(schema.faults.isEmpty, "\(schema.faults)")
    func value(_ key: String, _ word: String) -> SettingDefault.Value? {
      guard let specifier = schema[key], let value = specifier.value(of: word) else { return nil }
      #expect(specifier.accepts(value))
      return value
    }
    #expect(value("text", "") == .string("") && value("text", "a\0b") == nil)
    #expect(value("text", String(repeating: "a", count: 4097)) == nil)
    #expect(value("on", "on") == .boolean(true) && value("on", "off") == .boolean(false))
    #expect(value("on", "true") == nil && value("on", "1") == nil)
    #expect(value("level", "2") == .integer(2) && value("level", "-1.5") == .real(-1.5))
    for word in ["3", "nan", "inf", "0x1", "", "1e400", " 1", "1,5"] {
      #expect(value("level", word) == nil, "\(word)")
    }
    #expect(value("choice", "1") == .integer(1) && value("choice", "Two") == .string("two"))
    #expect(value("choice", "one") == nil && value("choice", "") == nil)
    #expect(value("shown", "x") == nil)
    #expect(schema["choice"]?.accepts(.real(1)) == true)
    #expect(schema["choice"]?.accepts(.string("1")) == false)
    #expect(schema["text"]?.accepts(.integer(1)) == false)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var wrong: PropertyListText
    /// With the place in it.
    var message: String
  }

  static func wrong(_ type: String, _ members: (String, PropertyListText)...) -> PropertyListText {
    .dictionary([("Type", .string(type)), ("Key", .string("k"))] + members)
  }

  static let faults: [Fault] = [
    Fault(
      testDescription: "no dictionary", wrong: .string("x"),
      message: "`PreferenceSpecifiers[1]` is a string where a dictionary belongs"),
    Fault(
      testDescription: "no type", wrong: .dictionary([("Key", .string("k"))]),
      message: "`PreferenceSpecifiers[1].Type` is missing"),
    Fault(
      testDescription: "unknown type", wrong: wrong("PSEvil\u{202e}J"),
      message: "`PreferenceSpecifiers[1].Type` is `PSEvil\\u{202e}J`, which is not known"),
    Fault(
      testDescription: "no key",
      wrong: .dictionary([("Type", .string("PSTextFieldSpecifier"))]),
      message: "`PreferenceSpecifiers[1].Key` is missing"),
    Fault(
      testDescription: "a key that cannot be shown",
      wrong: wrong("PSTextFieldSpecifier").setting("Key", to: .string("a\u{202e}b")),
      message: "which is empty, longer than 200 bytes, not printable"),
    Fault(
      testDescription: "a key like an option",
      wrong: wrong("PSTextFieldSpecifier").setting("Key", to: .string("--reset")),
      message: "like an option"),
    Fault(
      testDescription: "a repeated key",
      wrong: wrong("PSTextFieldSpecifier").setting("Key", to: .string("first")),
      message: "`PreferenceSpecifiers[1].Key` is `first`, which an earlier one has"),
    Fault(
      testDescription: "a title of another type",
      wrong: wrong("PSTextFieldSpecifier", ("Title", .integer(1))),
      message: "`PreferenceSpecifiers[1].Title` is an integer where a string belongs"),
    Fault(
      testDescription: "a text that is a number at first",
      wrong: wrong("PSTextFieldSpecifier", ("DefaultValue", .integer(1))),
      message: "`PreferenceSpecifiers[1].DefaultValue` is an integer where a string belongs"),
    Fault(
      testDescription: "a toggle that is a word at first",
      wrong: wrong("PSToggleSwitchSpecifier", ("DefaultValue", .string("YES"))),
      message: "is a string where a boolean (<true/> or <false/>) belongs"),
    Fault(
      testDescription: "a slider without an end",
      wrong: wrong("PSSliderSpecifier", ("MinimumValue", .integer(0))),
      message: "`PreferenceSpecifiers[1].MaximumValue` is missing"),
    Fault(
      testDescription: "a slider backwards",
      wrong: wrong(
        "PSSliderSpecifier", ("MinimumValue", .integer(1)), ("MaximumValue", .integer(0))),
      message: "is 0.0, which is below `MinimumValue`, 1.0"),
    Fault(
      testDescription: "a slider that begins outside",
      wrong: wrong(
        "PSSliderSpecifier", ("MinimumValue", .integer(0)), ("MaximumValue", .integer(1)),
        ("DefaultValue", .integer(2))),
      message: "is 2.0, which is not from 0.0 to 1.0"),
    Fault(
      testDescription: "a choice of nothing",
      wrong: wrong("PSMultiValueSpecifier", ("Values", .array([])), ("Titles", .array([]))),
      message: "`PreferenceSpecifiers[1].Values` has 0 elements"),
    Fault(
      testDescription: "more values than titles",
      wrong: wrong(
        "PSMultiValueSpecifier", ("Values", .array([.string("a")])),
        ("Titles", .array([.string("a"), .string("b")]))),
      message: "`PreferenceSpecifiers[1].Titles` has 2 elements, and `Values` has 1"),
    Fault(
      testDescription: "a choice that is none of the values at first",
      wrong: wrong(
        "PSRadioGroupSpecifier", ("Values", .array([.string("a")])),
        ("Titles", .array([.string("A")])), ("DefaultValue", .string("b"))),
      message: "`PreferenceSpecifiers[1].DefaultValue` is none of `Values`"),
    Fault(
      testDescription: "data",
      wrong: wrong("PSTitleValueSpecifier", ("DefaultValue", .raw("<data>AA==</data>"))),
      message: "is data, which a setting cannot be"),
    Fault(
      testDescription: "more than a message has room for",
      wrong: wrong(
        "PSTextFieldSpecifier", ("DefaultValue", .string(String(repeating: "a", count: 40_000)))),
      message: "beyond what fits"),
    Fault(
      testDescription: "a pane outside the bundle",
      wrong: wrong("PSChildPaneSpecifier", ("File", .string("../Info"))),
      message: "`PreferenceSpecifiers[1].File` is `../Info`, which is not the name of a file"),
    Fault(
      testDescription: "a pane that shows itself",
      wrong: wrong("PSChildPaneSpecifier", ("File", .string("Root"))),
      message: "is `Root`, which is shown already"),
    Fault(
      testDescription: "a pane that is not there",
      wrong: wrong("PSChildPaneSpecifier", ("File", .string("Gone"))),
      message: "Settings.bundle/Gone.plist: it is missing"),
  ]

  @Test("what is wrong is left out with its place, and the rest is used", arguments: faults)
  func wrong(_ fault: Fault) throws {
    let schema = try schema([
      specifier("TextField", "first", ("DefaultValue", .string("1"))), fault.wrong,
      specifier("TextField", "last", ("DefaultValue", .string("2"))),
    ])
    #expect(schema.specifiers.map(\.key) == ["first", "last"])
    #expect(schema.faults.count == 1)
    let message = schema.faults.first?.description ?? ""
    #expect(message.hasPrefix("Settings.bundle/"), "\(message)")
    #expect(message.contains(fault.message), "\(message)")
  }

  @Test("a settings bundle of nothing but faults, or without end, stays within bounds")
  func bounds() throws {
    let faults = try schema(Array(repeating: .string("x"), count: 5000))
    #expect(faults.specifiers.isEmpty && (1...64).contains(faults.faults.count))
    let many = try schema(
      (0..<400).map { specifier("TextField", "k\($0)", ("DefaultValue", .string("v"))) })
    #expect(many.specifiers.count == 256)
    #expect(many.faults.first?.description.contains("PreferenceSpecifiers[256]") == true)
    #expect(throws: BundleError.self) {
      try schema(
        [
          specifier(
            "TextField", "k", ("DefaultValue", .string(String(repeating: "x", count: 2 << 20))))
        ]
      )
    }
  }
}
