import CLinux
import Glibc

/// The capability sets of the calling thread.
public enum Capabilities {
  /// The highest capability the running kernel may know: the loops below end at the first it
  /// does not.
  private static let end: UInt = 64

  /// Effective, permitted and inheritable, all emptied.
  public static func clear() throws(Errno) { _ = try Errno.check(clinux_capset(0, 0, 0)) }

  /// PR_CAP_AMBIENT_CLEAR_ALL.
  public static func clearAmbient() throws(Errno) {
    _ = try Errno.check(clinux_prctl(47, 4, 0, 0, 0))
  }

  /// PR_CAPBSET_DROP for each that the kernel knows. Needs CAP_SETPCAP.
  public static func clearBounding() throws(Errno) {
    for number in 0..<end {
      let result = clinux_prctl(24, number, 0, 0, 0)
      if result == -Int(EINVAL) { return }
      _ = try Errno.check(result)
    }
  }

  /// Whether the bounding set is empty.
  public static var boundingIsEmpty: Bool {
    for number in 0..<end {
      let result = clinux_prctl(23, number, 0, 0, 0)
      if result < 0 { return true }
      if result == 1 { return false }
    }
    return true
  }

  /// Whether effective, permitted and inheritable are all empty.
  public static var areEmpty: Bool {
    var sets: (UInt64, UInt64, UInt64) = (0, 0, 0)
    guard unsafe clinux_capget(&sets.0, &sets.1, &sets.2) == 0 else { return false }
    return sets == (0, 0, 0)
  }
}
