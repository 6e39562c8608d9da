import Glibc

/// A program made of a table of commands.
public struct Program: Sendable {
  public var name: String
  public var version: String
  /// One sentence for the top of the help.
  public var abstract: String
  /// Paragraphs for the end of the help.
  public var discussion: [String]
  public var commands: [Command]
  /// What `help` takes besides the names of commands: a word, and the path of the command that is
  /// run with the arguments behind it.
  public var helpTopics: [String: [String]]
  /// Whether an error of a command's own says that the command line is wrong, so that the exit
  /// code does.
  public var isUsageFault: @Sendable (any Error) -> Bool

  public init(
    name: String, version: String, abstract: String, discussion: [String] = [],
    commands: [Command], helpTopics: [String: [String]] = [:],
    isUsageFault: @escaping @Sendable (any Error) -> Bool = { _ in false }
  ) {
    self.name = name
    self.version = version
    self.abstract = abstract
    self.discussion = discussion
    self.commands = commands
    self.helpTopics = helpTopics
    self.isUsageFault = isUsageFault
  }

  /// Runs the command that the arguments ask for.
  /// - Parameter arguments: what stands after the program's name.
  public func run(_ arguments: [String], console: Console = Console()) -> ExitCode {
    do {
      switch try CommandLineParser(program: self).parse(arguments) {
      case .help(let path): try console.print(String(help(for: path).dropLast()))
      case .version: try console.print("\(name) \(version)")
      case .run(let invocation):
        guard let action = command(at: invocation.path)?.action else { return .internalError }
        do { return try action(invocation, console) } catch let error as UsageError {
          throw UsageError(error.message, path: error.path.isEmpty ? invocation.path : error.path)
        } catch  where isUsageFault(error) {
          throw UsageError("\(error)", path: invocation.path)
        }
      }
      return .success
    } catch let error as UsageError {
      let command = ([name] + error.path).joined(separator: " ")
      console.printError("\(name): \(error.message)\n`\(command) --help` tells how to use it.")
      return .usage
    } catch let error as OutputError where error.code == EPIPE {
      // Who reads no more wants no more: as if the signal had come, which a part of the program
      // may have turned off.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
      return .failure
    } catch {
      console.printError("\(name): \(error)")
      return .failure
    }
  }

  /// The help of a command, or of the program for an empty path; ended by a newline.
  public func help(for path: [String]) -> String { HelpText(program: self).text(for: path) }

  /// The command of that path of names.
  public func command(at path: [String]) -> Command? {
    var found: Command?
    var commands = commands
    for name in path {
      found = commands.first { $0.name == name }
      guard let next = found else { return nil }
      commands = next.subcommands
    }
    return found
  }
}
