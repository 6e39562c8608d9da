import Glibc
import LinuxSystem
import NetworkBroker
import TerminalText

/// The socket that apps connect to: made at a path, or handed over by the service manager.
public final class ServerSocket {
  /// Why there is no socket to listen on, and what to do about it.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// Where apps connect; nil when the socket was handed over.
  public let path: String?
  private let descriptor: FileDescriptor
  /// Held for as long as the server lives, so that of two only one takes away what a dead one left.
  private let lock: OpenFile?

  /// The number to poll.
  public var rawValue: Int32 { descriptor.rawValue }

  /// Makes the socket at `path`. What a server that has ended left there is replaced; a server that
  /// lives, or anything that is no socket, is a failure.
  public init(path: String) throws(Failure) {
    let shown = VisibleText.escape(path)
    guard path.utf8.count <= LocalSocket.maximumPathBytes else {
      throw Failure(
        description: "the path of the socket `\(shown)` has more than "
          + "\(LocalSocket.maximumPathBytes) bytes: give a shorter one with --socket")
    }
    let alive = Failure(
      description:
        "another server listens at `\(shown)`: end it, or give another path with --socket")
    do {
      let file = try OpenFile(path: path + ".lock", flags: O_RDWR | O_CREAT, mode: 0o600)
      guard try file.lock(waitingMilliseconds: 0) else { throw alive }
      lock = .some(consume file)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "the socket `\(shown)` cannot be made: \(error)")
    }
    do {
      var found = stat()
      if unsafe lstat(path, &found) == 0 {
        guard found.st_mode & S_IFMT == S_IFSOCK else {
          throw Failure(
            description: "`\(shown)` is there and no socket: move it away, or give another path "
              + "with --socket")
        }
        // Not every server that could be there takes the lock.
        if (try? LocalSocket.connect(to: path)) != nil { throw alive }
        guard unsafe unlink(path) == 0 else { throw Errno(rawValue: errno) }
      }
      descriptor = try LocalSocket.listen(at: path)
      try DescriptorPassing.refuse(at: descriptor.rawValue)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "the socket `\(shown)` cannot be made: \(error)")
    }
    self.path = path
  }

  /// Takes over the socket of a service manager, if there is one for this process: `LISTEN_PID`
  /// and `LISTEN_FDS`, as `sd_listen_fds(3)` describes them.
  /// - Returns: nil when none was handed over.
  /// - Throws: when what was handed over is not one listening local stream socket.
  public static func activated(
    environment: (String) -> String? = ServerSocket.variable, process: Int32 = getpid()
  ) throws(Failure) -> ServerSocket? {
    guard environment("LISTEN_PID").flatMap(Int32.init) == process else { return nil }
    guard let count = environment("LISTEN_FDS").flatMap(Int.init), count > 0 else { return nil }
    let first: Int32 = 3
    guard count == 1, LocalSocket.isListening(first) else {
      throw Failure(
        description: "the service manager handed over \(count) descriptors; one listening local "
          + "stream socket is needed (ListenStream= in the socket unit)")
    }
    do { return try ServerSocket(adopting: FileDescriptor(owning: first)) } catch {
      throw Failure(description: "the socket of the service manager cannot be used: \(error)")
    }
  }

  /// `socket` in the host's runtime folder, which is made with mode 0700. One that is somebody
  /// else's, or open to others, is a failure.
  public static func defaultPath() throws -> String {
    let paths = try HostPaths(environment: HostPaths.processEnvironment())
    let folder = try DirectoryHandle.make(path: paths.runtime, mode: 0o700)
    let status = try folder.ownStatus()
    guard status.owner == geteuid(), status.permissions & 0o077 == 0 else {
      throw Failure(
        description:
          "the folder `\(VisibleText.escape(paths.runtime))` must be this user's own, with "
          + "mode 0700: mend it, or give another path with --socket")
    }
    return paths.runtime + "/socket"
  }

  private init(adopting given: consuming FileDescriptor) throws(Errno) {
    try FileDescriptor.setCloseOnExec(given.rawValue, true)
    try given.setNonBlocking()
    try DescriptorPassing.refuse(at: given.rawValue)
    descriptor = given
    path = nil
    lock = nil
    unsafe unsetenv("LISTEN_PID")
    unsafe unsetenv("LISTEN_FDS")
    unsafe unsetenv("LISTEN_FDNAMES")
  }

  /// A variable of this process's environment.
  public static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Takes the path away, if this server made it.
  public func remove() {
    if let path { _ = unsafe unlink(path) }
  }
}
