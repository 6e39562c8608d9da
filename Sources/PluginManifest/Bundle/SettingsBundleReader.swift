import LinuxSystem
import TerminalText

/// Reads `Settings.bundle/Root.plist` and its child panes.
///
/// Only a `Root.plist` that is no settings page at all is refused. A preference that is wrong is left
/// out, with a note, and the others are used.
struct SettingsBundleReader {
  /// All keys and texts together, in bytes: they must fit into one message to a keyboard.
  static let totalBytes = 32 << 10
  static let count = 256
  static let panes = 16
  /// Specifiers of all pages together, and values of one of them.
  static let specifierCount = 4096
  static let choices = 256
  static let faultCount = 32
  static let titleBytes = 1024

  private var schema = SettingsSchema()
  private var total = 0
  private var seen = 0
  private var bytesLeft = BundleLimits.propertyListBytes
  private var pages: [String] = []
  private var isFull = false

  /// - Parameter folder: `Settings.bundle`.
  static func schema(in folder: borrowing DirectoryHandle) throws(BundleError) -> SettingsSchema {
    var reader = SettingsBundleReader()
    try reader.readPage("Root", group: nil, in: folder)
    return reader.schema
  }

  private mutating func readPage(
    _ page: String, group: String?, in folder: borrowing DirectoryHandle
  ) throws(BundleError) {
    pages.append(page)
    let file = "Settings.bundle/\(page).plist"
    let bytes = try AppBundle.propertyList(page + ".plist", in: folder, at: "Settings.bundle")
    bytesLeft -= bytes.count
    guard bytesLeft >= 0 else {
      throw BundleError(
        file: file,
        message: "with it the settings have more than \(BundleLimits.propertyListBytes) bytes")
    }
    let reader = try ManifestReader(file: file, bytes: bytes)
    guard let list = reader.root["PreferenceSpecifiers"] else {
      throw reader.error("PreferenceSpecifiers", "is missing")
    }
    guard case .array(let specifiers) = list else {
      throw reader.error(
        "PreferenceSpecifiers", "is \(list.typeName) where an array belongs")
    }
    var current = group
    for (index, specifier) in specifiers.enumerated() where !isFull {
      let place = SettingsPlace(reader: reader, path: "PreferenceSpecifiers[\(index)]")
      do throws(BundleError) {
        try take(specifier, place, pane: group, &current, in: folder)
      } catch {
        note(error)
      }
    }
  }

  private mutating func note(_ fault: BundleError) {
    guard schema.faults.count < Self.faultCount else { return }
    schema.faults.append(fault)
  }

  private mutating func take(
    _ specifier: PropertyList, _ place: SettingsPlace, pane: String?, _ group: inout String?,
    in folder: borrowing DirectoryHandle
  ) throws(BundleError) {
    seen += 1
    guard seen <= Self.specifierCount else {
      isFull = true
      throw place.error("", "is beyond the \(Self.specifierCount) that are read")
    }
    guard case .dictionary = specifier else {
      throw place.error("", "is \(specifier.typeName) where a dictionary belongs")
    }
    guard let type = try place.string("Type", specifier) else {
      throw place.error("Type", "is missing")
    }
    let title = try place.string("Title", specifier, limit: Self.titleBytes)
    switch type {
    case "PSGroupSpecifier": group = title ?? pane
    case "PSChildPaneSpecifier": try takePane(specifier, place, title, in: folder)
    default:
      guard let kind = try place.kind(type, specifier) else {
        throw place.error("Type", "is \(quoted(type)), which is not known: it is left out")
      }
      // As a group, a radio group has its title above its values.
      if type == "PSRadioGroupSpecifier" { group = title ?? group }
      try add(
        SettingSpecifier(
          key: try place.key(specifier), title: title ?? "", group: group, kind: kind,
          defaultValue: try place.defaultValue(kind, specifier)), place)
    }
  }

  private mutating func takePane(
    _ specifier: PropertyList, _ place: SettingsPlace, _ title: String?,
    in folder: borrowing DirectoryHandle
  ) throws(BundleError) {
    guard let page = try place.string("File", specifier) else {
      throw place.error("File", "is missing")
    }
    if let fault = BundleNames.faultOfFile(page) {
      throw place.error("File", "is \(quoted(page)), which \(fault)")
    }
    guard !pages.contains(page) else {
      throw place.error("File", "is \(quoted(page)), which is shown already")
    }
    guard pages.count < Self.panes else {
      throw place.error("File", "is one of more than \(Self.panes) pages")
    }
    try readPage(page, group: title, in: folder)
  }

  private mutating func add(
    _ specifier: SettingSpecifier, _ place: SettingsPlace
  ) throws(BundleError) {
    if schema[specifier.key] != nil {
      throw place.error("Key", "is \(quoted(specifier.key)), which an earlier one has")
    }
    let size = specifier.key.utf8.count + (specifier.defaultValue?.size ?? 0)
    guard total + size <= Self.totalBytes, schema.specifiers.count < Self.count else {
      throw place.error(
        "", "is beyond what fits: \(Self.count) settings of \(Self.totalBytes) bytes together")
    }
    total += size
    schema.specifiers.append(specifier)
  }
}

extension SettingDefault.Value {
  /// About the bytes that it takes in a message.
  fileprivate var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count + 4 }
    case .boolean, .integer, .real: 8
    }
  }
}
