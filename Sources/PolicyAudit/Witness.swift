import ClassicBPF
import SandboxPolicy

/// One system call that shows something, in a form that can be made.
public struct Witness: Sendable, Hashable, CustomStringConvertible {
  public var input: SeccompData
  public var architecture: SeccompArchitecture?
  /// The call's name, where the table knows one.
  public var systemCall: String?
  /// What the filter answers.
  public var action: SeccompAction

  /// Architecture, call and the six arguments in hexadecimal.
  public var description: String {
    let place =
      architecture.map(CallSpace.shortName) ?? "architecture \(hexadecimal(input.architecture))"
    let name = systemCall ?? "call \(input.number)"
    let arguments = input.arguments.map { hexadecimal($0) }.joined(separator: ", ")
    return "\(place) \(name)(\(arguments)) [number \(hexadecimal(input.number))] -> \(action)"
  }

  /// What the kernel must be built with for the call to be possible; nil for the machine's own.
  public var requirement: String? {
    switch architecture {
    case .x86?: "needs a kernel that runs 32-bit programs (CONFIG_IA32_EMULATION)"
    case .x32?: "needs a kernel that runs x32 programs (CONFIG_X86_X32_ABI)"
    case nil: "needs a kernel that runs programs of that architecture"
    default: nil
    }
  }

  /// - Parameter space: names the call.
  public init(_ input: SeccompData, action: SeccompAction, space: CallSpace) {
    self.input = input
    self.action = action
    let isX32 =
      input.architecture == SeccompArchitecture.x32.auditValue
      && SeccompArchitecture.isX32(number: input.number)
    architecture = space.architectures.first {
      $0.auditValue == input.architecture && ($0 == .x32) == isX32
    }
    systemCall = architecture.flatMap { space.table.name(of: input.number, on: $0) }
  }
}
