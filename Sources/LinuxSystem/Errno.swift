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
  /// Interrupted by a signal. The C constant is `EINTR`.
  public static let interrupted = Errno(rawValue: 4)
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
  /// The other end of the pipe is closed. The C constant is `EPIPE`.
  public static let brokenPipe = Errno(rawValue: 32)
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
  /// The kernel has the feature, but it is switched off. The C constant is `EOPNOTSUPP`.
  public static let notSupported = Errno(rawValue: 95)
}

extension Errno: CustomStringConvertible {
  /// For example `Permission denied (EACCES)`.
  public var description: String {
    guard let entry = Self.names[rawValue] else { return "error number \(rawValue)" }
    return "\(entry.meaning) (\(entry.name))"
  }

  /// The C constant's name, for example `EACCES`; the number where it has none here.
  public var name: String { Self.names[rawValue]?.name ?? "\(rawValue)" }

  /// The numbers of x86-64 and AArch64 (asm-generic/errno-base.h and errno.h), with the words of
  /// `strerror(3)`: a table, so that a message never depends on the locale.
  private static let names: [Int32: (name: String, meaning: String)] = [
    1: ("EPERM", "Operation not permitted"),
    2: ("ENOENT", "No such file or directory"),
    3: ("ESRCH", "No such process"),
    4: ("EINTR", "Interrupted system call"),
    5: ("EIO", "Input/output error"),
    6: ("ENXIO", "No such device or address"),
    7: ("E2BIG", "Argument list too long"),
    8: ("ENOEXEC", "Exec format error"),
    9: ("EBADF", "Bad file descriptor"),
    10: ("ECHILD", "No child processes"),
    11: ("EAGAIN", "Resource temporarily unavailable"),
    12: ("ENOMEM", "Cannot allocate memory"),
    13: ("EACCES", "Permission denied"),
    14: ("EFAULT", "Bad address"),
    16: ("EBUSY", "Device or resource busy"),
    17: ("EEXIST", "File exists"),
    18: ("EXDEV", "Invalid cross-device link"),
    19: ("ENODEV", "No such device"),
    20: ("ENOTDIR", "Not a directory"),
    21: ("EISDIR", "Is a directory"),
    22: ("EINVAL", "Invalid argument"),
    23: ("ENFILE", "Too many open files in system"),
    24: ("EMFILE", "Too many open files"),
    25: ("ENOTTY", "Inappropriate ioctl for device"),
    26: ("ETXTBSY", "Text file busy"),
    27: ("EFBIG", "File too large"),
    28: ("ENOSPC", "No space left on device"),
    29: ("ESPIPE", "Illegal seek"),
    30: ("EROFS", "Read-only file system"),
    31: ("EMLINK", "Too many links"),
    32: ("EPIPE", "Broken pipe"),
    34: ("ERANGE", "Numerical result out of range"),
    36: ("ENAMETOOLONG", "File name too long"),
    38: ("ENOSYS", "Function not implemented"),
    39: ("ENOTEMPTY", "Directory not empty"),
    40: ("ELOOP", "Too many levels of symbolic links"),
    62: ("ETIME", "Timer expired"),
    75: ("EOVERFLOW", "Value too large for defined data type"),
    87: ("EUSERS", "Too many users"),
    92: ("ENOPROTOOPT", "Protocol not available"),
    93: ("EPROTONOSUPPORT", "Protocol not supported"),
    94: ("ESOCKTNOSUPPORT", "Socket type not supported"),
    95: ("EOPNOTSUPP", "Operation not supported"),
    97: ("EAFNOSUPPORT", "Address family not supported by protocol"),
    98: ("EADDRINUSE", "Address already in use"),
    101: ("ENETUNREACH", "Network is unreachable"),
    99: ("EADDRNOTAVAIL", "Cannot assign requested address"),
    100: ("ENETDOWN", "Network is down"),
    103: ("ECONNABORTED", "Software caused connection abort"),
    104: ("ECONNRESET", "Connection reset by peer"),
    106: ("EISCONN", "Transport endpoint is already connected"),
    110: ("ETIMEDOUT", "Connection timed out"),
    111: ("ECONNREFUSED", "Connection refused"),
    112: ("EHOSTDOWN", "Host is down"),
    113: ("EHOSTUNREACH", "No route to host"),
    115: ("EINPROGRESS", "Operation now in progress"),
    122: ("EDQUOT", "Disk quota exceeded"),
    125: ("ECANCELED", "Operation canceled"),
  ]

  /// Turns the result of a call in `CLinux` into a value or an error.
  @inline(__always)
  static func check(_ result: Int) throws(Errno) -> Int {
    if result < 0 { throw Errno(rawValue: Int32(truncatingIfNeeded: -result)) }
    return result
  }
}
