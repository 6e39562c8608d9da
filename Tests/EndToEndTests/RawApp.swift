import Glibc
import TestSupport
import Testing

/// An app made of bytes, for what no client library would do.
final class RawApp {
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var isAtEnd = false

  /// - Parameter implementsQuestion: nil to say nothing at all.
  init(_ path: String, implementsQuestion: Bool? = false) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
    guard let implementsQuestion else { return }
    call(
      1, "initialize",
      #""protocolVersions":[1],"appIdentifier":"org.example.raw","#
        + #""implementsShouldAllowExtensionPoint":\#(implementsQuestion),"presentsKeyboard":true,"#
        + #""screen":{"width":375,"height":667,"orientation":"portrait"}"#)
    _ = try reply(1)
  }

  deinit { close(descriptor) }

  func send(_ line: String) { write(Array((line + "\n").utf8)) }

  func call(_ id: Int, _ method: String, _ params: String) {
    send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#)
  }

  /// Writes all of it, however long that takes; less when the other end has gone.
  func write(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      offset += count
    }
  }

  /// Writes what is taken at once.
  /// - Returns: how many bytes that were; nil when the other end has gone.
  func offer(_ bytes: [UInt8]) -> Int? {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
    }
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }

  /// The next line, or nil at the end, or after so many milliseconds.
  func line(within milliseconds: Int32 = 60_000) -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard !isAtEnd, poll(&polled, 1, milliseconds) > 0 else { return nil }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &chunk, chunk.count)
      if count <= 0 { isAtEnd = true } else { buffer += chunk[..<count] }
    }
  }

  /// The answer to a request, with whatever came before it passed over.
  func reply(_ id: Int) throws -> String {
    while true {
      let line = try #require(self.line(), "no answer to \(id)")
      if line.contains("\"id\":\(id),"), !line.contains("\"method\"") { return line }
    }
  }
}
