/// What a program did: its output, whole, and how it ended.
public struct ProgramResult: Sendable {
  /// How a program ended.
  public enum End: Sendable, Equatable {
    /// It exited with this code.
    case exited(Int32)
    /// A signal ended it.
    case signaled(Int32)
    /// It was still running when its deadline passed, and was killed by the test.
    case timedOut
  }

  public var end: End
  public var standardOutputBytes: [UInt8]
  public var standardErrorBytes: [UInt8]
  /// From the start to the end, in seconds.
  public var duration: Double

  /// The exit code; 128 + the signal's number for a signal, as in a shell; -1 past the deadline.
  public var exitCode: Int32 {
    switch end {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    case .timedOut: -1
    }
  }

  public var standardOutput: String { String(decoding: standardOutputBytes, as: UTF8.self) }
  public var standardError: String { String(decoding: standardErrorBytes, as: UTF8.self) }

  /// The lines of standard output, without their newlines; empty ones left out.
  public var lines: [String] { standardOutput.split(separator: "\n").map(String.init) }
}

extension ProgramResult: CustomStringConvertible {
  /// Everything a failed expectation should show.
  public var description: String {
    "\(end) after \(duration) s\n--- output\n\(standardOutput)\n--- errors\n\(standardError)"
  }
}
