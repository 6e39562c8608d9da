import Glibc
import LinuxSystem
import PluginManifest
import TerminalText

/// Makes a new keyboard from the templates, as `Templates/README.md` says.
public struct KeyboardTemplate: Sendable {
  public enum Language: String, CaseIterable, Sendable { case swift, python }

  /// What was made.
  public struct Outcome: Sendable, Equatable {
    /// The new folder: absolute.
    public var path: String
    /// The id of the containing app.
    public var app: String
    /// The id of the keyboard.
    public var keyboard: String
  }

  /// The targets of the SDK that a Swift keyboard carries along.
  private static let sdkTargets = [
    "StrictJSON", "TextInput", "PluginProtocol", "KeyboardExtension",
  ]
  private static let fileLimit = 1 << 20

  private let resources: InstalledResources

  public init(resources: InstalledResources) { self.resources = resources }

  /// Makes the folder `NAME`, whole or not at all.
  /// - Parameters:
  ///   - name: 1 to 40 ASCII letters and digits, a letter first.
  ///   - identifier: the app's id; `org.example.` and the name in lower case when nil.
  ///   - directory: where the new folder goes.
  public func make(
    name: String, language: Language, identifier: String?, in directory: String
  ) throws(StoreError) -> Outcome {
    guard (1...40).contains(name.utf8.count), name.first?.isLetter == true,
      name.utf8.allSatisfy({
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
      })
    else {
      throw StoreError(
        .wrongUse,
        "the name `\(VisibleText.escape(name, limit: 80))` is not 1 to 40 letters and digits of "
          + "ASCII that begin with a letter")
    }
    // What is made can be installed: the name becomes the keyboard's.
    if let fault = KeyboardIdentifier.fault(ofDisplayName: name) {
      throw StoreError(.wrongUse, "the name `\(name)` \(fault)")
    }
    let app = identifier ?? "org.example." + name.lowercased()
    let keyboard = app + ".keyboard"
    if let fault = KeyboardIdentifier.fault(of: keyboard) {
      throw StoreError(
        .wrongUse, "the identifier `\(VisibleText.escape(app, limit: 80))` \(fault)")
    }
    let filler = Filler(name: name, identifier: app)
    let place = try fileOperation { () throws(FileError) in
      try DirectoryHandle(path: absolute(directory), followingLinks: true)
    }
    let path = (place.path == "/" ? "" : place.path) + "/" + name
    let exists = try fileOperation { () throws(FileError) in try place.contains(FileName(name)) }
    guard !exists else {
      throw StoreError(.refused, "\(VisibleText.escape(path)) is there already")
    }
    let temporary = FileName(".\(name).new-\(getpid())")
    do throws(StoreError) {
      let target = try makeFolder(temporary, in: place)
      let source = try open(resources.templates + "/" + language.rawValue)
      try copy(source, into: target, filler)
      if language == .swift { try copySDK(into: target) }
      try fileOperation { () throws(FileError) in
        try place.rename(temporary, to: FileName(name), in: place)
      }
    } catch {
      try? place.removeTree(temporary)
      throw error
    }
    return Outcome(path: path, app: app, keyboard: keyboard)
  }

  private func copySDK(into target: borrowing DirectoryHandle) throws(StoreError) {
    let sdk = try makeFolder("SDK", in: target)
    for name in Self.sdkTargets {
      let source = try open(resources.sdk + "/Sources/" + name)
      try copy(source, into: try makeFolder(FileName(name), in: sdk), nil)
    }
    let root = try open(resources.sdk)
    try copyFile("LICENSE", of: root, into: sdk, nil)
  }

  private func copy(
    _ source: borrowing DirectoryHandle, into target: borrowing DirectoryHandle,
    _ filler: Filler?
  ) throws(StoreError) {
    let names = try fileOperation { () throws(FileError) in try source.names() }
    for name in names {
      let status = try fileOperation { () throws(FileError) in try source.status(name) }
      switch status.kind {
      case .directory:
        let inner = try fileOperation { () throws(FileError) in try source.openDirectory(name) }
        let filled = FileName(filler?.fill(name.description) ?? name.description)
        try copy(inner, into: try makeFolder(filled, in: target), filler)
      case .regular: try copyFile(name, of: source, into: target, filler)
      default:
        throw StoreError(
          .file, "\(source.path)/\(name) is a \(status.kind.rawValue) where a file belongs")
      }
    }
  }

  private func copyFile(
    _ name: FileName, of source: borrowing DirectoryHandle,
    into target: borrowing DirectoryHandle, _ filler: Filler?
  ) throws(StoreError) {
    // What is copied will be built and run: nobody else may have had a hand in it.
    try InstalledResources.checkTrusted("\(source.path)/\(name)")
    var newName = name.description
    if let filler {
      newName = filler.fill(newName)
      if newName.hasSuffix(".template") { newName.removeLast(".template".count) }
    }
    try fileOperation { () throws(FileError) in
      let file = try source.openFile(name)
      let status = try file.status()
      var bytes = try file.read(upTo: Self.fileLimit)
      if let filler {
        bytes = Array(filler.fill(String(decoding: bytes, as: UTF8.self)).utf8)
      }
      let copy = try target.openFile(
        FileName(newName), flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      try copy.write(bytes)
      try copy.setPermissions(status.isExecutable ? 0o755 : 0o644)
    }
  }

  private func open(_ path: String) throws(StoreError) -> DirectoryHandle {
    try fileOperation { () throws(FileError) in
      try DirectoryHandle(path: path, followingLinks: true)
    }
  }

  private func makeFolder(
    _ name: FileName, in parent: borrowing DirectoryHandle
  ) throws(StoreError) -> DirectoryHandle {
    try fileOperation { () throws(FileError) in
      try parent.makeDirectory(name, mode: 0o755)
      return try parent.openDirectory(name)
    }
  }

  private func absolute(_ path: String) -> String {
    var plain = path
    while plain.hasPrefix("./") { plain.removeFirst(2) }
    if plain.hasPrefix("/") { return plain }
    let base = DirectoryHandle.workingDirectory ?? "."
    return plain.isEmpty || plain == "." ? base : base + "/" + plain
  }

  /// Puts the new keyboard's names in the place of the marks.
  private struct Filler {
    let name: String
    let identifier: String

    func fill(_ text: String) -> String {
      var result = ""
      var rest = text[...]
      while let mark = rest.firstRange(of: "{{") {
        result += rest[..<mark.lowerBound]
        rest = rest[mark.upperBound...]
        guard let end = rest.firstRange(of: "}}") else {
          result += "{{"
          continue
        }
        switch rest[..<end.lowerBound] {
        case "NAME": result += name
        case "NAME_LOWERCASE": result += name.lowercased()
        case "IDENTIFIER": result += identifier
        default:
          result += "{{"
          continue
        }
        rest = rest[end.upperBound...]
      }
      return result + rest
    }
  }
}

extension Substring {
  fileprivate func firstRange(of text: StaticString) -> Range<Index>? {
    let wanted = Array("\(text)")
    var place = startIndex
    while place != endIndex {
      if self[place...].starts(with: wanted) {
        return place..<index(place, offsetBy: wanted.count)
      }
      place = index(after: place)
    }
    return nil
  }
}
