import Glibc
import LinuxSystem

/// A containing app's bundle, checked: `Name.app/Info.plist`, `Name.app/PlugIns/*.appex`.
public struct AppBundle: Sendable, Equatable {
  /// One keyboard inside the bundle.
  public struct Keyboard: Sendable, Equatable {
    public var manifest: KeyboardManifest
    /// The keyboard's own bundle, relative to the app's: `PlugIns/Name.appex`.
    public var path: String
    public var program: PluginProgram
  }

  /// The bundle's absolute path.
  public let path: String
  public let manifest: AppManifest
  /// In the order of ``AppManifest/keyboards``.
  public let keyboards: [Keyboard]

  /// Reads a bundle where it lies and checks all of it, every file included.
  public init(validating path: String) throws(BundleError) {
    let source = try Self.open(path)
    var walk = BundleWalk()
    try walk.walk(source, into: NoSink())
    try self.init(folder: source)
  }

  /// Reads a bundle whose files were checked before, such as an installed one.
  public init(reading path: String) throws(BundleError) {
    try self.init(folder: try Self.open(path))
  }

  /// Copies a bundle into an empty folder, checking every file on the way, and then checks the
  /// copy: whatever happens to the source meanwhile, the copy is what was checked.
  package init(
    copying path: String, into folder: consuming DirectoryHandle
  ) throws(BundleError) {
    let source = try Self.open(path)
    let target = folder.path
    let sink = CopySink(folder: folder)
    var walk = BundleWalk()
    try walk.walk(source, into: sink)
    // Once for all files: one by one, thousands of small ones take most of a minute.
    try BundleWalk.attempt("") { () throws(FileError) in try sink.folder.synchronizeFileSystem() }
    try self.init(folder: try Self.open(target, isCopy: true))
  }

  private static func open(
    _ path: String, isCopy: Bool = false
  ) throws(BundleError) -> DirectoryHandle {
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard isCopy || trimmed.hasSuffix(".app") else {
      throw BundleError(file: path, message: "a containing app's bundle is a folder `Name.app`")
    }
    if !trimmed.hasPrefix("/") {
      trimmed = (DirectoryHandle.workingDirectory.map { $0 + "/" } ?? "") + trimmed
    }
    do { return try DirectoryHandle(path: trimmed) } catch {
      switch error.code {
      case ENOTDIR, ELOOP:
        throw BundleError(file: path, message: "it is not a folder, or is a link to one")
      default: throw BundleError(file: path, cause: error)
      }
    }
  }

  private init(folder: borrowing DirectoryHandle) throws(BundleError) {
    let info = try Self.propertyList("Info.plist", in: folder, at: "")
    let reader = try ManifestReader(file: "Info.plist", bytes: info)
    let identifier = try reader.identifier("CFBundleIdentifier")
    var manifest = AppManifest(
      identifier: identifier, displayName: try reader.displayName(),
      version: try reader.name("CFBundleShortVersionString"), keyboards: [])
    manifest.settings = try Self.settings(in: folder)
    let keyboards = try Self.keyboards(in: folder, app: identifier)
    manifest.keyboards = keyboards.map(\.manifest)
    self.path = folder.path
    self.manifest = manifest
    self.keyboards = keyboards
  }

  private static func keyboards(
    in folder: borrowing DirectoryHandle, app: String
  ) throws(BundleError) -> [Keyboard] {
    let explain: (Int32) -> String? = {
      $0 == ENOENT ? "it is missing: the app contains no keyboard" : nil
    }
    let plugIns = try BundleWalk.attempt("PlugIns", explain: explain) { () throws(FileError) in
      try folder.openDirectory("PlugIns")
    }
    var found: [Keyboard] = []
    var files: [String: String] = [:]
    let names = try BundleWalk.attempt("PlugIns") { () throws(FileError) in try plugIns.names() }
    var left = BundleLimits.keyboardPropertyListBytes
    for name in names {
      guard let text = name.string, text.hasSuffix(".appex") else { continue }
      let place = "PlugIns/" + text
      let inner = try BundleWalk.attempt(place) { () throws(FileError) in
        try plugIns.openDirectory(name)
      }
      let keyboard = try self.keyboard(in: inner, at: place, app: app, bytesLeft: &left)
      // On the phone ids are compared without regard to case.
      let key = keyboard.manifest.identifier.lowercased()
      if let other = files[key] {
        throw BundleError(
          file: place + "/Info.plist",
          message: "`CFBundleIdentifier` is \(quoted(keyboard.manifest.identifier)), which "
            + "\(other) has as well")
      }
      files[key] = place + "/Info.plist"
      found.append(keyboard)
      guard found.count <= BundleLimits.keyboards else {
        throw BundleError(
          file: "PlugIns", message: "it holds more than \(BundleLimits.keyboards) keyboards")
      }
    }
    guard !found.isEmpty else {
      throw BundleError(file: "PlugIns", message: "it holds no keyboard: no folder `Name.appex`")
    }
    return found
  }

