/// Linux error numbers by name, for people who read policies.
public enum ErrorNumber {
  static let names: [UInt16: String] = [
    1: "EPERM", 2: "ENOENT", 3: "ESRCH", 4: "EINTR", 5: "EIO", 6: "ENXIO", 7: "E2BIG",
    8: "ENOEXEC", 9: "EBADF", 10: "ECHILD", 11: "EAGAIN", 12: "ENOMEM", 13: "EACCES",
    14: "EFAULT", 16: "EBUSY", 17: "EEXIST", 18: "EXDEV", 19: "ENODEV", 20: "ENOTDIR",
    21: "EISDIR", 22: "EINVAL", 23: "ENFILE", 24: "EMFILE", 25: "ENOTTY", 27: "EFBIG",
    28: "ENOSPC", 29: "ESPIPE", 30: "EROFS", 32: "EPIPE", 34: "ERANGE", 36: "ENAMETOOLONG",
    38: "ENOSYS", 39: "ENOTEMPTY", 40: "ELOOP", 75: "EOVERFLOW", 88: "ENOTSOCK", 89: "EDESTADDRREQ",
    92: "ENOPROTOOPT", 93: "EPROTONOSUPPORT", 95: "EOPNOTSUPP", 97: "EAFNOSUPPORT",
    98: "EADDRINUSE", 101: "ENETUNREACH", 110: "ETIMEDOUT", 111: "ECONNREFUSED",
    113: "EHOSTUNREACH",
  ]

  /// The name of an error number on x86-64 and most other architectures; nil for rare ones.
  public static func name(_ number: UInt16) -> String? { names[number] }
}
