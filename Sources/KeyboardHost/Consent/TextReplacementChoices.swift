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

  /// Why a replacement cannot be kept, or nil.
  static func fault(of replacement: TextReplacement) -> String? {
    for text in [replacement.userInput, replacement.documentText] {
      if text.utf8.count > textLimit { return "a text is longer than \(textLimit) bytes" }
      // What is put into a field goes there as typed: no control characters, which a key cannot
      // type, but the newline.
      if text.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control && $0 != "\n"
      }) {
        return "a text holds a control character"
      }
    }
    return replacement.userInput.isEmpty ? "the text to be replaced is empty" : nil
  }

  /// Adds a replacement, or changes the one for the same input.
  public func add(_ replacement: TextReplacement, log: AuditLog) throws(StoreError) {
    guard try add([replacement], log: log).isEmpty else {
      throw StoreError(.refused, Self.noRoom)
    }
  }

  /// Why one more cannot be kept.
  static let noRoom = "there are \(countLimit) replacements already"

  /// Adds replacements, or changes those for the same inputs.
  /// - Returns: the indices of those there was no more room for.
  public func add(
    _ replacements: [TextReplacement], log: AuditLog
  ) throws(StoreError) -> [Int] {
    if let fault = replacements.lazy.compactMap(Self.fault).first {
      throw StoreError(.refused, fault)
    }
    return try settings.update(log: log) { (settings) throws(StoreError) in
      var left: [Int] = []
      var places: [String: Int] = [:]
      for (index, known) in settings.textReplacements.enumerated() {
        places[known.userInput] = index
      }
      for (number, replacement) in replacements.enumerated() {
        if let index = places[replacement.userInput] {
          settings.textReplacements[index] = replacement
        } else if settings.textReplacements.count < Self.countLimit {
          places[replacement.userInput] = settings.textReplacements.count
          settings.textReplacements.append(replacement)
        } else {
          left.append(number)
        }
      }
      return PlannedChange(result: left)
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
