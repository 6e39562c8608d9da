import CommandLineInterface
import KeyboardHost
import StrictJSON
import TerminalText

private let keyboardArgument = Argument(
  "KEYBOARD", "The keyboard's id, as `keyhost keyboards list` shows it.")

let keyboardsCommand = Command(
  "keyboards", abstract: "Choose which keyboards are used, and in which order.",
  discussion: [
    """
    A field gets the first keyboard of the list, and the globe key goes from each to the next, \
    around the end to the first. `system`, the host's own, has its place among them: move it to \
    position 1 and it types until another is chosen. Whatever the order, it serves the fields that \
    refuse the others.
    """
  ],
  subcommands: [
    Command(
      "list", abstract: "List the keyboards in their order, then those that are not used.",
      options: [.json],
      action: { invocation, console in
        try show(try HostContext(), invocation, console)
        return .success
      }),
    Command(
      "add", abstract: "Use an installed keyboard.", arguments: [keyboardArgument],
      options: [
        .value(
          "position", "N",
          "Its place in the list, from 1; if not given the end, before `system` where that is last."
        ),
        .json,
      ],
      action: { invocation, console in
        let context = try HostContext()
        try context.choices.add(
          invocation.argument("KEYBOARD"),
          position: try invocation.value("position").map { try position($0) },
          log: try context.openLog())
        try show(context, invocation, console)
        return .success
      }),
    Command(
      "remove", abstract: "Use a keyboard no more; it stays installed.",
      arguments: [keyboardArgument], options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        try context.takeAway(console) { log, unrecorded throws(StoreError) in
          try context.choices.remove(
            invocation.argument("KEYBOARD"), log: log, unrecorded: unrecorded)
        }
        try show(context, invocation, console)
        return .success
      }),
    Command(
      "how-to", abstract: "Say how a keyboard is put to use, with its app's own words.",
      discussion: ["`keyhost help enable KEYBOARD` says the same."],
      arguments: [keyboardArgument], options: [.json],
      action: { invocation, console in
        try howTo(try HostContext(), invocation, console)
        return .success
      }),
    Command(
      "empty", abstract: "Empty a keyboard's private container, with all that it has kept.",
      discussion: [
        """
        A keyboard that keeps more than its quota is ended, and not started again until this was \
        done. What it learned is lost. One that runs is ended and started anew.
        """
      ],
      arguments: [keyboardArgument], options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        let keyboard = invocation.argument("KEYBOARD")
        try context.takeAway(console) { log, unrecorded throws(StoreError) in
          try context.choices.empty(keyboard, log: log, unrecorded: unrecorded)
        }
        if invocation.wantsJSON {
          try show(context, invocation, console)
        } else {
          try console.print("The private container of \(keyboard) is empty.")
        }
        return .success
      }),
    Command(
      "move", abstract: "Move a keyboard to another place in the list.",
      arguments: [keyboardArgument, Argument("POSITION", "The new place, from 1.")],
      options: [.json],
      action: { invocation, console in
        let context = try HostContext()
        try context.choices.move(
          invocation.argument("KEYBOARD"), to: try position(invocation.argument("POSITION")),
          log: try context.openLog())
        try show(context, invocation, console)
        return .success
      }),
  ])

private func position(_ text: String) throws(UsageError) -> Int {
  guard let number = Int(text), number > 0 else {
    throw UsageError("a position is a number from 1, not `\(text.prefix(40))`")
  }
  return number
}

private func show(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws {
  let keyboards = try context.choices.list()
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.key("keyboards")
      writer.beginArray()
      for (index, keyboard) in keyboards.enumerated() {
        writer.beginObject()
        writer.member("identifier", keyboard.identifier)
        writer.member("displayName", orNull: keyboard.displayName)
        writer.member("app", orNull: keyboard.app)
        writer.key("position")
        if keyboard.isEnabled { writer.value(index + 1) } else { writer.null() }
        writer.member("isInstalled", keyboard.isInstalled)
        writer.member("damage", orNull: keyboard.damage)
        writer.member("requestsOpenAccess", keyboard.requestsOpenAccess)
        writer.member("hasOpenAccess", keyboard.hasOpenAccess)
        writer.member("allowedHosts", strings: keyboard.allowedHosts)
        writer.member("services", strings: keyboard.services)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    return
  }
  try console.printTable(
    keyboards.enumerated().map { index, keyboard in
      var note = ""
      if let damage = keyboard.damage {
        note = damage
      } else if !keyboard.isInstalled {
        note = "not installed"
      } else if keyboard.hasOpenAccess {
        note = (["open access"] + keyboard.services + keyboard.allowedHosts).joined(separator: ", ")
      } else if keyboard.requestsOpenAccess {
        note = "asks for open access"
      }
      return [
        keyboard.isEnabled ? String(index + 1) : "-", keyboard.identifier,
        keyboard.displayName ?? "?", note,
      ]
    })
}

private func howTo(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws {
  let keyboard = invocation.argument("KEYBOARD")
  guard
    let app = try context.registry.list().apps.first(where: { app in
      app.keyboards.contains { $0.manifest.identifier == keyboard }
    })
  else {
    throw StoreError(
      .refused,
      "no keyboard `\(keyboard)` is installed: `keyhost keyboards list` shows those that are")
  }
  let howTo = HowTo(app: app)
  let steps = ["keyhost keyboards add \(keyboard)", "keyhost keyboards move \(keyboard) 1"]
  if invocation.wantsJSON {
    return try console.printJSON { writer in
      writer.beginObject()
      writer.member("keyboard", keyboard)
      writer.member("commands", strings: steps)
      writer.member("howTo", orNull: howTo.text)
      writer.endObject()
    }
  }
  try console.print("To use it, and to have it before the others:")
  for step in steps { try console.print("  " + step) }
  try console.print("The globe key (F2 in `keyhost play`) goes on to the next.")
  if let fault = howTo.fault { console.printError("keyhost: \(VisibleText.escape(fault))") }
  guard let text = howTo.text else { return }
  try console.print("The words of \(VisibleText.escape(app.manifest.displayName)):")
  for line in text.trimmingNewlines().split(separator: "\n", omittingEmptySubsequences: false) {
    try console.print(line.isEmpty ? "" : "  " + VisibleText.escape(String(line)))
  }
}

extension String {
  /// Without the ends of lines that a text file ends with.
  fileprivate func trimmingNewlines() -> Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
