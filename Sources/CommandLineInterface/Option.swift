/// A named option of a command: `--name`, or `--name VALUE` and `--name=VALUE`.
public struct Option: Sendable {
  /// The long name without its dashes.
  public var name: String
  /// What stands for the value in the help, in capitals; nil for an option without a value.
  public var valueName: String?
  /// The only values allowed, when there is such a list.
  public var choices: [String]
  /// Whether the option may be given several times.
  public var isRepeatable: Bool
  /// One sentence for the help.
  public var abstract: String

  private init(
    _ name: String, valueName: String?, choices: [String], isRepeatable: Bool, abstract: String
  ) {
    self.name = name
    self.valueName = valueName
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.abstract = abstract
  }

  /// An option without a value.
  public static func flag(_ name: String, _ abstract: String) -> Option {
    Option(name, valueName: nil, choices: [], isRepeatable: false, abstract: abstract)
  }

  /// An option with a value.
  public static func value(
    _ name: String, _ valueName: String, choices: [String] = [], isRepeatable: Bool = false,
    _ abstract: String
  ) -> Option {
    Option(
      name, valueName: valueName, choices: choices, isRepeatable: isRepeatable, abstract: abstract)
  }

  /// `--json` of every command that reports something.
  public static let json = flag("json", "Print JSON, as docs/json-output.md says.")

  var usage: String { valueName.map { "--\(name) \($0)" } ?? "--\(name)" }
}
