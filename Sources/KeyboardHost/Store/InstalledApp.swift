import PluginManifest

/// A containing app as it lies installed.
public struct InstalledApp: Sendable, Equatable {
  public var manifest: AppManifest
  /// The installed bundle: absolute.
  public var path: String
  /// In the order of ``AppManifest/keyboards``.
  public var keyboards: [InstalledKeyboard]

  init(_ bundle: AppBundle) {
    manifest = bundle.manifest
    path = bundle.path
    keyboards = bundle.keyboards.map { keyboard in
      let place = bundle.path + "/" + keyboard.path
      return InstalledKeyboard(
        manifest: keyboard.manifest, appDisplayName: bundle.manifest.displayName,
        bundlePath: place, executablePath: place + "/" + keyboard.manifest.executable,
        interpreter: keyboard.program.interpreter,
        interpreterArgument: keyboard.program.interpreterArgument,
        settings: bundle.manifest.settings)
    }
  }
}
