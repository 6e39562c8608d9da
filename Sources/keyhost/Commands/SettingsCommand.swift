import CommandLineInterface
import KeyboardHost
import StrictJSON
import TextInput

let settingsCommand = Command(
  "settings", abstract: "Show and change the settings of an app's keyboards, and of the system's.",
  discussion: [
    """
    Without a key all settings are shown; without a value the one that is in force. A change holds at \
    once, also for a `keyhost` that runs; --reset goes back to the default, of all settings where no \
    key is given.
    """,
    """
    An app declares its settings in its settings bundle; they belong to the app, and all its keyboards \
    get them. What a secret text holds is shown only when it is asked for by its key; give it as `-` to \
    have it read from the first line of the standard input, since others can see command lines. A value \
    that begins with a dash comes behind `--`.
    """,
    """
    Of `system`, what a field does not allow stays off in it, whatever is set here. Its settings:
    """,
  ]
    + SystemKeyboardSetting.allCases.map { "  \($0.rawValue) \($0.meaning) Is \($0.values)." },
  arguments: [
    Argument(
      "ID",
      "The id of an app or of one of its keyboards, or `system`, the host's own keyboard."),
    Argument("KEY", isOptional: true, "The setting."),
    Argument("VALUE", isOptional: true, "Its new value."),
  ],
  options: [.flag("reset", "Go back to the default."), .json],
  action: { invocation, console in
    if invocation.has("reset"), invocation.optionalArgument("VALUE") != nil {
      throw UsageError("`--reset` takes the default: give no value with it")
    }
    let context = try HostContext()
    return invocation.argument("ID") == HostSettings.systemKeyboard
      ? try systemSettings(context, invocation, console)
      : try appSettings(context, invocation, console)
  })

private func systemSettings(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let choices = SystemKeyboardChoices(paths: context.paths)
  let setting = try invocation.optionalArgument("KEY").map(
    SystemKeyboardChoices.setting(named:))
  if invocation.has("reset") {
    try choices.reset(setting, log: try context.openLog())
    if !invocation.wantsJSON { return .success }
  }
  if let setting, let value = invocation.optionalArgument("VALUE") {
    try choices.set(setting, to: value, log: try context.openLog())
    if !invocation.wantsJSON { return .success }
  }
  let settings = try choices.current()
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("keyboard", HostSettings.systemKeyboard)
      writer.key("settings")
      settings.encode(into: &writer)
      writer.endObject()
    }
  } else if let setting {
    try console.print(setting.value(in: settings))
  } else {
    try console.printTable(
      SystemKeyboardSetting.allCases.map {
        [$0.rawValue, $0.value(in: settings), $0.meaning]
      })
  }
  return .success
}
