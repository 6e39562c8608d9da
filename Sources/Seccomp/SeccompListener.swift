import CLinux
import Glibc

/// The supervisor's end of a filter with notify rules. Poll its descriptor for input; none of the
/// methods waits.
public struct SeccompListener: ~Copyable {
  /// What the supervisor answers to a notified call.
  public enum Response: Sendable, Hashable {
    /// The call fails with this error number (positive).
    case error(Int32)
    /// The kernel runs the call after all. Only sound when something else decides: the caller's
    /// memory may have changed since it was looked at.
    case `continue`
    /// The call returns this value without having run.
    case success(Int64)
  }

  /// The descriptor, owned by this value. Readable while notifications wait; hung up once no
  /// process is left under the filter.
  public let descriptor: Int32
  private let notificationSize: UInt16
  private let responseSize: UInt16

  /// Takes ownership of a listener's descriptor, also when this fails.
  public init(descriptor: Int32) throws(SeccompError) {
    var sizes = seccomp_notif_sizes()
    let result = unsafe keyhost_seccomp_sizes(&sizes)
    self.descriptor = descriptor
    notificationSize = sizes.seccomp_notif
    responseSize = sizes.seccomp_notif_resp
    if result < 0 {
      throw SeccompError(
        "cannot ask for the sizes of seccomp notifications", errorNumber: -result)
    }
  }

  deinit { close(descriptor) }

  /// The next waiting notification, or nil when there is none.
  ///
  /// A caller that is killed takes its notification with it, which is no error.
  public func receive() throws(SeccompError) -> SeccompNotification? {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, 0)
      if ready < 0 {
        if errno == EINTR { continue }
        throw SeccompError("cannot poll the seccomp listener", errorNumber: errno)
      }
      guard entry.revents & Int16(POLLIN) != 0 else { return nil }
      var notification = seccomp_notif()
      let result = unsafe keyhost_seccomp_receive(descriptor, notificationSize, &notification)
      switch -result {
      case 0:
        let arguments = notification.data.args
        return SeccompNotification(
          id: notification.id, pid: Int32(bitPattern: notification.pid),
          architecture: notification.data.arch, number: notification.data.nr,
          arguments: [
            arguments.0, arguments.1, arguments.2, arguments.3, arguments.4, arguments.5,
          ],
          instructionPointer: notification.data.instruction_pointer)
      case EINTR, ENOENT: continue
      default:
        throw SeccompError("cannot receive a seccomp notification", errorNumber: -result)
      }
    }
  }

  /// Whether the caller still waits for this answer. Ask after everything that was read from the
  /// caller, or it may have been read from another process with the same number.
  public func isValid(_ id: UInt64) -> Bool {
    keyhost_seccomp_id_valid(descriptor, id) == 0
  }

  /// Answers a notification.
  ///
  /// - Returns: false when the caller is gone or no longer waits, which is no error.
  @discardableResult
  public func respond(to id: UInt64, _ response: Response) throws(SeccompError) -> Bool {
    let result =
      switch response {
      case .error(let number):
        // An error of 0 would report success.
        keyhost_seccomp_send(descriptor, responseSize, id, 0, -abs(number == 0 ? EPERM : number), 0)
      case .continue:
        keyhost_seccomp_send(
          descriptor, responseSize, id, 0, 0, UInt32(SECCOMP_USER_NOTIF_FLAG_CONTINUE))
      case .success(let value):
        keyhost_seccomp_send(descriptor, responseSize, id, value, 0, 0)
      }
    switch -result {
    case 0: return true
    case ENOENT, EINPROGRESS: return false
    default: throw SeccompError("cannot answer a seccomp notification", errorNumber: -result)
    }
  }

  /// Puts a copy of one of the supervisor's descriptors into the caller's table.
  ///
  /// - Parameters:
  ///   - id: the notification whose caller gets it; it still waits for its answer.
  ///   - source: the supervisor's descriptor; it stays open.
  ///   - replacing: the caller's descriptor to replace (`SECCOMP_ADDFD_FLAG_SETFD`), or nil for
  ///     the lowest free number.
  ///   - closeOnExec: whether the new descriptor is closed when a program is started.
  /// - Returns: the caller's number for it, or nil when the caller is gone.
  public func addDescriptor(
    to id: UInt64, source: Int32, replacing: Int32? = nil, closeOnExec: Bool = false
  ) throws(SeccompError) -> Int32? {
    let result = keyhost_seccomp_add_descriptor(
      descriptor, id, UInt32(bitPattern: source),
      replacing == nil ? 0 : UInt32(SECCOMP_ADDFD_FLAG_SETFD),
      UInt32(bitPattern: replacing ?? 0), closeOnExec ? UInt32(O_CLOEXEC) : 0)
    if result >= 0 { return result }
    if -result == ENOENT || -result == EINPROGRESS { return nil }
    throw SeccompError(
      "cannot hand a descriptor to the caller of a notified call", errorNumber: -result)
  }
}
