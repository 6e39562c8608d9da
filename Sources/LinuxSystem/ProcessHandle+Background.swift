import CLinux
import Glibc

extension ProcessHandle {
  /// Has a thread wait for a child that was killed and takes its time to go, so that it does not
  /// stay a zombie for as long as this process lives. Returns at once.
  public borrowing func reapInBackground() {
    guard let number = try? duplicate(minimum: 0).release() else { return }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        let number = Int32(Int(bitPattern: argument) - 1)
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while unsafe Glibc.poll(&entry, 1, -1) < 0, errno == EINTR {}
        var result = clinux_wait_result()
        _ = unsafe clinux_waitid(1, number, WaitOptions.exited.rawValue, &result)
        FileDescriptor.close(number)
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(number) + 1))
    if code == 0 { pthread_detach(thread) } else { FileDescriptor.close(number) }
  }
}
