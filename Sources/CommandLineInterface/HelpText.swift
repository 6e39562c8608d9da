/// Writes help texts, at most 80 columns wide.
struct HelpText {
  static let width = 80
  let program: Program

  /// The help of the program itself, for an empty path, or of a command.
  func text(for path: [String]) -> String {
    guard let command = program.command(at: path) else { return programText }
    let name = ([program.name] + path).joined(separator: " ")
    var blocks: [String] = []
    if command.action == nil {
      blocks.append("Usage: \(name) COMMAND")
    } else {
      let parts =
        command.arguments.map(\.usage) + command.options.map { "[\($0.usage)]" }
      blocks.append(
        Self.wrap(([name] + parts).filter { !$0.isEmpty }, first: "Usage: ", next: "         "))
    }
    blocks.append(Self.wrap(command.abstract))
    blocks += Self.paragraphs(command.discussion)
    if !command.subcommands.isEmpty {
      let rows = command.subcommands.map { ($0.name, $0.abstract) }
      blocks.append(Self.table("Commands:", rows))
      blocks.append("`\(name) COMMAND --help` tells more of each.")
      return blocks.joined(separator: "\n\n") + "\n"
    }
    if !command.arguments.isEmpty {
      blocks.append(
        Self.table(
          "Arguments:", command.arguments.map { ($0.name, Self.abstract($0.abstract, $0.choices)) })
      )
    }
    let options =
      command.options.map { ($0.usage, Self.abstract($0.abstract, $0.choices)) }
      + [("--help", "Print this help.")]
    blocks.append(Self.table("Options:", options))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var programText: String {
    var blocks = ["Usage: \(program.name) COMMAND", Self.wrap(program.abstract)]
    let rows = program.commands.map { ($0.name, $0.abstract) } + [("help", "Print help.")]
    blocks.append(Self.table("Commands:", rows))
    blocks.append(
      Self.table(
        "Options:", [("--help", "Print this help."), ("--version", "Print the version.")]))
    blocks += Self.paragraphs(program.discussion)
    blocks.append("`\(program.name) help COMMAND` tells more of each.")
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func abstract(_ text: String, _ choices: [String]) -> String {
    choices.isEmpty ? text : text + " One of: " + choices.joined(separator: ", ") + "."
  }

  /// Wrapped paragraphs; indented ones in a row are the lines of one, kept as they are.
  private static func paragraphs(_ texts: [String]) -> [String] {
    var blocks: [String] = []
    var isIndented = false
    for text in texts {
      if text.hasPrefix("  "), isIndented {
        blocks[blocks.count - 1] += "\n" + text
      } else {
        blocks.append(text.hasPrefix("  ") ? text : wrap(text))
      }
      isIndented = text.hasPrefix("  ")
    }
    return blocks
  }

  private static func table(_ title: String, _ rows: [(String, String)]) -> String {
    let column = min(24, rows.map(\.0.count).max() ?? 0) + 4
    let indent = String(repeating: " ", count: column)
    let lines = rows.map { name, text in
      let start = "  " + name
      if start.count + 2 > column {
        return start + "\n" + wrap(words(text), first: indent, next: indent)
      }
      let padded = start + String(repeating: " ", count: column - start.count)
      return wrap(words(text), first: padded, next: indent)
    }
    return ([title] + lines).joined(separator: "\n")
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  private static func wrap(_ text: String) -> String { wrap(words(text), first: "", next: "") }

  private static func wrap(_ words: [String], first: String, next: String) -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in words {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = next
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
