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
        // Not poll(2) first: a descriptor can be readable before the child may be waited for.
        _ = clinux_wait_for_exit(number)
        FileDescriptor.close(number)
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(number) + 1))
    if code == 0 { pthread_detach(thread) } else { FileDescriptor.close(number) }
  }
}
