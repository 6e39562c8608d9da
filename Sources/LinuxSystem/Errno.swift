import ErrorNames

/// An error number of the kernel, as `errno(3)` names it.
public struct Errno: Error, Equatable, Hashable, RawRepresentable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Operation not permitted. The C constant is `EPERM`.
  public static let notPermitted = Errno(rawValue: 1)
  /// No such file or directory. The C constant is `ENOENT`.
  public static let noSuchFile = Errno(rawValue: 2)
  /// No such process. The C constant is `ESRCH`.
  public static let noSuchProcess = Errno(rawValue: 3)
  /// Input or output error. The C constant is `EIO`.
  public static let ioError = Errno(rawValue: 5)
  /// Bad file descriptor. The C constant is `EBADF`.
  public static let badFileDescriptor = Errno(rawValue: 9)
  /// No child processes. The C constant is `ECHILD`.
  public static let noChildProcess = Errno(rawValue: 10)
  /// The operation would block. The C constant is `EAGAIN`.
  public static let wouldBlock = Errno(rawValue: 11)
  /// Permission denied. The C constant is `EACCES`.
  public static let permissionDenied = Errno(rawValue: 13)
  /// Bad address. The C constant is `EFAULT`.
  public static let badAddress = Errno(rawValue: 14)
  /// File exists. The C constant is `EEXIST`.
  public static let fileExists = Errno(rawValue: 17)
  /// Not a directory. The C constant is `ENOTDIR`.
  public static let notDirectory = Errno(rawValue: 20)
  /// Invalid argument. The C constant is `EINVAL`.
  public static let invalidArgument = Errno(rawValue: 22)
  /// Too many files are open in this process. The C constant is `EMFILE`.
  public static let tooManyFiles = Errno(rawValue: 24)
  /// The name is too long. The C constant is `ENAMETOOLONG`.
  public static let nameTooLong = Errno(rawValue: 36)
  /// The address is in use. The C constant is `EADDRINUSE`.
  public static let addressInUse = Errno(rawValue: 98)
  /// The other end of the pipe is closed. The C constant is `EPIPE`.
  public static let brokenPipe = Errno(rawValue: 32)
  /// What was received cannot be read. The C constant is `EPROTO`.
  public static let protocolError = Errno(rawValue: 71)
  /// Protocol not supported. The C constant is `EPROTONOSUPPORT`.
  public static let unsupportedProtocol = Errno(rawValue: 93)
  /// Address family not supported. The C constant is `EAFNOSUPPORT`.
  public static let unsupportedFamily = Errno(rawValue: 97)
  /// Software caused connection abort. The C constant is `ECONNABORTED`.
  public static let connectionAborted = Errno(rawValue: 103)
  /// Connection reset by peer. The C constant is `ECONNRESET`.
  public static let connectionReset = Errno(rawValue: 104)
  /// Transport endpoint is connected already. The C constant is `EISCONN`.
  public static let alreadyConnected = Errno(rawValue: 106)
  /// Connection timed out. The C constant is `ETIMEDOUT`.
  public static let timedOut = Errno(rawValue: 110)
  /// Connection refused. The C constant is `ECONNREFUSED`.
  public static let connectionRefused = Errno(rawValue: 111)
  /// Operation now in progress. The C constant is `EINPROGRESS`.
  public static let inProgress = Errno(rawValue: 115)
  /// The kernel does not have the call. The C constant is `ENOSYS`.
  public static let notImplemented = Errno(rawValue: 38)
}

extension Errno: CustomStringConvertible {
  /// For example `Permission denied (EACCES)`.
  public var description: String { ErrorNames.description(rawValue) }

  /// The C constant's name, for example `EACCES`; the number where it has none here.
  public var name: String { ErrorNames.name(rawValue) ?? "\(rawValue)" }

  /// Turns the result of a call in `CLinux` into a value or an error.
  @inline(__always)
  static func check(_ result: Int) throws(Errno) -> Int {
    if result < 0 { throw Errno(rawValue: Int32(truncatingIfNeeded: -result)) }
    return result
  }
}
