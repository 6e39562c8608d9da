/// The commands of a document's fenced `console` blocks, with the output shown for each.
public struct ConsoleTranscript: Sendable {
  public struct Step: Sendable {
    /// What is typed after `$ `; a line that ends in a backslash goes on in the next.
    public var command: String
    /// The lines shown below it; a line `...` stands for any number of lines.
    public var output: [String]
    /// The line of the document, from 1.
    public var line: Int
  }

  public var steps: [Step] = []

  public init(markdown: String) {
    var isInside = false
    var goesOn = false
    for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.hasPrefix("```") {
        isInside = line == "```console"
        goesOn = false
      } else if isInside {
        if goesOn {
          steps[steps.count - 1].command += "\n" + line
          goesOn = line.hasSuffix("\\")
        } else if line.hasPrefix("$ ") {
          steps.append(Step(command: String(line.dropFirst(2)), output: [], line: index + 1))
          goesOn = line.hasSuffix("\\")
        } else if !steps.isEmpty {
          steps[steps.count - 1].output.append(String(line))
        }
      }
    }
  }

  /// Whether the actual lines are those shown, where a shown `...` matches any lines.
  public static func matches(_ actual: ArraySlice<String>, shown: ArraySlice<String>) -> Bool {
    guard let first = shown.first else { return actual.isEmpty }
    if first == "..." {
      return matches(actual, shown: shown.dropFirst())
        || (!actual.isEmpty && matches(actual.dropFirst(), shown: shown))
    }
    return actual.first == first && matches(actual.dropFirst(), shown: shown.dropFirst())
  }
}
