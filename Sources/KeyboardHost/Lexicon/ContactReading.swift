import Glibc
import LinuxSystem
import NetworkBroker
import Synchronization

/// Reads the names of contacts in a thread of its own: a large address book takes a while, and no key waits
/// for it.
///
/// Not `Sendable`: the loop's thread owns it.
final class ContactReading {
  private final class Reader: Sendable {
    let folders: [String]
    let names = Mutex<ContactNames?>(nil)
    let end: FileDescriptor

    init(folders: [String], end: consuming FileDescriptor) {
      self.folders = folders
      self.end = end
    }

    func run() {
      // Of this thread alone, as Linux has it (setpriority(2), NOTES): keys go first.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      let found = ContactNames(folders: folders)
      names.withLock { $0 = found }
      _ = try? end.write([1])
    }
  }

  private let loop: PollLoop
  private let found: (ContactNames) -> Void
  private var reader: Reader?
  /// The loop's end of what the thread tells that it is done by.
  private var end: FileDescriptor?
  private var token: PollLoop.Token?
  /// What is to be read when what is being read is there.
  private var next: [String]?

  /// - Parameter found: is called in a turn of the loop, with the names of the folders asked for last.
  init(loop: PollLoop, found: @escaping (ContactNames) -> Void) {
    self.loop = loop
    self.found = found
  }

  deinit { if let token { loop.unwatch(token) } }

  /// Has folders read, and returns at once. Where no thread can be had they are read now.
  func read(_ folders: [String]) {
    guard reader == nil else {
      next = folders
      return
    }
    do throws(Errno) {
      let pair = try StreamSocket.pair()
      let reader = Reader(folders: folders, end: try pair.second.duplicate())
      let end = pair.closeSecond()
      try DetachedThread.begin { reader.run() }
      self.reader = reader
      token = loop.watch(end.rawValue, for: .input) { [unowned self] _ in deliver() }
      self.end = consume end
    } catch {
      found(ContactNames(folders: folders))
    }
  }

  private func deliver() {
    if let token { loop.unwatch(token) }
    let names = reader?.names.withLock { $0 }
    token = nil
    reader = nil
    end = nil
    if let folders = next {
      next = nil
      read(folders)
    } else if let names {
      found(names)
    }
  }
}
