import TerminalText

/// Writes HTML that nothing from outside can break out of: text and attribute values are made safe
/// to show and escaped, and names of elements and attributes are the program's own.
struct HTMLWriter {
  private(set) var text = ""

  /// Longer texts from outside are cut, in bytes.
  private static let limit = 400

  /// An element with what the closure writes inside it.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ content: (inout HTMLWriter) -> Void
  ) {
    open(name, attributes)
    content(&self)
    text += "</\(name)>"
  }

  /// An element with nothing but text in it.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>, _ text: String
  ) {
    element(name, attributes) { $0.write(text) }
  }

  /// An element with nothing but text in it, and no attributes.
  mutating func element(_ name: StaticString, _ text: String) { element(name, [:], text) }

  /// An element that has no content and no end, or an empty one of SVG.
  mutating func empty(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    open(name, attributes)
    text.removeLast()
    text += "/>"
  }

  /// Text of the program or from outside.
  mutating func write(_ string: String) { text += Self.escape(string) }

  /// Text from outside, which may be of a script that runs the other way: what stands beside it
  /// keeps its place.
  mutating func foreign(_ string: String) { element("bdi", string) }

  /// The program's own words, as they are: the style sheet, the document type.
  mutating func verbatim(_ string: StaticString) { text += "\(string)" }

  mutating func newline() { text += "\n" }

  private mutating func open(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
  ) {
    text += "<\(name)"
    for (key, value) in attributes { text += " \(key)=\"\(Self.escape(value))\"" }
    text += ">"
  }

  private static func escape(_ string: String) -> String {
    var result = ""
    for scalar in VisibleText.escape(string, limit: limit).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
