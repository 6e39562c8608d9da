import Glibc

/// The system calls of a keyboard: the only ones this library makes, so that a keyboard needs the
/// C library and nothing else.
enum Transport {
  /// Where the host's messages come from.
  static let input: Int32 = 0
  /// Where the keyboard's messages go.
  static let output: Int32 = 3
  /// What one read takes at most.
  static let chunk = 16_384

  /// Waits until one of the descriptors can be read or is closed by its other end.
  static func wait(_ descriptors: [Int32]) -> [Int32] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = unsafe poll(&polled, nfds_t(polled.count), -1)
    return count > 0 ? polled.filter { $0.revents != 0 }.map(\.fd) : []
  }

  /// Reads what is there; nil when the stream ended or failed.
  static func read(_ buffer: inout [UInt8], from descriptor: Int32) -> Int? {
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return count }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  /// Writes all of it; false when the host does not take it any more.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        unsafe Glibc.write(descriptor, all.baseAddress! + start, bytes.count - start)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      start += count
    }
    return true
  }

  /// Whether there is a host to talk to.
  static var hasHost: Bool { fcntl(output, F_GETFL) >= 0 }

  /// Says something to the host's log of this keyboard.
  static func log(_ message: String) { _ = write(Array((message + "\n").utf8), to: 2) }

  static func exit(_ code: Int32) -> Never { Glibc.exit(code) }
}
