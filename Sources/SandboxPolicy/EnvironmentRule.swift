/// The environment a keyboard starts with: nothing else is passed on.
public struct EnvironmentRule: Sendable, Hashable {
  /// Variables passed on from the host where they are set.
  public var pass: [String]
  /// Variables with a fixed value.
  public var set: [String: String]

  public init(pass: [String] = [], set: [String: String] = [:]) {
    self.pass = pass
    self.set = set
  }

  /// The variables for a keyboard, given the host's own; in alphabetical order.
  public func apply(to host: [String: String]) -> [(name: String, value: String)] {
    var result = set
    for name in pass where result[name] == nil {
      // A locale or a time zone is a short word; anything else is nobody's to pass on.
      if let value = host[name], value.utf8.count <= 128,
        value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      {
        result[name] = value
      }
    }
    return result.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
