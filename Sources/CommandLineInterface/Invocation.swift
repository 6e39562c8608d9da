/// A command line that was understood: the values of one command.
public struct Invocation: Sendable, Equatable {
  /// The names of the command, from the top: `["apps", "install"]`.
  public var path: [String]
  var optionValues: [String: [String]]
  var argumentValues: [String: [String]]

  init(
    path: [String], optionValues: [String: [String]] = [:],
    argumentValues: [String: [String]] = [:]
  ) {
    self.path = path
    self.optionValues = optionValues
    self.argumentValues = argumentValues
  }

  /// Whether an option was given.
  public func has(_ option: String) -> Bool { optionValues[option] != nil }
  /// The value of an option, the last one when it was given several times.
  public func value(_ option: String) -> String? { optionValues[option]?.last }
  /// All values of a repeatable option, in their order.
  public func values(_ option: String) -> [String] { optionValues[option] ?? [] }
  /// The value of an argument that must be given.
  public func argument(_ name: String) -> String { argumentValues[name]?.first ?? "" }
  /// The value of an argument that may be left out.
  public func optionalArgument(_ name: String) -> String? { argumentValues[name]?.first }
  /// All values of a repeated argument.
  public func arguments(_ name: String) -> [String] { argumentValues[name] ?? [] }
  /// Whether `--json` was given.
  public var wantsJSON: Bool { has("json") }
}
