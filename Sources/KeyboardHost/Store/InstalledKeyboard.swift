import PluginManifest

/// A keyboard as it lies installed: what is needed to start it.
public struct InstalledKeyboard: Sendable, Equatable {
  public var manifest: KeyboardManifest
  /// The containing app's display name.
  public var appDisplayName: String
  /// The keyboard's own bundle, `…/Name.app/PlugIns/Name.appex`: absolute.
  public var bundlePath: String
  /// The program inside the bundle: absolute.
  public var executablePath: String
  /// For a script, its interpreter's absolute path below `/usr/bin`; nil for an ELF program.
  public var interpreter: String?
  /// The one argument on a script's first line, after the interpreter.
  public var interpreterArgument: String?
  /// What the app's settings bundle declares.
  public var settings: SettingsSchema

  public init(
    manifest: KeyboardManifest, appDisplayName: String, bundlePath: String,
    executablePath: String, interpreter: String?, interpreterArgument: String? = nil,
    settings: SettingsSchema = SettingsSchema()
  ) {
    self.manifest = manifest
    self.appDisplayName = appDisplayName
    self.bundlePath = bundlePath
    self.executablePath = executablePath
    self.interpreter = interpreter
    self.interpreterArgument = interpreterArgument
    self.settings = settings
  }
}
