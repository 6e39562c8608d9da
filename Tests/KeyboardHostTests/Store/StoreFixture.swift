import Glibc
import TestSupport

@testable import KeyboardHost

/// A home with a registry, choices and an audit log of its own.
final class StoreFixture {
  let home: TemporaryHome
  let paths: HostPaths
  let registry: AppRegistry
  let choices: KeyboardChoices
  let log: AuditLog
  /// The keyboard of ``install(version:requestsOpenAccess:identifier:)``.
  let keyboard = "org.example.fixture.keyboard"

  init() throws {
    home = try TemporaryHome()
    paths = try HostPaths(environment: home.environment)
    registry = AppRegistry(paths: paths)
    choices = KeyboardChoices(paths: paths)
    log = try AuditLog(path: paths.auditLog)
  }

  func bundle(
    identifier: String = "org.example.fixture", version: String = "1.0",
    requestsOpenAccess: Bool = false, script: String = "#!/usr/bin/python3\n",
    language: String = "en-US"
  ) throws -> String {
    let folder = home.work + "/" + String(UInt32.random(in: 0 ... .max))
    try Files.makeDirectory(folder)
    var keyboard = FixtureKeyboard(
      identifier: identifier + ".keyboard", script: script, requestsOpenAccess: requestsOpenAccess)
    keyboard.setAttribute("PrimaryLanguage", to: .string(language))
    var app = FixtureApp(identifier: identifier, keyboards: [keyboard])
    app.propertyList = app.propertyList.setting(
      "CFBundleShortVersionString", to: .string(version))
    return try app.write(to: folder)
  }

  @discardableResult func install(
    identifier: String = "org.example.fixture", version: String = "1.0",
    requestsOpenAccess: Bool = false, language: String = "en-US"
  ) throws -> InstallOutcome {
    try registry.install(
      from: try bundle(
        identifier: identifier, version: version, requestsOpenAccess: requestsOpenAccess,
        language: language),
      log: log)
  }

  /// The names of all events in the log.
  func events() throws -> [String] {
    var reader = AuditLogReader(path: paths.auditLog)
    var events: [String] = []
    try reader.read { item in
      if case .record(let record) = item { events.append(record.event) } else { events.append("?") }
    }
    return events
  }

  /// Makes every write of an audit line fail, also for root: the log becomes a folder.
  func breakLog() throws {
    Files.remove(paths.auditLog)
    try Files.makeDirectory(paths.auditLog)
  }
}

/// The message of the store's error, or what came instead.
func storeFault<Result>(_ body: () throws -> Result) -> String {
  do {
    return "no error: \(try body())"
  } catch { return "\(error)" }
}
