/// The kernel's error numbers in words, for every message and report.
///
/// The numbers of x86-64 and AArch64 (asm-generic/errno-base.h and errno.h), with the words of
/// `strerror(3)`: a table, so that a message never depends on the locale or on a C library.
public enum ErrorNames {
  /// The C constant's name, for example `EACCES`; nil for rare ones.
  public static func name(_ number: Int32) -> String? { table[number]?.name }

  /// For example `Permission denied`; `error number 4000` for rare ones.
  public static func meaning(_ number: Int32) -> String {
    table[number]?.meaning ?? "error number \(number)"
  }

  /// For example `Permission denied (EACCES)`.
  public static func description(_ number: Int32) -> String {
    meaning(number) + (name(number).map { " (\($0))" } ?? "")
  }

  private static let table: [Int32: (name: String, meaning: String)] = [
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
    88: ("ENOTSOCK", "Socket operation on non-socket"),
    89: ("EDESTADDRREQ", "Destination address required"),
    92: ("ENOPROTOOPT", "Protocol not available"),
    93: ("EPROTONOSUPPORT", "Protocol not supported"),
    94: ("ESOCKTNOSUPPORT", "Socket type not supported"),
    95: ("EOPNOTSUPP", "Operation not supported"),
    97: ("EAFNOSUPPORT", "Address family not supported by protocol"),
    98: ("EADDRINUSE", "Address already in use"),
    99: ("EADDRNOTAVAIL", "Cannot assign requested address"),
    100: ("ENETDOWN", "Network is down"),
    101: ("ENETUNREACH", "Network is unreachable"),
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
}
