import LinuxSystem
import Seccomp

extension SandboxedChild {
  /// - Parameter memory: what was read of the address.
  func connectRequest(_ notification: SeccompNotification, _ memory: [UInt8]?) -> ConnectRequest {
    // The kernel reads ints.
    let length = Int(Int32(truncatingIfNeeded: notification.arguments[2]))
    return ConnectRequest(
      id: notification.id, descriptor: Int32(truncatingIfNeeded: notification.arguments[0]),
      address: (1...128).contains(length) ? memory : nil)
  }

  /// Whether the keyboard still waits in the call. Ask after everything that was taken from it.
  public func isWaiting(_ request: ConnectRequest) -> Bool {
    listener?.isValid(request.id) ?? false
  }

  /// A duplicate of the descriptor that the keyboard connects, for looking at. As long as it is
  /// open, the keyboard's own close ends nothing.
  public func takeDescriptor(of request: ConnectRequest) throws(Errno) -> FileDescriptor {
    guard let taken = try keyboard?.takeDescriptor(request.descriptor) else {
      throw .noSuchProcess
    }
    return taken
  }

  /// Puts a copy of a connected socket in the place of the keyboard's descriptor, and lets the call
  /// succeed.
  ///
  /// - Returns: whether the keyboard was still there to get it.
  public func complete(
    _ request: ConnectRequest, with socket: borrowing FileDescriptor
  ) throws(SeccompError) -> Bool {
    guard
      try listener?.addDescriptor(
        to: request.id, source: socket.rawValue, replacing: request.descriptor, closeOnExec: true)
        != nil
    else { return false }
    return try listener?.respond(to: request.id, .success(0)) ?? false
  }

  /// Lets the call fail. A keyboard that is gone needs no answer.
  public func refuse(_ request: ConnectRequest, _ error: Errno) {
    _ = try? listener?.respond(to: request.id, .error(error.rawValue))
  }

  /// The user id the keyboard has instead of the host's; nil when it has the host's.
  public var identity: UInt32? { request.identity }
}
