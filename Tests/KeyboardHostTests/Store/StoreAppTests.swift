import Glibc
import TestSupport
import Testing

@testable import KeyboardHost

@Suite("Installed apps")
struct StoreAppTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }
  private var app: String { fixture.paths.apps + "/org.example.fixture.app" }

  @Test("an installed app is there with its keyboard, and enables nothing")
  func install() throws {
    let outcome = try fixture.install()
    #expect(outcome.replacedVersion == nil)
    let listing = try fixture.registry.list()
    #expect(listing.faults == [])
    #expect(listing.apps == [outcome.app])
    let keyboard = try #require(try fixture.registry.keyboard(fixture.keyboard))
    #expect(keyboard.bundlePath == app + "/PlugIns/FixtureKeyboard.appex")
    #expect(keyboard.executablePath == keyboard.bundlePath + "/FixtureKeyboard")
    #expect(keyboard.interpreter == "/usr/bin/python3")
    #expect(try fixture.registry.load().enabledPlugins == [])
    #expect(try fixture.events() == ["install"])
    #expect(try Files.list(fixture.paths.apps) == ["org.example.fixture.app"])
  }

  @Test("the copy has permissions of its own, and inodes of its own")
  func copyIsClean() throws {
    let source = try fixture.bundle()
    let inner = source + "/PlugIns/FixtureKeyboard.appex"
    try Files.write("data", to: inner + "/data", mode: 0o666)
    chmod(inner, 0o777)
    try fixture.registry.install(from: source, log: fixture.log)
    let installed = app + "/PlugIns/FixtureKeyboard.appex"
    #expect(Files.mode(installed) == 0o755)
    #expect(Files.mode(installed + "/data") == 0o644)
    #expect(Files.mode(installed + "/FixtureKeyboard") == 0o755)
    var status = stat()
    stat(installed + "/data", &status)
    #expect(status.st_nlink == 1)
    try Files.write("changed", to: inner + "/data")
    #expect(try Files.text(installed + "/data") == "data")
  }

  @Test("a failed installation leaves nothing, and what was installed before stays")
  func failed() throws {
    let bad = try fixture.bundle(script: "#!/usr/bin/env python3\n")
    #expect(
      storeFault { try fixture.registry.install(from: bad, log: fixture.log) }
        .hasPrefix("\(bad) is refused: PlugIns/FixtureKeyboard.appex/FixtureKeyboard: "))
    #expect(try Files.tree(fixture.paths.data) == ["apps"])
    try fixture.install()
    let before = try Files.tree(fixture.paths.data)
    #expect(throws: StoreError.self) {
      try fixture.registry.install(from: bad, log: fixture.log)
    }
    #expect(try Files.tree(fixture.paths.data) == before)
    #expect(try fixture.events() == ["refusal", "install"])
    #expect(try fixture.registry.list().apps.count == 1)
  }

  @Test("what a killed installation has left is cleared by the next one")
  func stale() throws {
    try fixture.install()
    try Files.makeDirectory(fixture.paths.apps + "/.new-123/PlugIns")
    try Files.write("x", to: fixture.paths.apps + "/.new-123/PlugIns/x")
    try fixture.install(version: "2.0")
    #expect(try Files.list(fixture.paths.apps) == ["org.example.fixture.app"])
  }

  @Test("a new version takes the place of the old, whole, and keeps the user's choice")
  func upgrade() throws {
    try fixture.install()
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try Files.write("x", to: app + "/left")
    let outcome = try fixture.install(version: "2.0")
    #expect(outcome.replacedVersion == "1.0")
    #expect(outcome.newlyRequestOpenAccess == [])
    #expect(outcome.disabled == [])
    #expect(!Files.exists(app + "/left"))
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == [fixture.keyboard])
    #expect(settings.openAccess == [])
  }

  @Test("one that newly asks for open access is out of the list until the user puts it there")
  func asksForMore() throws {
    try fixture.install()
    try fixture.choices.add(fixture.keyboard, position: 2, log: fixture.log)
    let outcome = try fixture.install(version: "2.0", requestsOpenAccess: true)
    #expect(outcome.newlyRequestOpenAccess == [fixture.keyboard])
    #expect(
      outcome.disabled == [DisabledKeyboard(identifier: fixture.keyboard, position: 2)])
    #expect(try fixture.registry.load() == settingsWithoutKeyboard())
    #expect(try fixture.events().suffix(2) == ["install", "keyboards"])
    // What was looked at once is not asked again: the next version asks for no more than this one.
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    #expect(try fixture.install(version: "3.0", requestsOpenAccess: true).disabled == [])
    #expect(try fixture.registry.load().enabledPlugins == [fixture.keyboard])
    // One that asks for less stays, and is new again when it asks once more.
    #expect(try fixture.install(version: "4.0").disabled == [])
    #expect(try fixture.registry.load().enabledPlugins == [fixture.keyboard])
    #expect(
      try fixture.install(version: "5.0", requestsOpenAccess: true).disabled.map(\.identifier)
        == [fixture.keyboard])
    #expect(try fixture.registry.load().enabledPlugins == [])
  }

  @Test("in place of a damaged version, of which nobody knows what it asked for, it is new too")
  func asksAfterDamage() throws {
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    Files.remove(app + "/PlugIns/FixtureKeyboard.appex/Info.plist")
    let outcome = try fixture.install(version: "2.0", requestsOpenAccess: true)
    #expect(outcome.disabled.map(\.identifier) == [fixture.keyboard])
    #expect(try fixture.registry.load().enabledPlugins == [])
  }

  /// The settings with nothing in them but whose the keyboard is, and the ids that root gives out.
  private func settingsWithoutKeyboard() throws -> HostSettings {
    var settings = HostSettings()
    settings.identities = try fixture.registry.load().identities
    settings.owners = [fixture.keyboard: "org.example.fixture"]
    return settings
  }

  @Test("an id that another app has is refused")
  func conflict() throws {
    try fixture.install()
    let other = try FixtureApp(
      identifier: "ORG.example.fixture", name: "Other",
      keyboards: [
        FixtureKeyboard(identifier: "ORG.example.fixture.other", script: "#!/bin/sh\n")
      ]
    ).write(to: fixture.home.work)
    #expect(
      storeFault { try fixture.registry.install(from: other, log: fixture.log) }
        == "the id `ORG.example.fixture` belongs to the installed app `org.example.fixture` already"
    )
    #expect(try Files.list(fixture.paths.apps) == ["org.example.fixture.app"])
  }

  @Test("removing takes the app, its place in the list, its grants and its containers")
  func remove() throws {
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(
      fixture.keyboard, container: .empty, log: fixture.log)
    let container = fixture.paths.privateContainer(fixture.keyboard)
    try Files.write("x", to: container + "/x")
    #expect(
      try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
        == [fixture.keyboard])
    #expect(try fixture.registry.load() == HostSettings())
    #expect(
      try Files.tree(fixture.paths.data)
        == ["apps", "containers", "containers/apps", "containers/keyboards"])
    #expect(!Files.exists(app))
    #expect(!Files.exists(container))
    #expect(try fixture.events().suffix(1) == ["remove"])
    #expect(
      storeFault {
        try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
      }.contains("no app `org.example.fixture` is installed"))
  }

  @Test("data that is kept is there after a new installation")
  func keepData() throws {
    try fixture.install()
    let container = fixture.paths.privateContainer(fixture.keyboard)
    try Files.write("x", to: container + "/x")
    _ = try fixture.registry.remove("org.example.fixture", keepingData: true, log: fixture.log)
    let identities = try fixture.registry.load().identities
    try fixture.install()
    #expect(try Files.text(container + "/x") == "x")
    #expect(try fixture.registry.load().identities == identities)
  }

  @Test("data that is kept is nobody else's, and can be removed without its app")
  func keptForItsApp() throws {
    let nested = "org.example.fixture.sub"
    let keyboard = nested + ".keyboard"
    func install(_ app: String) throws {
      let path = try FixtureApp(
        identifier: app,
        keyboards: [FixtureKeyboard(identifier: keyboard, script: PythonKeyboard.shouting)]
      ).write(to: fixture.home.work)
      try fixture.registry.install(from: path, log: fixture.log)
    }
    try install(nested)
    let container = fixture.paths.privateContainer(keyboard)
    try Files.write("secret", to: container + "/x")
    _ = try fixture.registry.remove(nested, keepingData: true, log: fixture.log)
    // Another app whose keyboards may be called so.
    #expect(
      storeFault { try install("org.example.fixture") }
        .contains("what the app `\(nested)` stored for its keyboard `\(keyboard)`"))
    // Nor does another's removal take it along.
    try fixture.install()
    _ = try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
    #expect(try Files.text(container + "/x") == "secret")
    #expect(
      storeFault { try fixture.registry.remove(nested, keepingData: true, log: fixture.log) }
        .contains("no app `\(nested)` is installed"))
    _ = try fixture.registry.remove(nested, keepingData: false, log: fixture.log)
    #expect(!Files.exists(container))
    #expect(try fixture.registry.load().owners.isEmpty)
    try install("org.example.fixture")
    #expect(!Files.exists(container + "/x"))
  }

  @Test("removing follows no link, goes through closed folders and ones thousands deep")
  func hostileContainer() throws {
    try fixture.install()
    let outside = fixture.home.work + "/outside"
    try Files.makeDirectory(outside)
    try Files.write("precious", to: outside + "/file")
    let container = fixture.paths.privateContainer(fixture.keyboard)
    symlink(outside, container + "/link")
    symlink(outside + "/file", container + "/file")
    try Files.makeDirectory(container + "/closed/inner")
    symlink(outside, container + "/closed/inner/link")
    chmod(container + "/closed/inner", 0)
    chmod(container + "/closed", 0)
    // Deeper than any path can name.
    var folder = open(container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for _ in 0..<3_000 {
      mkdirat(folder, "deep", 0o755)
      let next = openat(folder, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(folder)
      folder = next
    }
    close(folder)
    _ = try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
    #expect(!Files.exists(container))
    #expect(try Files.text(outside + "/file") == "precious")
    #expect(try Files.list(fixture.paths.containers + "/keyboards") == [])
  }

  @Test("a damaged app is reported, hides no other, and can be removed")
  func damaged() throws {
    try fixture.install()
    try fixture.install(identifier: "org.example.good")
    chmod(app + "/PlugIns/FixtureKeyboard.appex/FixtureKeyboard", 0o644)
    let listing = try fixture.registry.list()
    #expect(listing.apps.map(\.manifest.identifier) == ["org.example.good"])
    #expect(listing.faults.map(\.app) == ["org.example.fixture"])
    #expect(listing.faults[0].error.message.contains("not executable"))
    _ = try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
    #expect(try fixture.registry.list().faults == [])
  }

  @Test("of a damaged app everything goes with it, and nothing of an app whose id begins alike")
  func damagedTraces() throws {
    try fixture.install(requestsOpenAccess: true)
    try fixture.install(identifier: "org.example.fixture.inner")
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.add("org.example.fixture.inner.keyboard", log: fixture.log)
    try fixture.choices.grantOpenAccess(
      fixture.keyboard, container: .keep, allowedHosts: ["10.1.2.3:8080"], log: fixture.log)
    Files.remove(app + "/Info.plist")
    // Meanwhile nobody takes its keyboards' ids.
    let thief = try FixtureApp(
      identifier: "org.example",
      keyboards: [FixtureKeyboard(identifier: fixture.keyboard, script: "#!/bin/sh\n")]
    ).write(to: fixture.home.work)
    #expect(
      storeFault { try fixture.registry.install(from: thief, log: fixture.log) }
        .hasPrefix("the id `\(fixture.keyboard)` belongs to the installed app"))
    #expect(
      try fixture.registry.remove("org.example.fixture", keepingData: false, log: fixture.log)
        == [fixture.keyboard])
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == ["org.example.fixture.inner.keyboard"])
    #expect(settings.openAccess == [] && settings.allowedHosts == [:])
    #expect(settings.identities[fixture.keyboard] == nil)
    #expect(!Files.exists(fixture.paths.privateContainer(fixture.keyboard)))
    #expect(Files.exists(fixture.paths.privateContainer("org.example.fixture.inner.keyboard")))
  }

  @Test("a keyboard that a new version leaves out loses its place, its grants and its container")
  func dropped() throws {
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(fixture.keyboard, container: .keep, log: fixture.log)
    let next = try FixtureApp(
      keyboards: [FixtureKeyboard(identifier: "org.example.fixture.new", script: "#!/bin/sh\n")]
    ).write(to: fixture.home.work)
    try fixture.registry.install(from: next, log: fixture.log)
    let settings = try fixture.registry.load()
    #expect(settings.enabledPlugins == [] && settings.openAccess == [])
    #expect(settings.identities[fixture.keyboard] == nil)
    #expect(
      try Files.list(fixture.paths.containers + "/keyboards") == ["org.example.fixture.new"])
    #expect(try fixture.events().suffix(2) == ["install", "revoke"])
  }

  @Test("what cannot be recorded is not done")
  func auditFirst() throws {
    try fixture.install(requestsOpenAccess: true)
    let settings = try fixture.registry.load()
    let files = try Files.tree(fixture.paths.data)
    let next = try fixture.bundle(version: "2.0")
    try fixture.breakLog()
    for change: () throws -> Void in [
      { _ = try fixture.registry.install(from: next, log: fixture.log) },
      { try fixture.choices.add(fixture.keyboard, log: fixture.log) },
      {
        try fixture.choices.grantOpenAccess(
          fixture.keyboard, container: .empty, log: fixture.log)
      },
    ] {
      #expect(storeFault(change).hasPrefix("nothing was changed, since it could not be recorded"))
    }
    #expect(try fixture.registry.load() == settings)
    #expect(try Files.tree(fixture.paths.data) == files)
  }

  @Test("what takes away is done also when it cannot be recorded, and says so")
  func takingAway() throws {
    try fixture.install(requestsOpenAccess: true)
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    try fixture.choices.grantOpenAccess(fixture.keyboard, container: .keep, log: fixture.log)
    try fixture.breakLog()
    var unrecorded: [String] = []
    try fixture.choices.revokeOpenAccess(
      fixture.keyboard, log: fixture.log, unrecorded: { unrecorded.append($0) })
    #expect(try fixture.registry.load().openAccess == [])
    try fixture.choices.remove(
      fixture.keyboard, log: nil, unrecorded: { unrecorded.append($0) })
    #expect(try fixture.registry.load().enabledPlugins == [])
    try Files.write("x", to: fixture.paths.privateContainer(fixture.keyboard) + "/x")
    try fixture.choices.empty(
      fixture.keyboard, log: fixture.log, unrecorded: { unrecorded.append($0) })
    #expect(try Files.list(fixture.paths.privateContainer(fixture.keyboard)) == [])
    try fixture.registry.remove(
      "org.example.fixture", keepingData: false, log: fixture.log,
      unrecorded: { unrecorded.append($0) })
    #expect(try fixture.registry.list().apps == [])
    #expect(unrecorded.count == 4)
  }

  @Test("a container that is emptied is another folder, by which a running host knows it")
  func emptied() throws {
    try fixture.install()
    try fixture.choices.add(fixture.keyboard, log: fixture.log)
    for _ in 0..<3 {
      let before = try UserChoices(paths: fixture.paths).configuration(hostVersion: "0")
      try fixture.choices.empty(fixture.keyboard, log: fixture.log)
      let after = try UserChoices(paths: fixture.paths).configuration(hostVersion: "0")
      #expect(before.keyboards[0].launchKey != after.keyboards[0].launchKey)
    }
    #expect(try fixture.events().suffix(3) == ["keyboards", "keyboards", "keyboards"])
  }

  @Test(
    "as root each keyboard has an id of its own, which owns its container and stays its own",
    .enabled(if: Products.isRoot, "needs root"))
  func identities() throws {
    try fixture.install()
    try fixture.install(identifier: "org.example.other")
    let identities = try fixture.registry.load().identities
    #expect(Set(identities.values).count == 2)
    #expect(identities.values.allSatisfy { KeyboardIdentity.range.contains($0) })
    var status = stat()
    stat(fixture.paths.privateContainer(fixture.keyboard), &status)
    #expect(status.st_uid == identities[fixture.keyboard])
    #expect(status.st_mode & 0o7777 == 0o700)
    for folder in ["/keyboards", "/apps"] {
      #expect(Files.mode(fixture.paths.containers + folder) == 0o700)
    }
    stat(fixture.paths.sharedContainer("org.example.fixture"), &status)
    #expect(status.st_uid == 0 && status.st_mode & 0o7777 == 0o755)
    // The settings are lost, the containers are not: nobody gets another's id.
    Files.remove(fixture.paths.settingsFile)
    try fixture.install(identifier: "org.example.other")
    try fixture.install(identifier: "org.example.third")
    let after = try fixture.registry.load().identities
    #expect(after["org.example.other.keyboard"] == identities["org.example.other.keyboard"])
    #expect(
      !identities.values.contains(try #require(after["org.example.third.keyboard"])))
  }

  @Test(
    "as root a folder that a keyboard's id cannot pass through is named",
    .enabled(if: Products.isRoot, "needs root"))
  func unreachable() throws {
    chmod(fixture.home.path, 0o700)
    #expect(
      storeFault { try fixture.install() }.contains(
        "cannot pass through \(fixture.home.path): allow it with `chmod o+x"))
  }
}
