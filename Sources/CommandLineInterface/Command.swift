/// A command as data: what it is called, what it takes, what it says of itself, and what it does.
public struct Command: Sendable {
  /// What a command does: it writes to the console and says how it went. An error it throws is
  /// shown by its description, and the exit code is ``ExitCode/failure``.
  public typealias Action = @Sendable (Invocation, Console) throws -> ExitCode

  public var name: String
  /// One sentence, for the list of commands and the top of the help.
  public var abstract: String
  /// Paragraphs below the usage; empty for none. A paragraph that begins with two spaces is kept
  /// line by line.
  public var discussion: [String]
  public var arguments: [Argument]
  public var options: [Option]
  public var subcommands: [Command]
  /// Nil for a command that only holds others.
  public var action: Action?

  public init(
    _ name: String, abstract: String, discussion: [String] = [], arguments: [Argument] = [],
    options: [Option] = [], action: @escaping Action
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.subcommands = []
    self.action = action
  }

  public init(
    _ name: String, abstract: String, discussion: [String] = [], subcommands: [Command]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = []
    self.options = []
    self.subcommands = subcommands
    self.action = nil
  }
}
