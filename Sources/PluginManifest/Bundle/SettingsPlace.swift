import TerminalText

/// One preference of a settings page, read with errors that name its place.
struct SettingsPlace {
  let reader: ManifestReader
  /// Such as `PreferenceSpecifiers[3]`.
  let path: String

  /// - Parameter key: empty for the preference itself.
  func error(_ key: String, _ message: String) -> BundleError {
    reader.error(key.isEmpty ? path : path + "." + key, message)
  }

  func string(
    _ key: String, _ specifier: PropertyList, limit: Int = 200
  ) throws(BundleError) -> String? {
    guard let value = specifier[key] else { return nil }
    guard case .string(let text) = value else {
      throw error(key, "is \(value.typeName) where a string belongs")
    }
    guard text.utf8.count <= limit else { throw error(key, "is longer than \(limit) bytes") }
    return text
  }

  func key(_ specifier: PropertyList) throws(BundleError) -> String {
    guard let value = specifier["Key"] else { throw error("Key", "is missing") }
    guard case .string(let key) = value else {
      throw error("Key", "is \(value.typeName) where a string belongs")
    }
    if key.isEmpty || key.utf8.count > 200 || key.hasPrefix("-") || !VisibleText.isSafe(key) {
      throw error(
        "Key",
        "is \(quoted(key)), which is empty, longer than 200 bytes, not printable, or begins with "
          + "`-`, like an option")
    }
    return key
  }

  /// Nil for a type that is not known.
  func kind(
    _ type: String, _ specifier: PropertyList
  ) throws(BundleError) -> SettingSpecifier.Kind? {
    switch type {
    case "PSTextFieldSpecifier":
      let isSecure = specifier["IsSecure"]
      guard isSecure == nil || isSecure == .boolean(true) || isSecure == .boolean(false) else {
        throw error("IsSecure", "is no boolean (<true/> or <false/>)")
      }
      return .text(isSecure: isSecure == .boolean(true))
    case "PSToggleSwitchSpecifier":
      let on = try specifier["TrueValue"].map { (value) throws(BundleError) in
        try self.value(value, "TrueValue")
      }
      let off = try specifier["FalseValue"].map { (value) throws(BundleError) in
        try self.value(value, "FalseValue")
      }
      guard (on ?? .boolean(true)) != (off ?? .boolean(false)) else {
        throw error("FalseValue", "is the same as `TrueValue`")
      }
      return .toggle(on: on ?? .boolean(true), off: off ?? .boolean(false))
    case "PSSliderSpecifier":
      let least = try number("MinimumValue", specifier)
      let most = try number("MaximumValue", specifier)
      guard least <= most else {
        throw error("MaximumValue", "is \(most), which is below `MinimumValue`, \(least)")
      }
      return .slider(least...most)
    case "PSMultiValueSpecifier", "PSRadioGroupSpecifier":
      return .choice(try choices(specifier, areNeeded: true))
    case "PSTitleValueSpecifier": return .title(try choices(specifier, areNeeded: false))
    default: return nil
    }
  }

  func defaultValue(
    _ kind: SettingSpecifier.Kind, _ specifier: PropertyList
  ) throws(BundleError) -> SettingDefault.Value? {
    guard let written = specifier["DefaultValue"] else { return nil }
    let value = try value(written, "DefaultValue")
    func fault(_ wanted: String) -> BundleError {
      error("DefaultValue", "is \(written.typeName) where \(wanted) belongs")
    }
    switch kind {
    case .text:
      guard case .string = value else { throw fault("a string") }
    case .toggle(let on, let off):
      if value.isSame(on) || value.isSame(off) { return value }
      guard case .boolean(let flag) = value else {
        throw fault(
          on == .boolean(true) && off == .boolean(false)
            ? "a boolean (<true/> or <false/>)" : "`TrueValue` or `FalseValue`")
      }
      return flag ? on : off
    case .slider(let range):
      guard let number = value.number else { throw fault("a number") }
      guard range.contains(number) else {
        throw error(
          "DefaultValue",
          "is \(number), which is not from \(range.lowerBound) to \(range.upperBound)")
      }
    case .choice(let choices):
      guard choices.contains(where: { $0.value.isSame(value) }) else {
        throw error("DefaultValue", "is none of `Values`")
      }
    case .title: break
    }
    return value
  }

  private func number(_ key: String, _ specifier: PropertyList) throws(BundleError) -> Double {
    guard let written = specifier[key] else { throw error(key, "is missing") }
    guard let number = try value(written, key).number else {
      throw error(key, "is \(written.typeName) where a number belongs")
    }
    return number
  }

  private func choices(
    _ specifier: PropertyList, areNeeded: Bool
  ) throws(BundleError) -> [SettingSpecifier.Choice] {
    guard areNeeded || specifier["Values"] != nil else { return [] }
    let values = try list("Values", specifier)
    let titles = try list("Titles", specifier)
    guard values.count == titles.count else {
      throw error(
        "Titles", "has \(titles.count) elements, and `Values` has \(values.count)")
    }
    var choices: [SettingSpecifier.Choice] = []
    for (value, title) in zip(values, titles) {
      guard case .string(let text) = title,
        text.utf8.count <= SettingsBundleReader.titleBytes
      else {
        throw error(
          "Titles",
          "has an element that is no string of at most "
            + "\(SettingsBundleReader.titleBytes) bytes")
      }
      let value = try self.value(value, "Values")
      guard !choices.contains(where: { $0.value.isSame(value) }) else {
        throw error("Values", "has \(quoted(value.text)) twice")
      }
      choices.append(SettingSpecifier.Choice(value: value, title: text))
    }
    return choices
  }

  private func list(
    _ key: String, _ specifier: PropertyList
  ) throws(BundleError) -> [PropertyList] {
    guard let value = specifier[key] else { throw error(key, "is missing") }
    guard case .array(let elements) = value else {
      throw error(key, "is \(value.typeName) where an array belongs")
    }
    guard (1...SettingsBundleReader.choices).contains(elements.count) else {
      throw error(
        key, "has \(elements.count) elements, not 1 to \(SettingsBundleReader.choices)")
    }
    return elements
  }

  private func value(
    _ value: PropertyList, _ key: String
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
          throw error(key, "is an array that holds \(element.typeName), not only strings")
        }
        texts.append(text)
      }
      return .list(texts)
    case .date, .data, .dictionary:
      throw error(key, "is \(value.typeName), which a setting cannot be")
    }
  }
}
