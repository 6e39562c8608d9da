import LinuxSystem
import PluginManifest
import StrictJSON
import TerminalText

/// Text replacements in a file: what `keyhost replacements list --json` prints, or the property list
/// that a Mac exports its own to (an array of dictionaries with `shortcut` and `phrase`).
public struct TextReplacementFile: Sendable {
  /// The longest file, in bytes.
  public static let sizeLimit = 1 << 20

  /// Those that can be kept, in the order of the file.
  public private(set) var replacements: [TextReplacement] = []
  /// What is wrong with the others, each with its place, safe to show.
  public private(set) var faults: [String] = []
  /// The number of each of ``replacements`` among the entries of the file, from 1.
  private var numbers: [Int] = []

  /// - Throws: when the file cannot be read as a whole.
  public init(path: String) throws(StoreError) {
    let bytes = try fileOperation { () throws(FileError) in
      try OpenFile.contents(of: path, limit: Self.sizeLimit)
    }
    let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    do {
      if start == UInt8(ascii: "{") {
        try read(JSONDocument(parsing: bytes).root)
      } else {
        try read(PropertyList(parsing: bytes))
      }
    } catch let error as JSONError {
      throw StoreError(.refused, "\(path):\(error.line):\(error.column): \(error.message)")
    } catch {
      throw StoreError(.refused, "\(path): \(error)")
    }
  }

  private mutating func read(_ root: JSONValue) throws(JSONError) {
    guard let list = root["replacements"]?.elements else {
      throw root.error("the file has no list `replacements`")
    }
    for (index, element) in list.enumerated() {
      guard let input = element["userInput"]?.string, let text = element["documentText"]?.string
      else {
        let error = element.error("a replacement has the strings `userInput` and `documentText`")
        note("line \(error.line), column \(error.column): \(error.message)")
        continue
      }
      add(TextReplacement(userInput: input, documentText: text), number: index + 1) {
        // To find it is as long as the file.
        let place = element.error("")
        return "line \(place.line), column \(place.column)"
      }
    }
  }

  private mutating func read(_ root: PropertyList) throws(PropertyListError) {
    guard case .array(let list) = root else {
      throw PropertyListError("the property list is \(root.typeName), not an array")
    }
    for (index, element) in list.enumerated() {
      guard case .string(let input)? = element["shortcut"],
        case .string(let text)? = element["phrase"]
      else {
        note("entry \(index + 1): a replacement has the strings `shortcut` and `phrase`")
        continue
      }
      add(TextReplacement(userInput: input, documentText: text), number: index + 1) {
        "entry \(index + 1)"
      }
    }
  }

  private mutating func add(
    _ replacement: TextReplacement, number: Int, at place: () -> String
  ) {
    if let fault = TextReplacementChoices.fault(of: replacement) {
      note("\(place()): \(fault)")
    } else {
      replacements.append(replacement)
      numbers.append(number)
    }
  }

  /// Adds what can be kept to the user's own. What there is no room for is a fault too.
  public mutating func add(to choices: TextReplacementChoices, log: AuditLog) throws(StoreError) {
    for index in try choices.add(replacements, log: log) {
      note("entry \(numbers[index]): \(TextReplacementChoices.noRoom)")
    }
  }

  private mutating func note(_ fault: String) { faults.append(VisibleText.escape(fault)) }
}
