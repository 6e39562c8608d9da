/// The names in a file of vCards (RFC 6350, and 2426 for version 3.0), and nothing else of it.
///
/// First and last names come unpaired, as in the phone's lexicon: nobody can tell who belongs to
/// whom, and no number or address is ever looked at.
struct VCardNames: Sendable, Equatable {
  typealias Fault = VCardReader.Fault

  /// The longest name that is kept, in bytes of UTF-8.
  static let maximumNameBytes = 64

  /// The names in the order they stand there, each once.
  private(set) var names: [String] = []
  /// What could not be read, as much of it as anybody looks at. The rest was.
  private(set) var faults: [Fault] = []
  private var known: Set<String> = []
  private let maximum: Int

  private struct Card {
    var line: Int
    var given: [String] = []
    var family: [String] = []
    var formatted: String?
    var hasName = false

    mutating func take(_ property: VCardReader.Property) {
      if property.name == "FN" {
        formatted = VCardReader.unescaped(property.value[...])
        return
      }
      let parts = VCardReader.split(property.value[...], at: ";").prefix(2).map { part in
        VCardReader.split(part, at: ",").map(VCardReader.unescaped)
      }
      hasName = true
      family = parts.first ?? []
      given = parts.dropFirst().first ?? []
    }
  }

  /// - Parameter maximum: the most names that are kept.
  init(reading bytes: [UInt8], upTo maximum: Int = .max) {
    self.maximum = maximum
    guard String(validating: bytes, as: UTF8.self) != nil else {
      let line = bytes.prefix { $0 < 0x80 }.count { $0 == 0x0A } + 1
      note(line, "the file is not UTF-8 from there on, or before")
      return
    }
    var card: Card?
    VCardReader.eachLine(of: bytes) { number, line in
      guard let property = VCardReader.Property(line) else {
        let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if !isBlank { note(number, "this is no property of a vCard") }
        return
      }
      switch property.name {
      case "BEGIN" where property.isOfCard:
        if let card { note(card.line, "the vCard has no END") }
        card = Card(line: number)
      case "END" where property.isOfCard:
        if let card { add(card) }
        card = nil
      case "N", "FN":
        if card == nil {
          note(number, "a name stands outside of a vCard")
        } else if property.isQuotedPrintable {
          note(number, "quoted-printable, of version 2.1, is not read")
        } else {
          card?.take(property)
        }
      default: break
      }
    }
    if let card { note(card.line, "the vCard has no END") }
  }

  private mutating func note(_ line: Int, _ message: String) {
    if faults.count < VCardFiles.maximumFaults {
      faults.append(Fault(line: line, message: message))
    }
  }

  private mutating func add(_ card: Card) {
    var found = card.given + card.family
    if !card.hasName, let formatted = card.formatted {
      // A card without parts of its name: the first and the last word.
      let words = formatted.split { $0.isWhitespace }.map(String.init)
      found = [words.first, words.count > 1 ? words.last : nil].compactMap { $0 }
    }
    for name in found {
      let name = String(
        name.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
      if name.isEmpty || known.contains(name) { continue }
      guard name.utf8.count <= Self.maximumNameBytes else {
        note(card.line, "a name of the vCard is too long")
        continue
      }
      guard !name.unicodeScalars.contains(where: \.isControlOrFormatting) else {
        note(card.line, "a name holds a control character")
        continue
      }
      guard names.count < maximum else { return }
      known.insert(name)
      names.append(name)
    }
  }
}
