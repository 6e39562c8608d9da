import StrictJSON
import TerminalText

/// A value in an audit line.
///
/// There is no way to put free text in: terms come from the program's own vocabulary, and what
/// comes from outside (a path, an id, a keyboard's bytes) is bounded and escaped by
/// ``foreign(_:)``. Field text never goes into the log, through this door neither.
public struct AuditValue: Sendable, Equatable {
  enum Storage: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case list([AuditValue])
    case object([AuditField])
  }
  let storage: Storage
  /// Tells apart what looks the same because it was cut: that is no repeat.
  private var rest = 0

  private init(storage: Storage) { self.storage = storage }

  /// The most bytes of a foreign text that are kept.
  public static let foreignLimit = 200
  /// The most bytes of a domain name, which is kept whole (RFC 1035, 2.3.4).
  static let nameLimit = 255

  /// A word of this program's own.
  public static func term(_ word: StaticString) -> AuditValue {
    AuditValue(storage: .text("\(word)"))
  }
  /// The raw value of an enumeration: a word of this program's own.
  public static func term<Word: RawRepresentable & CaseIterable>(_ word: Word) -> AuditValue
  where Word.RawValue == String {
    AuditValue(storage: .text(word.rawValue))
  }
  public static func integer(_ value: Int) -> AuditValue {
    AuditValue(storage: .integer(Int64(value)))
  }
  public static func boolean(_ value: Bool) -> AuditValue { AuditValue(storage: .boolean(value)) }
  public static func list(_ values: [AuditValue]) -> AuditValue {
    AuditValue(storage: .list(values))
  }
  public static func object(_ fields: [AuditField]) -> AuditValue {
    AuditValue(storage: .object(fields))
  }
  /// Text from outside: a path, an id, an error message, the first bytes of a bad line. Control
  /// characters are escaped, and what is longer than ``foreignLimit`` bytes is cut, with an `…`.
  /// It must never be the text of a field.
  public static func foreign(_ text: String) -> AuditValue {
    bounded(text, foreignLimit)
  }
  /// A domain name: its end says whose name server is asked, and its beginning may be what is told.
  static func domainName(_ name: String) -> AuditValue { bounded(name, nameLimit) }

  private static func bounded(_ text: String, _ limit: Int) -> AuditValue {
    var value = AuditValue(storage: .text(VisibleText.escape(text, limit: limit)))
    if text.utf8.count > limit { value.rest = text.hashValue }
    return value
  }

  /// The value in words, for a person. Safe to show, as every text in here is.
  public var plainText: String {
    switch storage {
    case .text(let text): text
    case .integer(let value): "\(value)"
    case .boolean(let value): value ? "yes" : "no"
    case .list(let values): values.map(\.plainText).joined(separator: ", ")
    case .object(let fields):
      fields.map { "\($0.name) \($0.value.plainText)" }.joined(separator: ", ")
    }
  }

  func write(to writer: inout JSONWriter) {
    switch storage {
    case .text(let text): writer.value(text)
    case .integer(let value): writer.value(value)
    case .boolean(let value): writer.value(value)
    case .list(let values):
      writer.beginArray()
      for value in values { value.write(to: &writer) }
      writer.endArray()
    case .object(let fields):
      writer.beginObject()
      for field in fields {
        writer.key(field.name)
        field.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
