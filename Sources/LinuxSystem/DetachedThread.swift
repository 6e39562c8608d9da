import Glibc

/// Threads that nobody waits for.
public enum DetachedThread {
  /// What a thread has, until it lets go of it.
  private final class Task: Sendable {
    let work: @Sendable () -> Void
    let last: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void, _ last: @escaping @Sendable () -> Void) {
      self.work = work
      self.last = last
    }
  }

  /// Begins a thread, which ends when `work` returns.
  /// - Parameters:
  ///   - work: is let go of in the thread, with all that it alone holds: what waits in closing a
  ///     descriptor waits there.
  ///   - last: is done behind that. It is not done when the thread cannot be had.
  /// - Throws: the error of pthread_create(3); nothing was done then.
  public static func begin(
    _ work: @escaping @Sendable () -> Void, last: @escaping @Sendable () -> Void = {}
  ) throws(Errno) {
    var thread = pthread_t()
    let task = unsafe Unmanaged.passRetained(Task(work, last))
    let result = unsafe pthread_create(
      &thread, nil, { unsafe DetachedThread.run($0) }, task.toOpaque())
    guard result == 0 else {
      unsafe task.release()
      throw Errno(rawValue: result)
    }
    pthread_detach(thread)
  }

  private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    var task: Task? = unsafe Unmanaged<Task>.fromOpaque(context).takeRetainedValue()
    task?.work()
    let last = task?.last
    task = nil
    last?()
    return nil
  }
}
