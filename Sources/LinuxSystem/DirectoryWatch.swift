import Glibc

/// Tells that a file of a folder was replaced or written (`inotify(7)`).
public struct DirectoryWatch: ~Copyable {
  private let descriptor: FileDescriptor

  /// - Parameter path: the folder.
  public init(path: String) throws(Errno) {
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard number >= 0 else { throw Errno(rawValue: errno) }
    let events = UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
    guard unsafe inotify_add_watch(number, path, events) >= 0 else {
      let failure = Errno(rawValue: errno)
      FileDescriptor.close(number)
      throw failure
    }
    descriptor = FileDescriptor(owning: number)
  }

  /// Readable when something happened.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Takes away what is known, so that the descriptor waits for the next change.
  public borrowing func acknowledge() {
    while let bytes = try? descriptor.read(upTo: 4_096), !bytes.isEmpty {}
  }
}
