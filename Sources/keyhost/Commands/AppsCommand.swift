import CommandLineInterface
import KeyboardHost
import PluginManifest
import StrictJSON
import TerminalText

let appsCommand = Command(
  "apps", abstract: "Install, list and remove containing apps with keyboards in them.",
  subcommands: [
    Command(
      "install", abstract: "Install an app's bundle, or a new version of one.",
      discussion: [
        """
        The whole bundle is checked and copied; if anything is wrong, nothing is installed and the \
        file at fault is named. Installing enables no keyboard: `keyhost keyboards add` does.
        """,
        """
        A new version keeps the keyboards' places in the list. A keyboard that asks for open access, \
        which the version before did not, is taken out of the list until you add it again, and has \
        no access unless you grant it.
        """,
      ],
      arguments: [Argument("BUNDLE", "The bundle: a folder `Name.app`.")], options: [.json],
      action: installApp),
    Command(
      "list", abstract: "List the installed apps and their keyboards.", options: [.json],
      action: listApps),
    Command(
      "remove", abstract: "Remove an app, its keyboards and what they stored.",
      arguments: [Argument("APP", "The app's id, as `keyhost apps list` shows it.")],
      options: [
        .flag(
          "keep-data",
          "Keep what its keyboards stored, for a later installation of this app. Removing it again "
            + "without this removes that as well."), .json,
      ],
      action: removeApp),
  ])

@Sendable private func installApp(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let context = try HostContext()
  let outcome = try context.registry.install(
    from: invocation.argument("BUNDLE"), log: try context.openLog())
  let manifest = outcome.app.manifest
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.key("app")
      writer.value(outcome.app)
      writer.member("replacedVersion", orNull: outcome.replacedVersion)
      writer.member("newlyRequestOpenAccess", strings: outcome.newlyRequestOpenAccess)
      writer.key("disabled")
      writer.beginArray()
      for keyboard in outcome.disabled {
        writer.beginObject()
        writer.member("identifier", keyboard.identifier)
        writer.member("position", keyboard.position)
        writer.endObject()
      }
      writer.endArray()
      writer.member("lostOpenAccess", strings: outcome.lostOpenAccess)
      writer.member("resetSettings", strings: outcome.resetSettings)
      writer.member("settingsFaults", strings: manifest.settings.faults.map(\.description))
      writer.endObject()
    }
    return .success
  }
  let replaced = outcome.replacedVersion.map { ", in place of version \($0)" } ?? ""
  try console.print(
    "Installed \(manifest.displayName) (\(manifest.identifier)) version \(manifest.version)"
      + "\(replaced).")
  for keyboard in outcome.newlyRequestOpenAccess {
    try console.print("The keyboard \(keyboard) now asks for open access, which it does not have.")
  }
  let disabled = outcome.disabled.map(\.identifier)
  for keyboard in outcome.disabled {
    try console.print(
      """
      The keyboard \(keyboard.identifier) was taken out of the list: you had chosen a version that \
      did not ask for open access.
      To use it again without: keyhost keyboards add \(keyboard.identifier) --position \
      \(keyboard.position)
      To grant it then: keyhost grant \(keyboard.identifier) open-access
      """)
  }
  for keyboard in outcome.lostOpenAccess {
    try console.print("The open access of the keyboard \(keyboard) has ended.")
  }
  for key in outcome.resetSettings {
    try console.print(
      "What you had set for `\(VisibleText.escape(key, limit: 60))` has ended: this version does not "
        + "have that setting, or not with that value.")
  }
  for fault in manifest.settings.faults {
    console.printError("keyhost: a setting is left out: \(fault)")
  }
  let enabled = Set(
    try context.choices.list().filter(\.isEnabled).map(\.identifier))
  for keyboard in manifest.keyboards
  where !enabled.contains(keyboard.identifier) && !disabled.contains(keyboard.identifier) {
    try console.print("To use it: keyhost keyboards add \(keyboard.identifier)")
  }
  return .success
}

@Sendable private func listApps(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let listing = try HostContext().registry.list()
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.key("apps")
      writer.beginArray()
      for app in listing.apps { writer.value(app) }
      writer.endArray()
      writer.key("faults")
      writer.beginArray()
      for fault in listing.faults {
        writer.beginObject()
        writer.member("app", fault.app)
        writer.member("file", fault.error.file)
        writer.member("message", fault.error.message)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  } else {
    if listing.apps.isEmpty, listing.faults.isEmpty { try console.print("No app is installed.") }
    try console.printTable(
      listing.apps.flatMap { app in
        [[app.manifest.identifier, app.manifest.version, app.manifest.displayName]]
          + app.manifest.keyboards.map { ["  " + $0.identifier, $0.version, $0.displayName] }
      })
    for fault in listing.faults {
      console.printError("keyhost: the app \(fault.app) cannot be used: \(fault.error)")
    }
  }
  return listing.faults.isEmpty ? .success : .failure
}

@Sendable private func removeApp(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let context = try HostContext()
  let app = invocation.argument("APP")
  let keepsData = invocation.has("keep-data")
  let keyboards = try context.takeAway(console) { log, unrecorded throws(StoreError) in
    try context.registry.remove(
      app, keepingData: keepsData, log: log, unrecorded: unrecorded)
  }
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("app", app)
      writer.member("keyboards", strings: keyboards)
      writer.member("keptData", keepsData)
      writer.endObject()
    }
  } else {
    try console.print("Removed \(app)\(keepsData ? ", keeping what it stored" : "").")
  }
  return .success
}

extension JSONWriter {
  fileprivate mutating func value(_ app: InstalledApp) {
    beginObject()
    member("identifier", app.manifest.identifier)
    member("displayName", app.manifest.displayName)
    member("version", app.manifest.version)
    member("path", app.path)
    key("keyboards")
    beginArray()
    for keyboard in app.keyboards {
      let manifest = keyboard.manifest
      beginObject()
      member("identifier", manifest.identifier)
      member("displayName", manifest.displayName)
      member("version", manifest.version)
      member("executable", keyboard.executablePath)
      member("interpreter", orNull: keyboard.interpreter)
      member("isASCIICapable", manifest.isASCIICapable)
      member("prefersRightToLeft", manifest.prefersRightToLeft)
      member("primaryLanguage", orNull: manifest.primaryLanguage)
      member("requestsOpenAccess", manifest.requestsOpenAccess)
      endObject()
    }
    endArray()
    endObject()
  }
}
