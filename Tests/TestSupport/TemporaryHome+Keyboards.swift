extension TemporaryHome {
  /// A home in which keyboards made of scripts are installed and enabled, in their order.
  ///
  /// - Parameter scripts: by the last part of the keyboard's identifier,
  ///   `org.example.fixture.NAME`.
  public convenience init(
    keyboards scripts: KeyValuePairs<String, String>, requestsOpenAccess: Bool = false
  ) throws {
    try self.init()
    let app = try FixtureApp(
      keyboards: scripts.map { name, script in
        FixtureKeyboard(
          identifier: Self.identifier(name), name: name, script: script,
          requestsOpenAccess: requestsOpenAccess)
      }
    ).write(to: work)
    try expectSuccess("apps", "install", app)
    for (name, _) in scripts { try expectSuccess("keyboards", "add", Self.identifier(name)) }
  }

  public static func identifier(_ name: String) -> String { "org.example.fixture.\(name)" }

  /// What a command did that was to succeed, and did not.
  public struct CommandFailure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
  }

  /// Runs `keyhost`, which must end with 0.
  @discardableResult
  public func expectSuccess(_ arguments: String...) throws -> ProgramResult {
    let result = try keyhost.run(arguments)
    guard result.exitCode == 0 else { throw CommandFailure(description: "\(arguments): \(result)") }
    return result
  }

  /// Where a keyboard's private container lies.
  public func container(_ name: String) -> String {
    "\(path)/data/keyhost/containers/keyboards/\(Self.identifier(name))"
  }
}
