/// A keyboard inside a ``FixtureApp``: a script or a program, and its property list.
public struct FixtureKeyboard: Sendable {
  public var name: String
  public var executableName: String
  public var executable: [UInt8]
  public var executableMode: UInt32 = 0o755
  public var propertyList: PropertyListText
  /// The property list's bytes when they are not to be made from `propertyList`.
  public var propertyListBytes: [UInt8]?

  /// A keyboard that runs a script, first line and all.
  public init(
    identifier: String = "org.example.fixture.keyboard", name: String = "FixtureKeyboard",
    script: String, isASCIICapable: Bool = true, requestsOpenAccess: Bool = false
  ) {
    self.init(
      identifier: identifier, name: name, executable: Array(script.utf8),
      isASCIICapable: isASCIICapable, requestsOpenAccess: requestsOpenAccess)
  }

  /// A keyboard that runs a program.
  public init(
    identifier: String = "org.example.fixture.keyboard", name: String = "FixtureKeyboard",
    executable: [UInt8], isASCIICapable: Bool = true, requestsOpenAccess: Bool = false
  ) {
    self.name = name
    executableName = name
    self.executable = executable
    propertyList = .dictionary([
      ("CFBundleIdentifier", .string(identifier)),
      ("CFBundleExecutable", .string(name)),
      ("CFBundleDisplayName", .string(name)),
      ("CFBundleShortVersionString", .string("1.0")),
      (
        "NSExtension",
        .dictionary([
          ("NSExtensionPointIdentifier", .string("com.apple.keyboard-service")),
          ("NSExtensionPrincipalClass", .string("KeyboardViewController")),
          (
            "NSExtensionAttributes",
            .dictionary([
              ("IsASCIICapable", .boolean(isASCIICapable)),
              ("PrefersRightToLeft", .boolean(false)),
              ("PrimaryLanguage", .string("en-US")),
              ("RequestsOpenAccess", .boolean(requestsOpenAccess)),
            ])
          ),
        ])
      ),
    ])
  }

  /// Replaces a member of `NSExtensionAttributes`; nil leaves it out.
  public mutating func setAttribute(_ key: String, to value: PropertyListText?) {
    guard let container = propertyList["NSExtension"],
      let attributes = container["NSExtensionAttributes"]
    else { return }
    propertyList = propertyList.setting(
      "NSExtension",
      to: container.setting("NSExtensionAttributes", to: attributes.setting(key, to: value)))
  }
}
