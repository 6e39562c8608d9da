import TerminalText

/// Takes typed values out of one property list, each error naming the file and the key.
struct ManifestReader {
  let file: String
  let root: PropertyList
  /// The keys that lead to the root, for messages.
  var prefix = ""

  init(file: String, bytes: [UInt8]) throws(BundleError) {
    self.file = file
    do { root = try PropertyList(parsing: bytes) } catch {
      throw BundleError(file: file, message: "\(error)")
    }
    guard case .dictionary = root else {
      throw BundleError(
        file: file, message: "it holds \(root.typeName) where a dictionary belongs")
    }
  }

  private init(file: String, root: PropertyList, prefix: String) {
    self.file = file
    self.root = root
    self.prefix = prefix
  }

  func error(_ key: String, _ message: String) -> BundleError {
    BundleError(file: file, message: "`\(prefix)\(key)` \(message)")
  }

  private func mismatch(_ key: String, _ value: PropertyList, _ wanted: String) -> BundleError {
    var found = value.typeName
    if case .string(let text) = value { found += ", \(quoted(text))," }
    return error(key, "is \(found) where \(wanted) belongs")
  }

  func optionalString(_ key: String) throws(BundleError) -> String? {
    guard let value = root[key] else { return nil }
    guard case .string(let text) = value else { throw mismatch(key, value, "a string") }
    return text
  }

  func string(_ key: String) throws(BundleError) -> String {
    guard let text = try optionalString(key) else { throw error(key, "is missing") }
    return text
  }

  /// False when the key is missing. Nothing but a real boolean is read as one.
  func boolean(_ key: String) throws(BundleError) -> Bool {
    guard let value = root[key] else { return false }
    guard case .boolean(let flag) = value else {
      throw mismatch(key, value, "a boolean (<true/> or <false/>)")
    }
    return flag
  }

  func optionalDictionary(_ key: String) throws(BundleError) -> ManifestReader? {
    guard let value = root[key] else { return nil }
    guard case .dictionary = value else { throw mismatch(key, value, "a dictionary") }
    return ManifestReader(file: file, root: value, prefix: prefix + key + ".")
  }

  func identifier(_ key: String) throws(BundleError) -> String {
    let text = try string(key)
    if let fault = BundleNames.faultOfIdentifier(text) {
      throw error(key, "is \(quoted(text)), which \(fault)")
    }
    return text
  }

  func name(_ key: String) throws(BundleError) -> String {
    let text = try string(key)
    if let fault = BundleNames.faultOfName(text) {
      throw error(key, "is \(quoted(text)), which \(fault)")
    }
    return text
  }

  /// `CFBundleDisplayName`, or `CFBundleName` in its place.
  func displayName() throws(BundleError) -> String {
    let isNamed = root["CFBundleDisplayName"] == nil && root["CFBundleName"] != nil
    let key = isNamed ? "CFBundleName" : "CFBundleDisplayName"
    let text = try name(key)
    if let fault = BundleNames.faultOfDisplayName(text) {
      throw error(key, "is \(quoted(text)), which \(fault)")
    }
    return text
  }
}
