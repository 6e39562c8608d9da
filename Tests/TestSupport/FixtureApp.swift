/// A containing app made for a test: written as a bundle, right or wrong as the test needs.
public struct FixtureApp: Sendable {
  public var name: String
  public var propertyList: PropertyListText
  public var keyboards: [FixtureKeyboard]
  /// `Settings.bundle/Root.plist`, if any.
  public var settings: PropertyListText?

  public init(
    identifier: String = "org.example.fixture", name: String = "Fixture",
    keyboards: [FixtureKeyboard], settings: PropertyListText? = nil
  ) {
    self.name = name
    self.keyboards = keyboards
    self.settings = settings
    propertyList = .dictionary([
      ("CFBundleIdentifier", .string(identifier)),
      ("CFBundleDisplayName", .string(name)),
      ("CFBundleShortVersionString", .string("1.0")),
    ])
  }

  /// Writes `NAME.app` into the folder and returns its path.
  public func write(to folder: String) throws -> String {
    let app = "\(folder)/\(name).app"
    try Files.makeDirectory("\(app)/PlugIns")
    try Files.write(propertyList.document, to: "\(app)/Info.plist")
    for keyboard in keyboards {
      let bundle = "\(app)/PlugIns/\(keyboard.name).appex"
      try Files.makeDirectory(bundle)
      try Files.write(
        keyboard.propertyListBytes ?? Array(keyboard.propertyList.document.utf8),
        to: "\(bundle)/Info.plist")
      try Files.write(
        keyboard.executable, to: "\(bundle)/\(keyboard.executableName)",
        mode: keyboard.executableMode)
    }
    if let settings {
      try Files.makeDirectory("\(app)/Settings.bundle")
      try Files.write(settings.document, to: "\(app)/Settings.bundle/Root.plist")
    }
    return app
  }
}
