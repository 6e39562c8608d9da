/// Writes XML property lists for fixtures, wrong ones as well.
public indirect enum PropertyListText: Sendable {
  case string(String)
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case array([PropertyListText])
  case dictionary([(String, PropertyListText)])
  /// Markup as it is.
  case raw(String)

  /// The whole document.
  public var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(markup)
    </plist>

    """
  }

  private var markup: String {
    switch self {
    case .string(let text): "<string>\(Self.escape(text))</string>"
    case .boolean(let value): value ? "<true/>" : "<false/>"
    case .integer(let value): "<integer>\(value)</integer>"
    case .real(let value): "<real>\(value)</real>"
    case .array(let values): "<array>\(values.map(\.markup).joined())</array>"
    case .dictionary(let members):
      "<dict>"
        + members.map { "<key>\(Self.escape($0.0))</key>\($0.1.markup)\n" }.joined()
        + "</dict>"
    case .raw(let markup): markup
    }
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// A dictionary with a member replaced, added, or (with nil) left out.
  public func setting(_ key: String, to value: PropertyListText?) -> PropertyListText {
    guard case .dictionary(var members) = self else { return self }
    let place = members.firstIndex { $0.0 == key }
    switch (place, value) {
    case (let place?, let value?): members[place].1 = value
    case (let place?, nil): members.remove(at: place)
    case (nil, let value?): members.append((key, value))
    case (nil, nil): break
    }
    return .dictionary(members)
  }

  /// A member of a dictionary.
  public subscript(_ key: String) -> PropertyListText? {
    guard case .dictionary(let members) = self else { return nil }
    return members.first { $0.0 == key }?.1
  }
}
