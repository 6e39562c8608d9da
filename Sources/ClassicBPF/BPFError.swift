/// Why a program cannot be read or would be refused by the kernel.
public struct BPFError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for a person.
  public var message: String
  /// The instruction it is about, counted from 0; nil when it is about the whole program.
  public var instruction: Int?
  /// An input that gets to the instruction; nil when it is not about following a program.
  public var input: SeccompData?

  public init(_ message: String, instruction: Int? = nil, input: SeccompData? = nil) {
    self.message = message
    self.instruction = instruction
    self.input = input
  }

  /// The message with its place in front.
  public var description: String {
    if let instruction { "instruction \(instruction): \(message)" } else { message }
  }
}
