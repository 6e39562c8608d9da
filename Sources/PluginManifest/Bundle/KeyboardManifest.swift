/// What a keyboard's `Info.plist` says, checked: every value is of the right type, every id and
/// name is safe to show, to use as a file name and to pass as an argument.
public struct KeyboardManifest: Sendable, Equatable {
  /// `CFBundleIdentifier` of the keyboard's own bundle.
  public var identifier: String
  /// `CFBundleIdentifier` of the app that contains the keyboard.
  public var appIdentifier: String
  /// `CFBundleDisplayName`, or `CFBundleName`, or the bundle's name.
  public var displayName: String
  /// `CFBundleShortVersionString`.
  public var version: String
  /// `CFBundleExecutable`: a file name inside the keyboard's bundle, never a path.
  public var executable: String
  /// `NSExtensionPrincipalClass`: kept for authors, of no effect here.
  public var principalClass: String?
  /// Whether the keyboard serves fields that take only ASCII. False when the key is missing.
  public var isASCIICapable: Bool
  /// Whether the keyboard is for a script written from right to left. False when missing.
  public var prefersRightToLeft: Bool
  /// Whether the keyboard asks for open access. False when missing.
  public var requestsOpenAccess: Bool
  /// A BCP 47 language tag such as `en-US`, or `mul`.
  public var primaryLanguage: String?
  /// What the keyboard wants each service for, in its author's words; not safe to show as they are.
  /// Services that are missing cannot be granted.
  public var usageDescriptions: [KeyboardService: String]

  public init(
    identifier: String, appIdentifier: String, displayName: String, version: String,
    executable: String, principalClass: String? = nil, isASCIICapable: Bool = false,
    prefersRightToLeft: Bool = false, requestsOpenAccess: Bool = false,
    primaryLanguage: String? = nil, usageDescriptions: [KeyboardService: String] = [:]
  ) {
    self.identifier = identifier
    self.appIdentifier = appIdentifier
    self.displayName = displayName
    self.version = version
    self.executable = executable
    self.principalClass = principalClass
    self.isASCIICapable = isASCIICapable
    self.prefersRightToLeft = prefersRightToLeft
    self.requestsOpenAccess = requestsOpenAccess
    self.primaryLanguage = primaryLanguage
    self.usageDescriptions = usageDescriptions
  }
}
