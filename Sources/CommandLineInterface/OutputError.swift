import Glibc

/// The standard output could not be written to, as on a full disk.
public struct OutputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kernel's error number.
  public var code: Int32

  public init(code: Int32) { self.code = code }

  public var description: String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = unsafe strerror_r(code, &buffer, buffer.count)
    let reason = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "cannot write to the standard output: \(reason)"
  }
}
