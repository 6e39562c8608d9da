import CommandLineInterface
import KeyboardHost
import StrictJSON
import TextInput

let settingsCommand = Command(
  "settings", abstract: "Show and change what the system keyboard does by itself.",
  discussion: [
    "Without a key all settings are shown; without a value the one that is in force. What a field "
      + "does not allow stays off in it, whatever is set here. A change holds at once, also for a "
      + "`keyhost` that runs. Settings:"
  ]
    + SystemKeyboardSetting.allCases.map { "  \($0.rawValue) \($0.meaning) Is \($0.values)." },
  arguments: [
    Argument(
      "KEYBOARD", choices: [HostSettings.systemKeyboard], "The keyboard: `system`, the host's own."),
    Argument("KEY", isOptional: true, "The setting."),
    Argument("VALUE", isOptional: true, "Its new value."),
  ],
  options: [.json],
  action: { invocation, console in
    let context = try HostContext()
    let choices = SystemKeyboardChoices(paths: context.paths)
    let setting = try invocation.optionalArgument("KEY").map(
      SystemKeyboardChoices.setting(named:))
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
  })
