import Glibc

/// The descriptors 0, 1 and 2, which a program finds open; almost always.
public enum StandardDescriptors {
  /// Takes the numbers of those that are closed, so that no file that is opened later gets one and what is
  /// written for a person goes into it. To be called before anything is opened. Reading from and writing to
  /// them fails as before, with `EBADF`.
  ///
  /// - Throws: when that is not possible.
  public static func fill() throws(Errno) {
    for number in 0...2 as ClosedRange<Int32> where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      let direction = number == 0 ? O_WRONLY : O_RDONLY
      guard unsafe open("/dev/null", direction | O_NOFOLLOW) == number else {
        throw .badFileDescriptor
      }
    }
  }
}
