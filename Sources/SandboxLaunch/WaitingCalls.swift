import LinuxSystem
import Seccomp
import Synchronization

/// The calls of a keyboard that wait for an answer. What its memory has to say to them is read in a thread
/// of its own: the kernel reads behind the lock of that memory, which the keyboard's other threads can hold
/// for seconds, and nobody but the call that waits is to wait for that.
///
/// Not `Sendable`: the owner's thread owns it.
final class WaitingCalls {
  /// What the thread shares with the owner; it lives as long as either.
  private final class Shared: Sendable {
    struct State {
      var unread: [SeccompNotification] = []
      var read: [(SeccompNotification, [UInt8]?)] = []
    }
    let state = Mutex(State())
    let end: FileDescriptor

    init(end: consuming FileDescriptor) { self.end = end }

    /// Ends when the owner has let go of its end.
    func run() {
      while let word = try? end.read(upTo: 1), !word.isEmpty {
        guard let next = state.withLock({ $0.unread.isEmpty ? nil : $0.unread.removeFirst() })
        else { continue }
        let memory = next.readWantedMemory()
        state.withLock { $0.read.append((next, memory)) }
        _ = try? end.write([1])
      }
    }
  }

  /// Readable when a call has come, or what one waits for was read.
  let events: EventSet
  /// Made with the first call whose memory is to be read: most keyboards make none.
  private var reader: (shared: Shared, end: FileDescriptorBox)?

  /// A descriptor that can be a part of something that is copied.
  private final class FileDescriptorBox {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  private let listener: Int32

  init(listener: Int32) throws(Errno) {
    self.listener = listener
    events = try EventSet()
    try events.add(listener)
  }

  /// Leaves out the listener once nobody is left who could call: it says so all the time, until the process
  /// has ended.
  func leaveOutIfEnded() {
    var entries = [PollEntry(listener, .input)]
    guard let ready = try? poll(&entries, milliseconds: 0), ready > 0 else { return }
    if !entries[0].returned.contains(.input) { events.remove(listener) }
  }

  /// Has what a call points to read.
  /// - Returns: whether that can be done.
  func read(_ notification: SeccompNotification) -> Bool {
    if reader == nil { reader = try? begin() }
    guard let reader else { return false }
    reader.shared.state.withLock { $0.unread.append(notification) }
    _ = try? reader.end.descriptor.write([1])
    return true
  }

  /// What was read since this was last asked: nothing of memory that is not there.
  func takeRead() -> [(SeccompNotification, [UInt8]?)] {
    guard let reader else { return [] }
    _ = try? reader.end.descriptor.read(upTo: 4_096)
    return reader.shared.state.withLock { state in
      defer { state.read = [] }
      return state.read
    }
  }

  private func begin() throws(Errno) -> (Shared, FileDescriptorBox) {
    let pair = try LocalSocketPair()
    let shared = Shared(end: try pair.second.duplicate())
    let end = pair.closeSecond()
    try end.setNonBlocking()
    try events.add(end.rawValue)
    try DetachedThread.begin { shared.run() }
    return (shared, FileDescriptorBox(end))
  }
}
