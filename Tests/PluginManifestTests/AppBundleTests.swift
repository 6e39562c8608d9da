import Glibc
import PluginManifest
import TestSupport
import Testing

private let script = "#!/usr/bin/python3\n"

/// One folder for one test.
final class Folder {
  let path: String
  init() throws { path = try Files.temporaryDirectory(mode: 0o755) }
  deinit { Files.remove(path) }
}

/// Reads a bundle in every way it is read, and returns the one message of all.
private func fault(_ app: String) throws -> String {
  do {
    _ = try AppBundle(validating: app)
    return "read"
  } catch { return "\(error)" }
}

@Suite("Bundles")
struct AppBundleTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  private func write(
    _ change: (inout FixtureApp) throws -> Void = { _ in }
  ) throws -> String {
    var app = FixtureApp(keyboards: [FixtureKeyboard(script: script)])
    try change(&app)
    return try app.write(to: folder.path)
  }

  @Test("a right bundle is read with all it says")
  func right() throws {
    let path = try write { app in
      app.settings = .dictionary([
        (
          "PreferenceSpecifiers",
          .array([
            .dictionary([("Type", .string("PSGroupSpecifier"))]),
            .dictionary([
              ("Type", .string("PSTextFieldSpecifier")), ("Key", .string("tag")),
              ("DefaultValue", .string("b")),
            ]),
            .dictionary([
              ("Type", .string("PSToggleSwitchSpecifier")), ("Key", .string("on")),
              ("DefaultValue", .boolean(true)),
            ]),
          ])
        )
      ])
    }
    let bundle = try AppBundle(validating: path)
    #expect(bundle.manifest.identifier == "org.example.fixture")
    #expect(bundle.manifest.displayName == "Fixture")
    #expect(
      bundle.manifest.settings.defaults == [
        SettingDefault(key: "tag", value: .string("b")),
        SettingDefault(key: "on", value: .boolean(true)),
      ])
    let keyboard = try #require(bundle.keyboards.first)
    #expect(keyboard.manifest.identifier == "org.example.fixture.keyboard")
    #expect(keyboard.manifest.appIdentifier == "org.example.fixture")
    #expect(keyboard.manifest.isASCIICapable)
    #expect(!keyboard.manifest.requestsOpenAccess)
    #expect(keyboard.manifest.primaryLanguage == "en-US")
    #expect(keyboard.manifest.principalClass == "KeyboardViewController")
    #expect(keyboard.path == "PlugIns/FixtureKeyboard.appex")
    #expect(keyboard.program.interpreter == "/usr/bin/python3")
  }

  @Test(
    "a value of a wrong type where a boolean belongs is refused, and never read as one",
    arguments: ["RequestsOpenAccess", "IsASCIICapable", "PrefersRightToLeft"],
    [
      PropertyListText.string("YES"), .string("true"), .string("NO"), .string(""), .integer(1),
      .integer(0), .real(1), .array([]), .dictionary([]),
    ])
  func strictBooleans(_ key: String, _ value: PropertyListText) throws {
    let path = try write { $0.keyboards[0].setAttribute(key, to: value) }
    let message = try fault(path)
    #expect(
      message.hasPrefix(
        "PlugIns/FixtureKeyboard.appex/Info.plist: `NSExtension.NSExtensionAttributes.\(key)` is "))
    #expect(message.hasSuffix("where a boolean (<true/> or <false/>) belongs"))
  }

  @Test(
    "the host's own name is refused, however it is written",
    arguments: [
      "System keyboard", "system  KEYBOARD", "System-Keyboard!", "SYSTEM", "S y s t e m",
      "ꓢystem keyboard", "Ꮪystem keyboard", "𐊖ystem", "Syst℮m", "Sγѕtєm", "Sẏstem",
      "Systém keyboard",
      "Şystem", "Ⓢystem", "🅂🅈🅂🅃🄴🄼", "ˢʸˢᵗᵉᵐ", "ₛyₛₜₑₘ", "System keyb0ard", "Systern keyboard",
      "5ystem keyboard", "System kəyboard", "Sỵstem keyboard", "The system keyboard",
      "System keyboard (host)", "My System Keyboard",
      "System keyboard\u{FE0F}", "System\u{200D} keyboard", "S\u{FE00}ystem keyboard",
      "Syste\u{200C}m", "ＳＹＳＴＥＭ", "System keyboard" + String(repeating: "\u{300}", count: 60),
      "Ѕуѕтем кеуbоаrd", "𝐒𝐲𝐬𝐭𝐞𝐦 𝗸𝗲𝘆𝗯𝗼𝗮𝗿𝗱",
    ])
  func hostsName(_ name: String) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(
        "CFBundleDisplayName", to: .string(name))
    }
    #expect(try fault(path).hasSuffix("which is the name of the host's own keyboard"))
  }

  @Test(
    "a name that shows nothing is refused, one in any script is not",
    arguments: [
      ("\u{200D}", false), ("\u{FE0F}\u{200C}", false), ("\u{2800}", false), ("\u{300}", false),
      ("Клавиатура", true), ("कीबोर्ड", true), ("👩‍👩‍👧", true), ("System helper", true),
      ("Система", true),
    ])
  func shownNames(_ name: String, isGood: Bool) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(
        "CFBundleDisplayName", to: .string(name))
    }
    if isGood {
      #expect(try AppBundle(reading: path).manifest.keyboards[0].displayName == name)
    } else {
      #expect(try fault(path).hasSuffix("which shows nothing"))
    }
  }

  @Test("an app whose keyboards' lists together are too long to be read at each turn is refused")
  func longLists() throws {
    let path = try write {
      let filler = PropertyListText.array(
        Array(repeating: .string(String(repeating: "x", count: 1_000)), count: 600))
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting("Filler", to: filler)
    }
    #expect(try fault(path).contains("with it the app's keyboards have more than 524288 bytes"))
  }

  @Test("a boolean that is missing is false")
  func missingBoolean() throws {
    let path = try write {
      $0.keyboards[0].setAttribute("RequestsOpenAccess", to: nil)
      $0.keyboards[0].setAttribute("IsASCIICapable", to: nil)
    }
    let manifest = try AppBundle(validating: path).keyboards[0].manifest
    #expect(!manifest.requestsOpenAccess && !manifest.isASCIICapable)
  }

  @Test(
    "a key that must be there is named with its file when it is missing",
    arguments: [
      "CFBundleIdentifier", "CFBundleExecutable", "CFBundleDisplayName",
      "CFBundleShortVersionString", "NSExtension",
    ])
  func missingKeys(_ key: String) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(key, to: nil)
    }
    #expect(
      try fault(path) == "PlugIns/FixtureKeyboard.appex/Info.plist: `\(key)` is missing")
  }

  @Test(
    "an id that is not plain is refused",
    arguments: [
      "-rf", "--json", "a b", "a\nb", "a\u{1b}[2J", "a\u{202e}b", "a/b", "..", "a..b", ".a", "a.",
      "a.-b", "", "system", "System", "SYSTEM", "ünicode", "a\u{0}b", "${HOME}", "a;b",
      String(repeating: "a", count: 156),
    ])
  func identifiers(_ identifier: String) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(
        "CFBundleIdentifier", to: .string(identifier))
    }
    #expect(try fault(path).hasPrefix("PlugIns/FixtureKeyboard.appex/Info.plist: "))
    let app = try write {
      $0.propertyList = $0.propertyList.setting("CFBundleIdentifier", to: .string(identifier))
    }
    #expect(try fault(app).hasPrefix("Info.plist: "))
  }

  @Test(
    "a name that looks like an option or plays with the terminal is refused",
    arguments: [
      "CFBundleDisplayName", "CFBundleShortVersionString", "CFBundleExecutable",
    ], ["-v", " ", "a\tb", "a\u{202e}b", "a\u{2067}b", String(repeating: "a", count: 201)])
  func names(_ key: String, _ name: String) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(key, to: .string(name))
    }
    let message = try fault(path)
    #expect(message.hasPrefix("PlugIns/FixtureKeyboard.appex/Info.plist: `\(key)` is "))
    #expect(!message.contains("\u{202e}") && !message.contains("\t"))
  }

  @Test(
    "an executable that is a path is refused",
    arguments: ["../K", "/bin/sh", "a/b", "..", "."])
  func executableIsAPath(_ name: String) throws {
    let path = try write {
      $0.keyboards[0].propertyList = $0.keyboards[0].propertyList.setting(
        "CFBundleExecutable", to: .string(name))
    }
    #expect(try fault(path).contains("`CFBundleExecutable` is `\(name)`, which"))
  }

  @Test("an extension point that is not the keyboard one is refused")
  func extensionPoint() throws {
    let path = try write { app in
      let container = app.keyboards[0].propertyList["NSExtension"]!
      app.keyboards[0].propertyList = app.keyboards[0].propertyList.setting(
        "NSExtension",
        to: container.setting(
          "NSExtensionPointIdentifier", to: .string("com.apple.share-services")))
    }
    #expect(
      try fault(path).contains(
        "`NSExtension.NSExtensionPointIdentifier` is `com.apple.share-services` where "
          + "`com.apple.keyboard-service` belongs"))
  }

  @Test("two keyboards of one id are refused, whatever the case of its letters")
  func duplicates() throws {
    let path = try write {
      $0.keyboards.append(
        FixtureKeyboard(identifier: "org.example.fixture.KEYBOARD", name: "Other", script: script))
    }
    #expect(
      try fault(path).contains("which PlugIns/FixtureKeyboard.appex/Info.plist has as well"))
  }

  @Test(
    "a keyboard whose id does not begin with its app's is refused: it could be another app's",
    arguments: [
      "org.example.fixture", "org.example.other.keyboard", "org.example.fixturekeyboard",
      "ORG.example.fixture.keyboard", "keyboard",
    ])
  func foreignIdentifier(_ identifier: String) throws {
    let path = try write {
      $0.keyboards = [FixtureKeyboard(identifier: identifier, script: script)]
    }
    #expect(
      try fault(path) == "PlugIns/FixtureKeyboard.appex/Info.plist: `CFBundleIdentifier` is "
        + "`\(identifier)`, which does not begin with the app's own and a dot, "
        + "`org.example.fixture.`")
  }

  @Test("an app without a keyboard, or without its folder, is refused")
  func noKeyboard() throws {
    let path = try write { $0.keyboards = [] }
    #expect(try fault(path) == "PlugIns: it holds no keyboard: no folder `Name.appex`")
    Files.remove(path + "/PlugIns")
    #expect(try fault(path) == "PlugIns: it is missing: the app contains no keyboard")
    Files.remove(path + "/Info.plist")
    #expect(try fault(path) == "Info.plist: it is missing")
    Files.remove(path)
    #expect(try fault(path) == "\(path): cannot open the folder: No such file or directory")
  }

  @Test("a property list that is damaged is named with its line")
  func damagedPropertyList() throws {
    let path = try write()
    try Files.write("<plist>\n<dict>\n<key>a</key>", to: path + "/Info.plist")
    #expect(try fault(path).hasPrefix("Info.plist: line 3: "))
    try Files.write([UInt8](repeating: 32, count: (1 << 20) + 1), to: path + "/Info.plist")
    #expect(try fault(path) == "Info.plist: it is longer than 1048576 bytes")
  }
}
