import TextInput

/// The names of the user's contacts, from folders of vCard files as khard and vdirsyncer keep them.
///
/// Read strictly within bounds; what cannot be read is told with its place, and the rest counts.
public struct ContactNames: Sendable, Equatable {
  /// The most names.
  public static let maximumNames = 5_000

  /// The names, sorted, each once.
  public private(set) var names: [String] = []
  /// What could not be read, safe to show.
  public private(set) var faults: [String] = []

  /// No names.
  public static let none = ContactNames(folders: [])

  /// Reads the names in folders. One that is not there is a fault.
  public init(folders: [String]) {
    var found: Set<String> = []
    faults = VCardFiles.read(folders) { content in
      let card = VCardNames(reading: content, upTo: Self.maximumNames)
      for name in card.names where found.count < Self.maximumNames { found.insert(name) }
      return (card.faults, isFull: found.count >= Self.maximumNames)
    }
    names = found.sorted()
  }

  /// The names as entries of the lexicon: each stands for itself.
  public var entries: [LexiconEntry] {
    names.map { LexiconEntry(userInput: $0, documentText: $0) }
  }
}
