import TestSupport
import Testing

@testable import KeyboardHost

@Suite("Grants of services")
struct StoreServiceTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func install(
    version: String = "1.0", requestsOpenAccess: Bool = true,
    usage: [String: PropertyListText] = ["NSContactsUsageDescription": .string("to greet them")]
  ) throws {
    var keyboard = FixtureKeyboard(
      script: "#!/usr/bin/python3\n", requestsOpenAccess: requestsOpenAccess)
    for (key, value) in usage {
      keyboard.propertyList = keyboard.propertyList.setting(key, to: value)
    }
    let folder = fixture.home.work + "/" + version
    try Files.makeDirectory(folder)
    try fixture.registry.install(
      from: try FixtureApp(keyboards: [keyboard]).write(to: folder), log: fixture.log)
  }

  private func services() throws -> Set<String> {
    Set(try fixture.registry.load().services[fixture.keyboard]?.map(\.rawValue) ?? [])
  }

  private func openAccess() throws {
    try fixture.choices.grantOpenAccess(fixture.keyboard, container: .empty, log: fixture.log)
  }

  @Test("a service needs open access and a reason, and both refusals are in the log")
  func needs() throws {
    try install()
    let keyboard = fixture.keyboard
    let closed = storeFault { try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log) }
    #expect(closed.contains("keyhost grant \(keyboard) open-access"), "\(closed)")
    try openAccess()
    let silent = storeFault { try fixture.choices.grant(.location, to: keyboard, log: fixture.log) }
    #expect(silent.contains("NSLocationWhenInUseUsageDescription"), "\(silent)")
    #expect(
      try fixture.choices.usage(of: .contacts, by: keyboard, log: fixture.log) == "to greet them")
    try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log)
    #expect(try services() == ["contacts"])
    #expect(
      storeFault { try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log) }
        .contains("already"))
    #expect(
      try fixture.events() == ["install", "refusal", "grant", "refusal", "grant"])
  }

  @Test("a service goes alone, with open access, with its reason, with asking, and with the app")
  func ends() throws {
    try install()
    let keyboard = fixture.keyboard
    func grant() throws {
      if !(try fixture.registry.load().openAccess.contains(keyboard)) { try openAccess() }
      try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log)
      #expect(try services() == ["contacts"])
    }
    try grant()
    try fixture.choices.revoke(.contacts, from: keyboard, log: fixture.log)
    #expect(try services() == [] && fixture.registry.load().openAccess == [keyboard])
    #expect(
      storeFault { try fixture.choices.revoke(.contacts, from: keyboard, log: fixture.log) }
        .contains("was not granted"))
    try grant()
    try fixture.choices.revokeOpenAccess(keyboard, log: fixture.log)
    #expect(try services() == [])
    try grant()
    try install(version: "2", usage: [:])
    #expect(try services() == [] && fixture.registry.load().openAccess == [keyboard])
    try install(version: "3")
    try grant()
    try install(version: "4", requestsOpenAccess: false)
    #expect(try services() == [])
    try install(version: "5")
    try grant()
    try fixture.registry.remove("org.example.fixture", keepingData: true, log: fixture.log)
    #expect(try fixture.registry.load().services.isEmpty)
  }

  @Test("what is taken away goes also when it cannot be recorded, and nothing is granted then")
  func unrecorded() throws {
    try install()
    try openAccess()
    let keyboard = fixture.keyboard
    try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log)
    try fixture.choices.revoke(.contacts, from: keyboard, log: nil)
    #expect(try services() == [])
    try fixture.breakLog()
    #expect(throws: StoreError.self) {
      try fixture.choices.grant(.contacts, to: keyboard, log: fixture.log)
    }
    #expect(try services() == [])
  }

  @Test(
    "a reason that is none is refused with the key",
    arguments: [
      PropertyListText.string(" "), .integer(1), .string(String(repeating: "x", count: 2000)),
    ])
  func reasons(_ reason: PropertyListText) throws {
    let fault = storeFault { try install(usage: ["NSContactsUsageDescription": reason]) }
    #expect(fault.contains("`NSContactsUsageDescription` "), "\(fault)")
  }
}
