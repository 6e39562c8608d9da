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
  /// What could not be read. The rest was.
  private(set) var faults: [Fault] = []

  private struct Card {
    var line: Int
    var given: [String] = []
    var family: [String] = []
    var formatted: String?
    var hasName = false
  }

  init(reading bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.prefix { $0 < 0x80 }.count { $0 == 0x0A } + 1
      faults.append(Fault(line: line, message: "the file is not UTF-8 from there on, or before"))
      return
    }
    var card: Card?
    for (number, line) in VCardReader.unfolded(text) {
      guard let property = VCardReader.property(line) else {
        if !line.allSatisfy(\.isWhitespace) {
          faults.append(Fault(line: number, message: "this is no property of a vCard"))
        }
        continue
      }
      switch property.name {
      case "BEGIN" where property.value.uppercased() == "VCARD":
        if let card {
          faults.append(Fault(line: card.line, message: "the vCard has no END"))
        }
        card = Card(line: number)
      case "END" where property.value.uppercased() == "VCARD":
        if let card { add(card) }
        card = nil
      case "N", "FN":
        guard card != nil else {
          faults.append(Fault(line: number, message: "a name stands outside of a vCard"))
          continue
        }
        if property.parameters.contains("QUOTED-PRINTABLE") {
          faults.append(
            Fault(line: number, message: "quoted-printable, of version 2.1, is not read"))
          continue
        }
        if property.name == "FN" {
          card?.formatted = VCardReader.unescaped(property.value[...])
        } else {
          let parts = VCardReader.split(property.value[...], at: ";")
          card?.hasName = true
          card?.family =
            parts.first.map { VCardReader.split($0, at: ",").map(VCardReader.unescaped) } ?? []
          card?.given =
            parts.dropFirst().first.map {
              VCardReader.split($0, at: ",").map(VCardReader.unescaped)
            } ?? []
        }
      default: break
      }
    }
    if let card { faults.append(Fault(line: card.line, message: "the vCard has no END")) }
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
      if name.isEmpty || names.contains(name) { continue }
      guard name.utf8.count <= Self.maximumNameBytes else {
        faults.append(Fault(line: card.line, message: "a name of the vCard is too long"))
        continue
      }
      guard !name.unicodeScalars.contains(where: \.isControlOrFormatting) else {
        faults.append(Fault(line: card.line, message: "a name holds a control character"))
        continue
      }
      names.append(name)
    }
  }
}
