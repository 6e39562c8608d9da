import CLinux

/// A POSIX message queue, which whoever knows its name may use.
package struct MessageQueue: ~Copyable {
  private let queue: FileDescriptor
  private let name: String

  /// - Parameter name: of a queue that is not there yet, without the slash that begins it.
  package init(name: String) throws(Errno) {
    self.name = "/\(name)"
    queue = FileDescriptor(
      owning: Int32(try Errno.check(unsafe clinux_message_queue("/\(name)"))))
  }

  package borrowing func send(_ bytes: [UInt8]) throws(Errno) {
    _ = try Errno.check(
      unsafe bytes.withUnsafeBytes {
        unsafe clinux_message_send(queue.rawValue, $0.baseAddress, $0.count)
      })
  }

  /// Removes a queue by its name, as in `init(name:)`, if it is this user's.
  package static func remove(_ name: String) { _ = unsafe clinux_message_queue_remove("/\(name)") }

  deinit { _ = unsafe clinux_message_queue_remove(name) }
}
