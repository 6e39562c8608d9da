import CommandLineInterface
import KeyboardHost
import StrictJSON
import TerminalText

let replacementsCommand = Command(
  "replacements", abstract: "List, add and remove your text replacements.",
  discussion: [
    "Text replacements are part of the lexicon that a keyboard may ask for, and the system keyboard "
      + "puts them in the place of what is typed by its keys. What comes from a hardware keyboard, as "
      + "the input of `keyhost type` does, it changes only with `keyhost settings system hardwareKeys "
      + "on`."
  ],
  subcommands: [
    Command(
      "list", abstract: "List your text replacements.", options: [.json],
      action: { invocation, console in
        try show(try HostContext(), invocation, console)
        return .success
      }),
    Command(
      "add", abstract: "Add a text replacement, or change one.",
      arguments: [
        Argument("INPUT", "What is typed."), Argument("TEXT", "What is put in its place."),
      ],
      options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        let replacement = TextReplacement(
          userInput: invocation.argument("INPUT"), documentText: invocation.argument("TEXT"))
        try TextReplacementChoices(paths: context.paths).add(
          replacement, log: try context.openLog())
        if invocation.wantsJSON { try show(context, invocation, console) }
        return .success
      }),
    Command(
      "import", abstract: "Add the text replacements of a file.",
      discussion: [
        "The file is what `keyhost replacements list --json` printed, or the property list that a Mac "
          + "exports its own to. An entry that cannot be kept is told with its place, and makes the "
          + "exit code 1; the others are added."
      ],
      arguments: [Argument("FILE", "The file.")], options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        var file = try TextReplacementFile(path: invocation.argument("FILE"))
        try file.add(
          to: TextReplacementChoices(paths: context.paths), log: try context.openLog())
        for fault in file.faults {
          console.printError(
            "keyhost: \(VisibleText.escape(invocation.argument("FILE"))): \(fault)")
        }
        if invocation.wantsJSON { try show(context, invocation, console) }
        return file.faults.isEmpty ? .success : .failure
      }),
    Command(
      "remove", abstract: "Remove a text replacement.",
      arguments: [Argument("INPUT", "What is typed.")], options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        try TextReplacementChoices(paths: context.paths).remove(
          invocation.argument("INPUT"), log: try context.openLog())
        if invocation.wantsJSON { try show(context, invocation, console) }
        return .success
      }),
  ])

private func show(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws {
  let replacements = try TextReplacementChoices(paths: context.paths).list()
  guard invocation.wantsJSON else {
    if replacements.isEmpty {
      return try console.print(
        "There are no text replacements: `keyhost replacements add INPUT TEXT` adds one.")
    }
    return try console.printTable(
      replacements.map {
        [VisibleText.escape($0.userInput), VisibleText.escape($0.documentText)]
      })
  }
  try console.printJSON { writer in
    writer.beginObject()
    writer.key("replacements")
    writer.beginArray()
    for replacement in replacements {
      writer.beginObject()
      writer.member("userInput", replacement.userInput)
      writer.member("documentText", replacement.documentText)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
