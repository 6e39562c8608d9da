/// The keys of a keyboard, row by row from the top.
public struct KeyboardLayout: Sendable, Equatable {
  /// The most rows a layout may have.
  public static let maximumRows = 8
  /// The most keys a row may have.
  public static let maximumKeysInRow = 24
  /// The longest id, label, text or hint of a key, in bytes of UTF-8.
  public static let maximumTextBytes = 128
  /// The narrowest and the widest key, in key units.
  public static let widths = 0.5...10.0
  /// What the ids of the host's own keys begin with, and no other's.
  public static let systemPrefix = "system."

  /// The rows of keys.
  public var rows: [[Key]]

  /// Makes a layout.
  public init(rows: [[Key]]) { self.rows = rows }

  /// The key of that id.
  public func key(id: String) -> Key? {
    for row in rows {
      for key in row where key.id == id { return key }
    }
    return nil
  }

  /// The first key that types exactly that text.
  public func key(typing text: String) -> Key? {
    for row in rows {
      for key in row where key.insertText == text { return key }
    }
    return nil
  }

  /// Whether this is one of the host's own layouts.
  public var isSystem: Bool {
    rows.first?.first?.id.hasPrefix(Self.systemPrefix) ?? false
  }

  /// Checks that the layout can be shown: its bounds, that ids are unique, and that nothing drawn
  /// holds control characters.
  public func validate() throws(KeyboardLayoutError) {
    if rows.isEmpty { throw KeyboardLayoutError("the layout has no rows; it needs at least one") }
    if rows.count > Self.maximumRows {
      throw KeyboardLayoutError(
        "the layout has \(rows.count) rows; at most \(Self.maximumRows) are allowed")
    }
    var ids: Set<String> = []
    for (number, row) in rows.enumerated() {
      if row.isEmpty { throw KeyboardLayoutError("row \(number) has no keys") }
      if row.count > Self.maximumKeysInRow {
        throw KeyboardLayoutError(
          "row \(number) has \(row.count) keys; at most \(Self.maximumKeysInRow) are allowed")
      }
      for (column, key) in row.enumerated() {
        if let fault = key.fault {
          throw KeyboardLayoutError("row \(number), key \(column): \(fault)")
        }
        if !ids.insert(key.id).inserted {
          throw KeyboardLayoutError("row \(number), key \(column): a second key has this id")
        }
      }
    }
  }
}

extension Key {
  /// What is wrong with the key, or nil.
  fileprivate var fault: String? {
    if id.isEmpty { return "the id is empty" }
    for (name, text) in [("id", id), ("label", label), ("longPress", longPress ?? "")] {
      if text.utf8.count > KeyboardLayout.maximumTextBytes {
        return "the \(name) has more than \(KeyboardLayout.maximumTextBytes) bytes"
      }
      if text.unicodeScalars.contains(where: \.isControlOrFormatting) {
        return "the \(name) holds a control character"
      }
    }
    if let insertText {
      if insertText.utf8.count > KeyboardLayout.maximumTextBytes {
        return "the insertText has more than \(KeyboardLayout.maximumTextBytes) bytes"
      }
      if !insertText.unicodeScalars.allSatisfy(\.isTypeable) {
        return "the insertText holds a control character that is neither tab nor line break"
      }
    }
    if !(KeyboardLayout.widths.contains(width)) {
      return "the width is not between 0.5 and 10 key units"
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether a keyboard may type the scalar: everything but control characters, of which only tab,
  /// line feed and carriage return are text. Anything else could steer a terminal.
  public var isTypeable: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0x7F..<0xA0: false
    default: true
    }
  }

  /// Whether the scalar could change a terminal or the direction of the text around it: control
  /// characters, line and paragraph separators, and the bidirectional controls.
  public var isControlOrFormatting: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: false
    }
  }
}
