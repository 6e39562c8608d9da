import CommandLineInterface
import KeyboardHost
import PluginManifest
import StrictJSON
import TerminalText

/// `keyhost settings` for an app. The exit code is 1 where something of the settings bundle, or of what
/// the user set, cannot be used.
func appSettings(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let choices = AppSettingChoices(paths: context.paths)
  let app = try choices.app(invocation.argument("ID"))
  let key = invocation.optionalArgument("KEY")
  if let key {
    let specifier = try AppSettingChoices.setting(key, of: app)
    if let value = invocation.optionalArgument("VALUE") {
      let text = specifier.isSecure && value == "-" ? console.readLine() ?? "" : value
      try choices.set(key, of: app, to: text, log: try context.openLog())
    }
  }
  if invocation.has("reset") { try choices.reset(key, of: app, log: try context.openLog()) }
  let isChange = invocation.has("reset") || invocation.optionalArgument("VALUE") != nil
  if isChange, !invocation.wantsJSON { return .success }

  let settings = try choices.list(app).filter { key == nil || $0.specifier.key == key }
  let unusable = try choices.unusable(app)
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("app", app.identifier)
      writer.key("settings")
      writer.beginArray()
      for setting in settings { writer.value(setting, showsSecret: key != nil && !isChange) }
      writer.endArray()
      writer.member("faults", strings: app.settings.faults.map(\.description))
      writer.member("unusable", strings: unusable)
      writer.endObject()
    }
  } else if key != nil, let setting = settings.first {
    let text = setting.value.map(setting.specifier.text(of:)) ?? ""
    try console.print(VisibleText.escape(text))
    return .success
  } else {
    try show(settings, of: app, console)
    for fault in app.settings.faults { console.printError("keyhost: left out: \(fault)") }
    for key in unusable {
      console.printError(
        "keyhost: `\(VisibleText.escape(key, limit: 60))` was set to what this version of the app "
          + "cannot use: the default holds")
    }
  }
  return app.settings.faults.isEmpty && unusable.isEmpty ? .success : .failure
}

private func show(_ settings: [AppSetting], of app: AppManifest, _ console: Console) throws {
  if settings.isEmpty {
    try console.print("\(app.displayName) (\(app.identifier)) has no settings.")
  }
  var group: String?
  var rows: [[String]] = []
  func flush() throws {
    try console.printTable(rows)
    rows = []
  }
  for setting in settings {
    let specifier = setting.specifier
    if specifier.group != group {
      try flush()
      group = specifier.group
      if let group, !group.isEmpty { try console.print(VisibleText.escape(group, limit: 200)) }
    }
    func shown(_ value: SettingDefault.Value?) -> String {
      guard let value else { return "(none)" }
      if specifier.isSecure { return "(secret)" }
      return VisibleText.escape(specifier.text(of: value), limit: 60)
    }
    rows.append([
      "  " + specifier.key, shown(setting.value),
      setting.isOwn ? "default \(shown(specifier.defaultValue))" : "default", specifier.values,
      VisibleText.escape(specifier.title, limit: 200),
    ])
  }
  try flush()
}

extension JSONWriter {
  fileprivate mutating func value(_ setting: AppSetting, showsSecret: Bool) {
    let specifier = setting.specifier
    let isHidden = specifier.isSecure && !showsSecret
    beginObject()
    member("key", specifier.key)
    member("title", specifier.title)
    member("group", orNull: specifier.group)
    member("type", specifier.typeName)
    member("isSecure", specifier.isSecure)
    key("values")
    beginArray()
    switch specifier.kind {
    case .choice(let choices), .title(let choices):
      for choice in choices {
        beginObject()
        key("value")
        value(choice.value)
        member("title", choice.title)
        endObject()
      }
    case .toggle(let on, let off):
      for (choice, title) in [(on, "on"), (off, "off")] {
        beginObject()
        key("value")
        value(choice)
        member("title", title)
        endObject()
      }
    case .text, .slider: break
    }
    endArray()
    if case .slider(let range) = specifier.kind {
      member("minimum", range.lowerBound)
      member("maximum", range.upperBound)
    } else {
      key("minimum")
      null()
      key("maximum")
      null()
    }
    key("default")
    value(isHidden ? nil : specifier.defaultValue)
    key("value")
    value(isHidden ? nil : setting.value)
    member("isDefault", !setting.isOwn)
    endObject()
  }

  private mutating func value(_ value: SettingDefault.Value?) {
    switch value {
    case .string(let text): self.value(text)
    case .boolean(let flag): self.value(flag)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .list(let texts):
      beginArray()
      for text in texts { self.value(text) }
      endArray()
    case nil: null()
    }
  }
}
