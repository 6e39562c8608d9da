/// One name in a folder, as bytes: a name on Linux need not be UTF-8.
package struct FileName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes, ended by a zero.
  let characters: [CChar]

  package init(_ name: String) { characters = Array(name.utf8CString) }
  package init(stringLiteral name: StaticString) { self.init("\(name)") }
  init(characters: [CChar]) { self.characters = characters }

  /// The name as text, or nil when its bytes are not UTF-8.
  package var string: String? {
    String(validating: characters.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The name with what is not UTF-8 replaced: for messages only.
  package var description: String {
    String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
