/// A system call that waits for the supervisor's answer (`struct seccomp_notif`).
public struct SeccompNotification: Sendable, Hashable {
  /// The kernel's name for this notification; answers carry it.
  public var id: UInt64
  /// The calling thread, in the supervisor's process namespace; 0 when it is not visible there.
  public var pid: Int32
  /// An `AUDIT_ARCH` value.
  public var architecture: UInt32
  /// The call's number.
  public var number: Int32
  /// The six arguments. What pointers point to may change at any moment: never decide by it.
  public var arguments: [UInt64]
  /// Where the call was made.
  public var instructionPointer: UInt64

  public init(
    id: UInt64, pid: Int32, architecture: UInt32, number: Int32, arguments: [UInt64],
    instructionPointer: UInt64
  ) {
    self.id = id
    self.pid = pid
    self.architecture = architecture
    self.number = number
    self.arguments = arguments
    self.instructionPointer = instructionPointer
  }

  /// The call's name, or its number when libseccomp knows no name for it.
  public var systemCall: String {
    systemCallName(UInt32(bitPattern: number), auditArchitecture: architecture)
      ?? "system call \(number)"
  }
}
