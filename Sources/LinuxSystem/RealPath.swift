import Glibc

/// Paths with their links followed.
public enum RealPath {
  /// realpath(3): absolute, no link, no `.` or `..`.
  public static func resolve(_ path: String) throws(Errno) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Where a symbolic link leads, as it is written; nil for anything else.
  public static func link(at path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes.baseAddress.map { base in
        unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          unsafe readlink(path, $0, bytes.count)
        }
      } ?? -1
    }
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
