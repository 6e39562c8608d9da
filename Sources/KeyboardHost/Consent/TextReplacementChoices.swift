/// The user's text replacements, which keyboards get as part of the lexicon.
///
/// They are not recorded in the audit log: they are the user's own text.
public struct TextReplacementChoices: Sendable {
  /// The most replacements there may be.
  public static let countLimit = 1_000
  /// The longest of either text, in bytes.
  public static let textLimit = 1_000
  private let settings: SettingsStore

  public init(paths: HostPaths) { settings = SettingsStore(paths: paths) }

  public func list() throws(StoreError) -> [TextReplacement] {
    try settings.load().textReplacements
  }

  /// Adds a replacement, or changes the one for the same input.
  public func add(_ replacement: TextReplacement, log: AuditLog) throws(StoreError) {
    for text in [replacement.userInput, replacement.documentText] {
      guard text.utf8.count <= Self.textLimit else {
        throw StoreError(.refused, "a text is longer than \(Self.textLimit) bytes")
      }
      // What is put into a field goes there as typed: no control characters, which a key cannot
      // type, but the newline.
      guard
        !text.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control && $0 != "\n"
        })
      else { throw StoreError(.refused, "a text holds a control character") }
    }
    guard !replacement.userInput.isEmpty else {
      throw StoreError(.refused, "the text to be replaced is empty")
    }
    try settings.update(log: log) { (settings) throws(StoreError) in
      if let index = settings.textReplacements.firstIndex(where: {
        $0.userInput == replacement.userInput
      }) {
        settings.textReplacements[index] = replacement
      } else {
        guard settings.textReplacements.count < Self.countLimit else {
          throw StoreError(.refused, "there are \(Self.countLimit) replacements already")
        }
        settings.textReplacements.append(replacement)
      }
      return PlannedChange(result: ())
    }
  }

  public func remove(_ userInput: String, log: AuditLog) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      guard
        let index = settings.textReplacements.firstIndex(where: { $0.userInput == userInput })
      else { throw StoreError(.refused, "there is no replacement for that text") }
      settings.textReplacements.remove(at: index)
      return PlannedChange(result: ())
    }
  }
}
