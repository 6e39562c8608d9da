import CLinux
import Glibc

/// A set of one System V semaphore, which whoever knows its key may use.
package struct SharedSemaphore: ~Copyable {
  private let set: Int32

  /// - Parameter key: of a set that is not there yet.
  package init(key: Int32) throws(Errno) {
    set = semget(key, 1, IPC_CREAT | IPC_EXCL | 0o666)
    guard set >= 0 else { throw Errno(rawValue: errno) }
  }

  /// Zero at first.
  package var value: Int { clinux_semaphore_value(set) }

  /// Removes a set by its identifier, if it is this user's.
  package static func remove(_ identifier: Int32) { _ = clinux_semaphore_remove(identifier) }

  deinit { _ = clinux_semaphore_remove(set) }
}