  private static func keyboard(
    in folder: borrowing DirectoryHandle, at place: String, app: String, bytesLeft: inout Int
  ) throws(BundleError) -> Keyboard {
    let file = place + "/Info.plist"
    let bytes = try propertyList("Info.plist", in: folder, at: place)
    bytesLeft -= bytes.count
    guard bytesLeft >= 0 else {
      throw BundleError(
        file: file,
        message: "with it the app's keyboards have more than "
          + "\(BundleLimits.keyboardPropertyListBytes) bytes of `Info.plist`")
    }
    let reader = try ManifestReader(file: file, bytes: bytes)
    guard let point = try reader.optionalDictionary("NSExtension") else {
      throw reader.error("NSExtension", "is missing")
    }
    let kind = try point.string("NSExtensionPointIdentifier")
    guard kind == "com.apple.keyboard-service" else {
      throw point.error(
        "NSExtensionPointIdentifier",
        "is \(quoted(kind)) where `com.apple.keyboard-service` belongs: it is not a keyboard")
    }
    let identifier = try reader.identifier("CFBundleIdentifier")
    // As on the phone, and so that no app can take the place, and the grants, of another's keyboard.
    guard identifier.hasPrefix(app + ".") else {
      throw reader.error(
        "CFBundleIdentifier",
        "is \(quoted(identifier)), which does not begin with the app's own and a dot, `\(app).`")
    }
    var manifest = KeyboardManifest(
      identifier: identifier, appIdentifier: app, displayName: try reader.displayName(),
      version: try reader.name("CFBundleShortVersionString"),
      executable: try reader.string("CFBundleExecutable"))
    if let fault = BundleNames.faultOfFile(manifest.executable) {
      throw reader.error("CFBundleExecutable", "is \(quoted(manifest.executable)), which \(fault)")
    }
    manifest.principalClass = try point.optionalString("NSExtensionPrincipalClass")
    if let attributes = try point.optionalDictionary("NSExtensionAttributes") {
      manifest.isASCIICapable = try attributes.boolean("IsASCIICapable")
      manifest.prefersRightToLeft = try attributes.boolean("PrefersRightToLeft")
      manifest.requestsOpenAccess = try attributes.boolean("RequestsOpenAccess")
      manifest.primaryLanguage = try attributes.optionalString("PrimaryLanguage")
      if let language = manifest.primaryLanguage, !isLanguageTag(language) {
        throw attributes.error(
          "PrimaryLanguage", "is \(quoted(language)), which is no language tag such as `en-US`")
      }
    }
    for service in KeyboardService.allCases {
      guard let text = try reader.optionalString(service.usageKey) else { continue }
      guard !text.allSatisfy(\.isWhitespace), text.utf8.count <= BundleLimits.usageBytes else {
        throw reader.error(
          service.usageKey, "is empty, or longer than \(BundleLimits.usageBytes) bytes")
      }
      manifest.usageDescriptions[service] = text
    }
    let program = try PluginProgram(
      checking: manifest.executable, in: folder, at: place + "/" + manifest.executable)
    return Keyboard(manifest: manifest, path: place, program: program)
  }

  /// BCP 47 in its outline: parts of 1 to 8 letters and digits between hyphens.
  private static func isLanguageTag(_ text: String) -> Bool {
    text.utf8.count <= 64
      && text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
        (1...8).contains(part.utf8.count)
          && part.utf8.allSatisfy {
            (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
          }
      }
  }

  private static func settings(
    in folder: borrowing DirectoryHandle
  ) throws(BundleError) -> SettingsSchema {
    let name = "Settings.bundle"
    guard
      try BundleWalk.attempt(name, { () throws(FileError) in try folder.contains(FileName(name)) })
    else { return SettingsSchema() }
    let inner = try BundleWalk.attempt(name) { () throws(FileError) in
      try folder.openDirectory(FileName(name))
    }
    return try SettingsBundleReader.schema(in: inner)
  }

  static func propertyList(
    _ name: String, in folder: borrowing DirectoryHandle, at place: String
  ) throws(BundleError) -> [UInt8] {
    let path = place.isEmpty ? name : place + "/" + name
    let explain: (Int32) -> String? = {
      switch $0 {
      case ENOENT: "it is missing"
      case ELOOP: "it is a link where a file belongs"
      default: nil
      }
    }
    let file = try BundleWalk.attempt(path, explain: explain) { () throws(FileError) in
      try folder.openFile(FileName(name))
    }
    let status = try BundleWalk.attempt(path) { () throws(FileError) in try file.status() }
    guard status.kind == .regular else {
      throw BundleError(file: path, message: "it is a \(status.kind.rawValue), not a file")
    }
    let limit = BundleLimits.propertyListBytes
    let bytes = try BundleWalk.attempt(path) { () throws(FileError) in
      try file.read(upTo: limit + 1)
    }
    guard bytes.count <= limit else {
      throw BundleError(file: path, message: "it is longer than \(limit) bytes")
    }
    return bytes
  }
}
