/// A positional argument of a command.
public struct Argument: Sendable {
  /// What stands for it in the help, in capitals; also the key to read it by.
  public var name: String
  /// Whether it may be left out. Only the last arguments may be optional.
  public var isOptional: Bool
  /// Whether any number may be given. Only the last argument may be repeated.
  public var isRepeated: Bool
  /// The only values allowed, when there is such a list.
  public var choices: [String]
  /// One sentence for the help.
  public var abstract: String

  public init(
    _ name: String, isOptional: Bool = false, isRepeated: Bool = false, choices: [String] = [],
    _ abstract: String
  ) {
    self.name = name
    self.isOptional = isOptional
    self.isRepeated = isRepeated
    self.choices = choices
    self.abstract = abstract
  }

  var usage: String {
    let text = isRepeated ? name + "..." : name
    return isOptional ? "[\(text)]" : text
  }
}
