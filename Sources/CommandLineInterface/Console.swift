import Glibc
import TerminalText

/// Where a command writes, and where it asks.
///
/// Whatever goes through here is safe for a terminal: control characters other than the newline
/// and the tab, and characters that reorder text, come out as visible escapes. A text from outside
/// should still be escaped by itself before it goes into a line, since its newlines are not
/// the command's.
public struct Console: Sendable {
  private let output: Int32
  private let errorOutput: Int32
  private let input: Int32

  public init(output: Int32 = 1, errorOutput: Int32 = 2, input: Int32 = 0) {
    self.output = output
    self.errorOutput = errorOutput
    self.input = input
  }

  /// Prints a line, or several, to the standard output.
  public func print(_ text: String = "") throws(OutputError) {
    try write(Self.safe(text) + "\n", to: output)
  }

  /// Prints bytes that are safe by themselves, such as JSON of this program's own writer.
  public func print(raw bytes: [UInt8]) throws(OutputError) { try write(bytes, to: output) }

  /// Prints a line, or several, to the standard error output. A failure there has nobody to
  /// be told to.
  public func printError(_ text: String) { try? write(Self.safe(text) + "\n", to: errorOutput) }

  /// Whether somebody sits there who can be asked.
  public var isInteractive: Bool { isatty(input) == 1 && isatty(errorOutput) == 1 }

  /// Whether the standard output goes to a terminal.
  public var outputIsTerminal: Bool { isatty(output) == 1 }

  /// Whether the standard input comes from a terminal.
  public var inputIsTerminal: Bool { isatty(input) == 1 }

  /// How long an answer may take before one who is not at a terminal is asked, in milliseconds.
  private static let promptDelay: Int32 = 500

  /// Asks a question with yes as the answer to an empty line. An answer may also come from a pipe
  /// or a file; the question is then shown only to one who keeps it waiting.
  /// - Returns: nil when the input has ended, so that nobody answers.
  /// - Throws: ``UsageError`` for an answer that is neither, from one who cannot be asked again.
  public func confirm(_ question: String) throws(UsageError) -> Bool? {
    let isInteractive = isInteractive
    while true {
      if isInteractive || isWaiting { try? write(Self.safe(question) + " [Y/n] ", to: errorOutput) }
      guard let line = readAnswer() else { return nil }
      switch line.lowercased() {
      case "", "y", "yes": return true
      case "n", "no": return false
      default:
        guard isInteractive else {
          throw UsageError(
            "`\(VisibleText.escape(line, limit: 40))` on the standard input is neither y nor n: "
              + question)
        }
        printError("Please answer y or n.")
      }
    }
  }

  private var isWaiting: Bool {
    guard input >= 0 else { return false }
    var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, Self.promptDelay) == 0
  }

  /// The next line of the standard input, without its newline; nil at its end. A longer one is cut.
  public func readLine(upTo limit: Int = 8192) -> String? { readAnswer(limit) }

  private func readAnswer(_ limit: Int = 1024) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < limit {
      let count = unsafe read(input, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func safe(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { VisibleText.escape(String($0)) }.joined(separator: "\t")
    }.joined(separator: "\n")
  }

  private func write(_ text: String, to descriptor: Int32) throws(OutputError) {
    try write(Array(text.utf8), to: descriptor)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A terminal or pipe that somebody else made non-blocking: wait until it takes more.
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&entry, 1, -1)
      } else if errno != EINTR {
        throw OutputError(code: errno)
      }
    }
  }
}
