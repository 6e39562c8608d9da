import CommandLineInterface
import KeyboardHost
import StrictJSON
import TerminalText

let newCommand = Command(
  "new", abstract: "Make a new keyboard that builds, installs and types.",
  discussion: [
    """
    A folder NAME is made with everything in it: the sources, the bundle's property lists, a \
    Makefile and a README that tells the next steps. Nothing is fetched to build it.
    """
  ],
  arguments: [Argument("NAME", "1 to 40 letters and digits, a letter first.")],
  options: [
    .value(
      "language", "LANGUAGE", choices: KeyboardTemplate.Language.allCases.map(\.rawValue),
      "The language it is written in; must be given."),
    .value("directory", "DIR", "Where the folder goes; the working directory if not given."),
    .value("identifier", "ID", "The id of its app; org.example.NAME if not given."), .json,
  ],
  action: { invocation, console in
    guard
      let language = invocation.value("language").flatMap({
        KeyboardTemplate.Language(rawValue: $0)
      })
    else { throw UsageError("`--language` is missing: `--language=swift` or `--language=python`") }
    let name = invocation.argument("NAME")
    let outcome = try KeyboardTemplate(resources: try InstalledResources()).make(
      name: name, language: language, identifier: invocation.value("identifier"),
      in: invocation.value("directory") ?? ".")
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("path", outcome.path)
        writer.member("language", language.rawValue)
        writer.member("app", outcome.app)
        writer.member("keyboard", outcome.keyboard)
        writer.endObject()
      }
    } else {
      let path = VisibleText.escape(outcome.path)
      try console.print("Made the keyboard \(outcome.keyboard) in \(path).")
      try console.print("To build it and use it: make -C \(word(outcome.path)) install")
    }
    return .success
  })

/// A path as a word of a shell's command.
private func word(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || ("0"..."9").contains($0)
      || "/._-+,:@%".unicodeScalars.contains($0)
  }
  if isPlain { return VisibleText.escape(path) }
  let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(
    separator: "'\\''")
  return VisibleText.escape("'\(quoted)'")
}
