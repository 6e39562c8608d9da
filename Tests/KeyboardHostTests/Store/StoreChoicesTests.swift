import PluginProtocol
import TestSupport
import Testing

@testable import KeyboardHost

@Suite("The user's choices")
struct StoreChoicesTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }
  private var order: [String] {
    get throws { try fixture.registry.load().enabledKeyboards }
  }

  @Test("an argument that would move the cursor is shown escaped")
  func escaped() throws {
    let fixture = try StoreFixture()
    let hostile = "a\u{1b}[2J"
    for change: () throws -> Void in [
      { try fixture.choices.add(hostile, log: fixture.log) },
      { try fixture.choices.remove(hostile, log: fixture.log) },
      { try fixture.choices.revokeOpenAccess(hostile, log: fixture.log) },
      { _ = try fixture.registry.remove(hostile, keepingData: true, log: fixture.log) },
    ] {
      #expect(storeFault(change).contains("`a\\u{1b}[2J`"))
    }
  }

  @Test("keyboards are added, moved and removed, and the system keyboard is always there")
  func list() throws {
    try fixture.install()
    try fixture.install(identifier: "org.example.b")
    let (a, b) = (fixture.keyboard, "org.example.b.keyboard")
    try fixture.choices.add(a, log: fixture.log)
    try fixture.choices.add(b, position: 1, log: fixture.log)
    #expect(try order == [b, a, "system"])
    try fixture.choices.move(a, to: 1, log: fixture.log)
    #expect(try order == [a, b, "system"])
    try fixture.choices.move("system", to: 2, log: fixture.log)
    #expect(try order == [a, "system", b])
    try fixture.choices.remove(a, log: fixture.log)
    #expect(try order == ["system", b])
    #expect(
      try fixture.choices.list().map { "\($0.identifier) \($0.isEnabled)" }
        == ["system true", "\(b) true", "\(a) false"])
  }

  @Test("a keyboard is added before a system keyboard that is last, and behind one that was moved")
  func addedToTheEnd() throws {
    for letter in ["a", "b", "c"] { try fixture.install(identifier: "org.example.\(letter)") }
    let keyboards = ["a", "b", "c"].map { "org.example.\($0).keyboard" }
    try fixture.choices.add(keyboards[0], log: fixture.log)
    try fixture.choices.add(keyboards[1], log: fixture.log)
    #expect(try order == [keyboards[0], keyboards[1], "system"])
    try fixture.choices.move("system", to: 1, log: fixture.log)
    try fixture.choices.add(keyboards[2], log: fixture.log)
    #expect(try order == ["system"] + keyboards)
  }

  @Test("the list's order is the host's, and for one run another keyboard stands first")
  func hostOrder() throws {
    for letter in ["a", "b", "c"] {
      try fixture.install(identifier: "org.example.\(letter)")
      try fixture.choices.add("org.example.\(letter).keyboard", log: fixture.log)
    }
    let (a, b, c) = (
      "org.example.a.keyboard", "org.example.b.keyboard", "org.example.c.keyboard"
    )
    try fixture.choices.move("system", to: 2, log: fixture.log)
    func order(_ first: String? = nil) throws -> [String] {
      try UserChoices(paths: fixture.paths).configuration(hostVersion: "0", first: first).order
    }
    #expect(try order() == [a, "system", b, c])
    #expect(try order(a) == [a, "system", b, c])
    #expect(try order(c) == [c, a, "system", b])
    #expect(try order("system") == ["system", a, b, c])
    #expect(try order("nobody") == [a, "system", b, c])
    // One that is enabled but not there takes no place.
    _ = try fixture.registry.remove("org.example.a", keepingData: true, log: fixture.log)
    #expect(try order() == ["system", b, c])
    #expect(UserChoices.none.configuration(hostVersion: "0").order == ["system"])
  }

  @Test("the first keyboard of the list that has a language puts the system keyboard's")
  func languageOrder() throws {
    for (letter, language) in [("a", "mul"), ("b", "fr"), ("c", "de-CH")] {
      try fixture.install(identifier: "org.example.\(letter)", language: language)
      try fixture.choices.add("org.example.\(letter).keyboard", log: fixture.log)
    }
    func language() throws -> String? {
      try UserChoices(paths: fixture.paths).configuration(hostVersion: "0", locale: "it_IT.UTF-8")
        .language
    }
    #expect(try language() == "fr")
    try fixture.choices.move("org.example.c.keyboard", to: 1, log: fixture.log)
    #expect(try language() == "de-CH")
    for letter in ["b", "c"] {
      try fixture.choices.remove("org.example.\(letter).keyboard", log: fixture.log)
    }
    #expect(try language() == "it-IT")
  }

  @Test("what makes no sense is refused, and changes nothing")
  func refusals() throws {
    try fixture.install()
    let (choices, log) = (fixture.choices, fixture.log)
    try choices.add(fixture.keyboard, log: log)
    let before = try fixture.registry.load()
    #expect(storeFault { try choices.add("none", log: log) }.contains("no keyboard `none`"))
    #expect(
      storeFault { try choices.add("system", position: 1, log: log) }.contains("move it instead"))
    try choices.add(fixture.keyboard, log: log)
    try choices.add("system", position: 2, log: log)
    #expect(storeFault { try choices.remove("system", log: log) }.contains("cannot be removed"))
    #expect(storeFault { try choices.remove("none", log: log) }.contains("is not in the list"))
    for position in [0, 3, -1, Int.max] {
      #expect(
        storeFault { try choices.move("system", to: position, log: log) }
          == "there is no position \(position): the list goes from 1 to 2")
    }
    #expect(
      storeFault { try choices.revokeOpenAccess(fixture.keyboard, log: log) }
        .contains("does not have open access"))
    #expect(try fixture.registry.load() == before)
  }

  private func grant(_ container: KeyboardChoices.ContainerTreatment = .empty) throws {
    try fixture.choices.grantOpenAccess(
      fixture.keyboard, container: container, log: fixture.log)
  }

  @Test("an app's defaults hold from the first start, and the user's values until they are reset")
  func settingsInForce() throws {
    func specifier(
      _ type: String, _ key: String, _ preset: PropertyListText? = nil
    ) -> PropertyListText {
      .dictionary(
        [("Type", .string("PS\(type)Specifier")), ("Key", .string(key))]
          + (preset.map { [("DefaultValue", $0)] } ?? []))
    }
    let app = FixtureApp(
      keyboards: [FixtureKeyboard(script: "#!/usr/bin/python3\n")],
      settings: .dictionary([
        (
          "PreferenceSpecifiers",
          .array([
            specifier("TextField", "tag", .string("b")),
            specifier("ToggleSwitch", "sound", .boolean(true)), specifier("TextField", "token"),
          ])
        )
      ]))
    try fixture.registry.install(from: try app.write(to: fixture.home.work), log: fixture.log)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    func told() throws -> [Setting]? {
      try UserChoices(paths: fixture.paths).configuration(hostVersion: "0").keyboards.first?
        .settings
    }
    let defaults = [Setting("tag", .string("b")), Setting("sound", .bool(true))]
    #expect(try told() == defaults)
    let settings = AppSettingChoices(paths: fixture.paths)
    let manifest = try settings.app(fixture.keyboard)
    try settings.set("tag", of: manifest, to: "h2", log: fixture.log)
    try settings.set("token", of: manifest, to: "x", log: fixture.log)
    #expect(
      try told() == [
        Setting("tag", .string("h2")), Setting("sound", .bool(true)),
        Setting("token", .string("x")),
      ])
    try settings.reset(nil, of: manifest, log: fixture.log)
    #expect(try told() == defaults)
  }

  @Test("open access needs a keyboard that asks for it, and is recorded when refused")
  func mustAsk() throws {
    try fixture.install()
    #expect(storeFault { try grant() }.contains("does not ask for open access"))
    #expect(try fixture.registry.load().openAccess == [])
    #expect(try fixture.events() == ["install", "refusal"])
  }

  @Test("addresses are opened one by one, kept with the grant, and gone with it")
  func allowedHosts() throws {
    try fixture.install(requestsOpenAccess: true)
    func grant(_ hosts: [String]) throws {
      try fixture.choices.grantOpenAccess(
        fixture.keyboard, container: .empty, allowedHosts: hosts, log: fixture.log)
    }
    for wrong in [
      "nas.local:80", "192.168.1.10", "192.168.1.0/24:80", "192.168.1.10:0", "192.168.1.10:080",
      "192.168.1.10:65536", "fd00::1:443", "[fd00::1%eth0]:443", "192.168.1.010:80",
      "3232235786:80",
      "[192.168.1.10]:80", "192.168.1.10:80 ", "*:80", ":80", "[]:80", "127.0.0.1:4713",
      "[::1]:4713", "0.0.0.0:80", "[::]:80", "224.0.0.1:80", "[ff02::1]:80", "[fe80::1]:80",
      "[::ffff:192.168.1.10]:80", "[::ffff:127.0.0.1]:80", "255.255.255.255:80",
    ] {
      #expect(throws: StoreError.self, "\(wrong)") { try grant([wrong]) }
    }
    #expect(try fixture.registry.load().openAccess == [])
    try grant(["192.168.1.10:8080"])
    try grant(["[fd00:0::1]:443", "192.168.1.10:8080"])
    #expect(storeFault { try grant([]) }.contains("has open access already"))
    #expect(storeFault { try grant(["[fd00::1]:443"]) }.contains("with these addresses"))
    #expect(
      try fixture.choices.list().last?.allowedHosts == ["192.168.1.10:8080", "[fd00::1]:443"])
    // As another process reads it.
    #expect(
      try SettingsStore(paths: fixture.paths).load().allowedHosts[fixture.keyboard]?.count == 2)
    try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    #expect(try fixture.registry.load().allowedHosts == [:])
    #expect(try fixture.events() == ["install", "grant", "grant", "revoke"])
  }

  @Test("what a version without a broker left out is required again")
  func requiredAgain() throws {
    try fixture.install(requestsOpenAccess: true)
    try SettingsStore(paths: fixture.paths).update(log: fixture.log) { settings in
      settings.weakenings[fixture.keyboard] = ["networkNamespace", "landlock"]
      return PlannedChange(result: ())
    }
    try grant()
    #expect(try fixture.registry.load().weakenings == [fixture.keyboard: ["landlock"]])
  }

  @Test("a grant empties the private container, or keeps it when told to")
  func container() throws {
    try fixture.install(requestsOpenAccess: true)
    let container = fixture.paths.privateContainer(fixture.keyboard)
    try Files.write("hoarded", to: container + "/text")
    let mode = Files.mode(container)
    try grant(.keep)
    #expect(try Files.text(container + "/text") == "hoarded")
    try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    try grant(.empty)
    #expect(try Files.list(container) == [])
    #expect(Files.mode(container) == mode)
  }

  @Test("an update that stops asking loses open access, and one that asks again has none")
  func update() throws {
    try fixture.install(requestsOpenAccess: true)
    try grant()
    try fixture.install(version: "1.1", requestsOpenAccess: true)
    #expect(try fixture.registry.load().openAccess == [fixture.keyboard])
    let outcome = try fixture.install(version: "2.0", requestsOpenAccess: false)
    #expect(outcome.lostOpenAccess == [fixture.keyboard])
    #expect(try fixture.install(version: "3.0", requestsOpenAccess: true).lostOpenAccess == [])
    #expect(try fixture.registry.load().openAccess == [])
  }

  @Test("a grant does not outlive its app")
  func reinstalled() throws {
    try fixture.install(requestsOpenAccess: true)
    try grant()
    // As if the settings had been restored from a backup while the app was gone.
    let backup = try Files.read(fixture.paths.settingsFile)
    _ = try fixture.registry.remove("org.example.fixture", keepingData: true, log: fixture.log)
    try Files.write(backup, to: fixture.paths.settingsFile, mode: 0o600)
    try fixture.install(requestsOpenAccess: true)
    #expect(try fixture.registry.load().openAccess == [])
  }

  @Test("text replacements are kept within bounds, and never reach the log")
  func replacements() throws {
    let choices = TextReplacementChoices(paths: fixture.paths)
    let secret = Secret.make()
    try choices.add(TextReplacement(userInput: "a", documentText: secret), log: fixture.log)
    try choices.add(TextReplacement(userInput: "a", documentText: secret + "2"), log: fixture.log)
    #expect(
      try choices.list() == [TextReplacement(userInput: "a", documentText: secret + "2")])
    for (input, text) in [
      ("", "x"), ("x", "\u{1b}"), (String(repeating: "x", count: 1_001), "x"),
      ("x", String(repeating: "x", count: 1_001)),
    ] {
      #expect(throws: StoreError.self) {
        try choices.add(TextReplacement(userInput: input, documentText: text), log: fixture.log)
      }
    }
    try choices.remove("a", log: fixture.log)
    #expect(throws: StoreError.self) { try choices.remove("a", log: fixture.log) }
    #expect(try !Files.text(fixture.paths.auditLog).contains(secret))
  }

  @Test("what is revoked while a host starts is in force when it has started")
  func revokedMeanwhile() throws {
    let fixture = try StoreFixture()
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(fixture.keyboard, container: .keep, log: fixture.log)
    let host = try LocalHost(paths: fixture.paths)
    #expect(host.choices.keyboard(fixture.keyboard)?.grants.openAccess == true)
    // Between the first reading of the settings and the watch on them.
    try fixture.choices.revokeOpenAccess(fixture.keyboard, log: fixture.log)
    host.begin()
    #expect(host.choices.keyboard(fixture.keyboard)?.grants.openAccess == false)
    #expect(
      host.driver.core.configuration.keyboard(fixture.keyboard)?.hasFullAccess == false)
    host.driver.shutDown()
  }
}
