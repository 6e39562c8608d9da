import TestSupport
import Testing

@testable import KeyboardHost

/// Two apps whose keyboards may have the same ids: `org.vic` has `org.vic.app.kb`, which `org.vic.app`
/// could have as well.
@Suite("Whose a keyboard is")
struct StoreOwnershipTests {
  private let fixture: StoreFixture
  private let victim = "org.vic"
  private let thief = "org.vic.app"
  private let keyboard = "org.vic.app.kb"

  init() throws { fixture = try StoreFixture() }

  private var secret: String { fixture.paths.privateContainer(keyboard) + "/secret" }

  private func install(_ app: String, _ keyboards: [String]) throws {
    let folder = fixture.home.work + "/" + String(UInt32.random(in: 0 ... .max))
    try Files.makeDirectory(folder)
    let path = try FixtureApp(
      identifier: app,
      keyboards: keyboards.map {
        FixtureKeyboard(identifier: $0, script: PythonKeyboard.shouting, requestsOpenAccess: true)
      }
    ).write(to: folder)
    try fixture.registry.install(from: path, log: fixture.log)
  }

  /// The victim's keyboard is in the list, has open access, and has stored something.
  private func installVictim() throws {
    try install(victim, ["org.vic.kb", keyboard])
    try fixture.choices.add(keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(keyboard, container: .keep, log: fixture.log)
    try Files.write("victim's", to: secret)
  }

  private func expectUntouched() throws {
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == [keyboard])
    #expect(settings.openAccess == [keyboard])
    #expect(settings.owners[keyboard] == victim)
    #expect(try Files.text(secret) == "victim's")
  }

  @Test("an app whose id a keyboard's begins with is installed, updated and removed beside it")
  func beside() throws {
    try installVictim()
    let identities = try fixture.registry.load().identities
    try install(thief, ["org.vic.app.other"])
    try install(thief, ["org.vic.app.third"])
    try expectUntouched()
    for keepingData in [true, false] {
      try install(thief, ["org.vic.app.third"])
      #expect(
        try fixture.registry.remove(thief, keepingData: keepingData, log: fixture.log)
          == ["org.vic.app.third"])
      try expectUntouched()
    }
    #expect(try fixture.registry.load().identities == identities)
    // Its own app is updated as ever.
    try install(victim, ["org.vic.kb", keyboard])
    try expectUntouched()
  }

  @Test("a keyboard that its app leaves out is gone before another app has one of that id")
  func leftOut() throws {
    try installVictim()
    try install(thief, ["org.vic.app.other"])
    #expect(storeFault { try install(thief, [keyboard]) }.contains("belongs to the installed app"))
    try install(victim, ["org.vic.kb"])
    #expect(!Files.exists(secret))
    try install(thief, [keyboard])
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == [] && settings.openAccess == [])
    #expect(settings.owners == ["org.vic.kb": victim, keyboard: thief])
    #expect(!Files.exists(secret))
  }

  @Test("what is kept of a removed app outlasts all that another app does")
  func kept() throws {
    try installVictim()
    _ = try fixture.registry.remove(victim, keepingData: true, log: fixture.log)
    for keepingData in [true, false] {
      try install(thief, ["org.vic.app.other"])
      #expect(storeFault { try install(thief, [keyboard]) }.contains("is nobody else's"))
      _ = try fixture.registry.remove(thief, keepingData: keepingData, log: fixture.log)
      #expect(storeFault { try install(thief, [keyboard]) }.contains("is nobody else's"))
    }
    #expect(try Files.text(secret) == "victim's")
    try install(victim, ["org.vic.kb", keyboard])
    #expect(try Files.text(secret) == "victim's")
    #expect(try fixture.registry.load().openAccess == [])
  }

  @Test("a first installation finds nothing under its keyboards' ids, whatever is there")
  func stray() throws {
    try Files.makeDirectory(fixture.paths.privateContainer(keyboard))
    try Files.write("nobody's", to: secret)
    try fixture.registry.settings.update(log: fixture.log) { settings in
      settings.enabledKeyboards.insert(keyboard, at: 0)
      settings.openAccess.insert(keyboard)
      return PlannedChange(result: ())
    }
    try install(thief, [keyboard])
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == [] && settings.openAccess == [])
    #expect(!Files.exists(secret))
    #expect(try fixture.events().suffix(2) == ["install", "revoke"])
  }
}
