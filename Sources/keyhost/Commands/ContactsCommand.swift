import CommandLineInterface
import KeyboardHost
import StrictJSON
import TerminalText

let contactsCommand = Command(
  "contacts", abstract: "Say whose names are part of the lexicon.",
  discussion: [
    "The lexicon, which every keyboard may ask for and the system keyboard suggests from, has the "
      + "first and last names, unpaired, of the vCards in these folders, and nothing else of them. "
      + "There are none at first. khard and vdirsyncer keep one vCard a file; folders in a folder "
      + "are read as well. The exit code of `list` is 1 if something cannot be read."
  ],
  subcommands: [
    Command(
      "list", abstract: "List the folders and how many names they have.", options: [.json],
      action: { invocation, console in try show(try HostContext(), invocation, console) }),
    Command(
      "add", abstract: "Read names from a folder.",
      arguments: [Argument("FOLDER", "Its path.")],
      action: { invocation, _ in
        let context = try HostContext()
        try ContactFolders(paths: context.paths).add(
          invocation.argument("FOLDER"), log: try context.openLog())
        return .success
      }),
    Command(
      "remove", abstract: "Read names from a folder no longer.",
      arguments: [Argument("FOLDER", "Its path as it was added.")],
      action: { invocation, _ in
        let context = try HostContext()
        try ContactFolders(paths: context.paths).remove(
          invocation.argument("FOLDER"), log: try context.openLog())
        return .success
      }),
  ])

private func show(
  _ context: HostContext, _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let folders = try ContactFolders(paths: context.paths).list()
  let read = folders.map { ContactNames(folders: [$0]) }
  let isWhole = read.allSatisfy { $0.faults.isEmpty }
  guard invocation.wantsJSON else {
    if folders.isEmpty {
      try console.print("Names are read from no folder: `keyhost contacts add FOLDER` adds one.")
    }
    try console.printTable(
      zip(folders, read).map { [VisibleText.escape($0), "\($1.names.count) names"] })
    for fault in read.flatMap(\.faults) { console.printError("keyhost: \(fault)") }
    return isWhole ? .success : .failure
  }
  try console.printJSON { writer in
    writer.beginObject()
    writer.key("folders")
    writer.beginArray()
    for (folder, read) in zip(folders, read) {
      writer.beginObject()
      writer.member("path", folder)
      writer.member("names", read.names.count)
      writer.member("faults", strings: read.faults)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
  return isWhole ? .success : .failure
}
