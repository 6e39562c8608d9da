import Glibc

extension ProcessHandle {
  /// Has every connection of the process reset when its last descriptor is closed, as by the process's
  /// end: what was written to it and has not left this machine is dropped then, and not delivered.
  ///
  /// Descriptors that cannot be had are left out; what the process has closed already cannot be reached.
  /// The process has to be stopped before and killed behind it: what it opens meanwhile is not reached. It
  /// needs the right to trace it (pidfd_getfd(2)).
  /// - Parameter process: its number, which the handle does not know.
  public borrowing func dropUnsent(of process: Int32) {
    guard let folder = try? DirectoryHandle(path: "/proc/\(process)/fd"),
      let names = try? folder.names()
    else { return }
    for name in names {
      guard let number = name.string.flatMap({ Int32($0) }),
        let taken = try? takeDescriptor(number)
      else { continue }
      // A time of zero makes close(2) reset: socket(7). What is no socket has no such option.
      var abort = linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(
        taken.rawValue, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
    }
  }
}
