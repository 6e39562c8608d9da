/// A tag that a key types.
struct Tag {
  /// The id of its key.
  let keyIdentifier: String
  /// What the key shows.
  let label: String
  let opening: String
  let closing: String

  /// A tag without attributes.
  init(_ id: String, _ name: String) {
    self.init(id: id, label: "<\(name)>", opening: "<\(name)>", closing: "</\(name)>")
  }

  init(id: String, label: String, opening: String, closing: String) {
    keyIdentifier = "tag.\(id)"
    self.label = label
    self.opening = opening
    self.closing = closing
  }

  /// A tag that the user named; nil when it is not the name of a tag.
  init?(id: String, name: String) {
    guard let first = name.utf8.first, name.utf8.count <= 16,
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
      name.utf8.allSatisfy({
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    self.init(id, name)
  }

  /// The tags that every comment needs.
  static var fixed: [Tag] {
    [
      Tag("b", "b"), Tag("i", "i"), Tag("s", "s"), Tag("code", "code"),
      Tag(id: "a", label: "<a>", opening: "<a href=\"\">", closing: "</a>"),
      Tag(id: "quote", label: "<quote>", opening: "<blockquote>", closing: "</blockquote>"),
      Tag("li", "li"),
    ]
  }
}
