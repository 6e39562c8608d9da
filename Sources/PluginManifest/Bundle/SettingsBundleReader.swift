import TerminalText

/// Reads the default values of `Settings.bundle/Root.plist`.
struct SettingsBundleReader {
  /// All keys and texts together, in bytes: they must fit into one message to a keyboard.
  static let totalBytes = 32 << 10
  static let count = 256
  let file: String

  func read(_ bytes: [UInt8]) throws(BundleError) -> [SettingDefault] {
    let reader = try ManifestReader(file: file, bytes: bytes)
    guard let list = reader.root["PreferenceSpecifiers"] else {
      throw reader.error("PreferenceSpecifiers", "is missing")
    }
    guard case .array(let specifiers) = list else {
      throw reader.error(
        "PreferenceSpecifiers", "is \(list.typeName) where an array belongs")
    }
    var defaults: [SettingDefault] = []
    var total = 0
    for (index, specifier) in specifiers.enumerated() {
      let place = "PreferenceSpecifiers[\(index)]"
      guard case .dictionary = specifier else {
        throw reader.error(place, "is \(specifier.typeName) where a dictionary belongs")
      }
      guard let keyValue = specifier["Key"], let value = specifier["DefaultValue"] else { continue }
      guard case .string(let key) = keyValue else {
        throw reader.error(place + ".Key", "is \(keyValue.typeName) where a string belongs")
      }
      if key.isEmpty || key.utf8.count > 200 || !VisibleText.isSafe(key) {
        throw reader.error(
          place + ".Key",
          "is \(quoted(key)), which is empty, longer than 200 bytes or not printable")
      }
      if defaults.contains(where: { $0.key == key }) {
        throw reader.error(place + ".Key", "is \(quoted(key)), which an earlier one has")
      }
      if specifier["Type"] == .string("PSToggleSwitchSpecifier") {
        guard case .boolean = value else {
          throw reader.error(
            place + ".DefaultValue",
            "is \(value.typeName) where a boolean (<true/> or <false/>) belongs")
        }
      }
      let setting = try self.value(value, reader, place + ".DefaultValue")
      total += key.utf8.count + Self.size(setting)
      guard total <= Self.totalBytes, defaults.count < Self.count else {
        throw reader.error(
          place, "is beyond what fits: \(Self.count) settings of \(Self.totalBytes) bytes together")
      }
      defaults.append(SettingDefault(key: key, value: setting))
    }
    return defaults
  }

  private func value(
    _ value: PropertyList, _ reader: ManifestReader, _ place: String
  ) throws(BundleError) -> SettingDefault.Value {
    switch value {
    case .string(let text): return .string(text)
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .array(let elements):
      var texts: [String] = []
      for element in elements {
        guard case .string(let text) = element else {
          throw reader.error(place, "is an array that holds \(element.typeName), not only strings")
        }
        texts.append(text)
      }
      return .list(texts)
    case .date, .data, .dictionary:
      throw reader.error(place, "is \(value.typeName), which a setting cannot be")
    }
  }

  private static func size(_ value: SettingDefault.Value) -> Int {
    switch value {
    case .string(let text): text.utf8.count
    case .list(let texts): texts.reduce(0) { $0 + $1.utf8.count + 4 }
    case .boolean, .integer, .real: 8
    }
  }
}
