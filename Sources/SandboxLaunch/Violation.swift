/// A system call that a keyboard tried and was refused, told by the kernel and never by the
/// keyboard itself.
public struct Violation: Sendable, Equatable {
  /// The call's name, or its number in words if nobody knows it.
  public let systemCall: String
  /// The six arguments as the kernel got them.
  public let arguments: [UInt64]
  /// For people and the log, for example `socket family AF_INET, type SOCK_STREAM`. Text that the
  /// keyboard chose (a path) is escaped.
  public let detail: String
  /// No keyboard calls this by mistake: the keyboard has been killed.
  public let isHopeless: Bool
  /// Whether the listener refused it. An open for writing is left to the file layers, whose answer
  /// the host does not learn.
  public let isRefused: Bool
  /// Whether it is an open that the file layers cannot but refuse: for writing, by a plain path outside what
  /// the keyboard may write, with Landlock and the private root in force.
  public let isBeyondFileRules: Bool
  /// The thread that made the call, as the host counts processes.
  public let thread: Int32

  public init(
    systemCall: String, arguments: [UInt64], detail: String, isHopeless: Bool, isRefused: Bool,
    isBeyondFileRules: Bool = false, thread: Int32
  ) {
    self.systemCall = systemCall
    self.arguments = arguments
    self.detail = detail
    self.isHopeless = isHopeless
    self.isRefused = isRefused
    self.isBeyondFileRules = isBeyondFileRules
    self.thread = thread
  }
}
