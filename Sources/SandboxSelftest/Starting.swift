import LinuxSystem
import Synchronization

/// One start of a process at a time: what a careless starter leaves open for one attacker must not
/// be open in another that is started by another thread.
enum Starting {
  private static let lock = Mutex(())

  /// Starts a process.
  ///
  /// - Parameter descriptors: descriptors of this process that stay open in the new one, by their
  ///   own numbers.
  static func one<Started>(
    leavingOpen descriptors: [Int32] = [], _ start: () throws -> Started
  ) throws -> Started {
    try lock.withLock { _ in
      for descriptor in descriptors { try FileDescriptor.setCloseOnExec(descriptor, false) }
      defer {
        for descriptor in descriptors { try? FileDescriptor.setCloseOnExec(descriptor, true) }
      }
      return try start()
    }
  }
}
