import TerminalText

/// Understands a command line by a program's table of commands.
struct CommandLineParser {
  enum Outcome: Equatable {
    case run(Invocation)
    case help([String])
    case version
  }

  let program: Program

  /// - Parameter arguments: what stands after the program's name.
  func parse(_ arguments: [String]) throws(UsageError) -> Outcome {
    var rest = arguments[...]
    var path: [String] = []
    var commands = program.commands
    while let word = rest.first {
      if word == "--help" || word == "-h" { return .help(path) }
      if path.isEmpty, word == "--version" { return .version }
      if word.hasPrefix("-"), word != "-" {
        throw UsageError(
          "unknown option \(Self.quoted(word))"
            + (path.isEmpty ? "" : ", or it stands before the subcommand"), path: path)
      }
      if path.isEmpty, word == "help" {
        let words = rest.dropFirst()
        if let topic = words.first.flatMap({ program.helpTopics[$0] }),
          let command = program.command(at: topic)
        {
          return try parse(Array(words.dropFirst()), of: command, path: topic)
        }
        return try help(for: Array(words))
      }
      guard let command = commands.first(where: { $0.name == word }) else {
        let names = commands.map(\.name) + (path.isEmpty ? ["help"] : [])
        throw UsageError(
          "unknown command \(Self.quoted(word))" + Self.suggestion(for: word, among: names),
          path: path)
      }
      rest.removeFirst()
      path.append(word)
      if command.action != nil { return try parse(Array(rest), of: command, path: path) }
      commands = command.subcommands
    }
    let names = commands.map { Self.quoted($0.name) }.joined(separator: ", ")
    throw UsageError(
      path.isEmpty ? "a command is missing" : "a subcommand is missing: one of \(names)",
      path: path)
  }

  private func help(for words: [String]) throws(UsageError) -> Outcome {
    var commands = program.commands
    var path: [String] = []
    for word in words {
      if word == "--help" || word == "-h" || (path.isEmpty && word == "help") { continue }
      guard let command = commands.first(where: { $0.name == word }) else {
        throw UsageError(
          "unknown command \(Self.quoted(word))"
            + Self.suggestion(
              for: word,
              among: commands.map(\.name) + (path.isEmpty ? program.helpTopics.keys.sorted() : [])),
          path: path)
      }
      path.append(word)
      commands = command.subcommands
    }
    return .help(path)
  }

  private func parse(
    _ arguments: [String], of command: Command, path: [String]
  ) throws(UsageError) -> Outcome {
    var invocation = Invocation(path: path)
    var positional: [String] = []
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      if word == "--" {
        positional += arguments[index...]
        break
      }
      guard Self.isOption(word) else {
        positional.append(word)
        continue
      }
      if word == "--help" || word == "-h" { return .help(path) }
      let name = String(word.prefix { $0 != "=" })
      let attached = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
      guard let option = command.options.first(where: { "--" + $0.name == name }) else {
        let names = command.options.map { "--" + $0.name } + ["--help"]
        throw UsageError(
          "unknown option \(Self.quoted(name))" + Self.suggestion(for: name, among: names),
          path: path)
      }
      var value = ""
      if let valueName = option.valueName {
        if let attached {
          value = attached
        } else if index < arguments.count, !Self.isOption(arguments[index]) {
          value = arguments[index]
          index += 1
        } else {
          throw UsageError(
            "`\(name)` needs a value: write `\(name)=\(valueName)`", path: path)
        }
        try Self.check(value, of: "`\(name)`", choices: option.choices, path: path)
      } else if attached != nil {
        throw UsageError("`\(name)` takes no value", path: path)
      }
      if invocation.optionValues[option.name] != nil, !option.isRepeatable {
        throw UsageError("`\(name)` is given twice", path: path)
      }
      invocation.optionValues[option.name, default: []].append(value)
    }
    invocation.argumentValues = try assign(positional, to: command, path: path)
    return .run(invocation)
  }

  private func assign(
    _ positional: [String], to command: Command, path: [String]
  ) throws(UsageError) -> [String: [String]] {
    var rest = positional[...]
    var values: [String: [String]] = [:]
    for argument in command.arguments {
      guard let value = rest.popFirst() else {
        if argument.isOptional { break }
        throw UsageError("the argument \(argument.name) is missing", path: path)
      }
      let all = argument.isRepeated ? [value] + rest : [value]
      if argument.isRepeated { rest = [] }
      for value in all {
        try Self.check(value, of: argument.name, choices: argument.choices, path: path)
      }
      values[argument.name] = all
    }
    if let extra = rest.first {
      throw UsageError("unexpected argument \(Self.quoted(extra))", path: path)
    }
    return values
  }

  /// A dash before digits is a number below zero, which the command itself has to judge.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    return !word.utf8.dropFirst().allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
  }

  private static func check(
    _ value: String, of what: String, choices: [String], path: [String]
  ) throws(UsageError) {
    guard !choices.isEmpty, !choices.contains(value) else { return }
    let list = choices.map { "`\($0)`" }.joined(separator: ", ")
    throw UsageError(
      "\(what) is \(quoted(value)), which is not one of \(list)"
        + suggestion(for: value, among: choices), path: path)
  }

  static func quoted(_ text: String) -> String { "`\(VisibleText.escape(text, limit: 80))`" }

  private static func suggestion(for word: String, among names: [String]) -> String {
    guard let name = NearName.nearest(to: word, among: names) else { return "" }
    return "; did you mean `\(name)`?"
  }
}
