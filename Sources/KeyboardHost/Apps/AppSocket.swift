import Glibc
import LinuxSystem
import NetworkBroker
import Synchronization

/// The host's end of a connection that another program made.
///
/// Such a program can send descriptors along with its bytes, and the last one who has a descriptor
/// waits in closing it: hours, where it is of a socket with `SO_LINGER`. So the kernel is told to refuse
/// them. One that does not know how (before Linux 6.16) lets go of them in the thread that reads, or
/// that closes the connection: there a thread of the connection's own does both, and the loop has
/// the bytes through a pair of sockets between the two.
final class AppSocket {
  /// The most connections that have threads, those included that wait in closing something.
  static let maximumRelays = 512
  private static let relays = RelayCount()

  /// The number to read from; non-blocking.
  var input: Int32 { relayed?.rawValue ?? output }
  /// The number to write to; non-blocking.
  var output: Int32 { connection?.rawValue ?? -1 }
  /// Whether a thread of its own reads from it.
  var isRelayed: Bool { relayed != nil }

  private var connection: FileDescriptor?
  private var relayed: FileDescriptor?

  /// - Parameter relays: whether a thread has to read, when that is not left to the kernel.
  /// - Throws: when the thread cannot be had.
  init(_ accepted: consuming FileDescriptor, relays: Bool? = nil) throws(Errno) {
    guard relays ?? !DescriptorPassing.isRefused(at: accepted.rawValue) else {
      connection = consume accepted
      return
    }
    guard Self.relays.begin() else { throw .tooManyFiles }
    do throws(Errno) {
      let pair = try StreamSocket.pair()
      try StreamSocket.setBlocking(pair.second.rawValue)
      connection = try accepted.duplicate()
      let relay = Relay(
        connection: accepted, loop: try pair.second.duplicate(), count: Self.relays)
      relayed = pair.closeSecond()
      try relay.begin()
    } catch {
      Self.relays.end()
      throw error
    }
  }

  deinit {
    // The thread has to be the last who has the connection: it closes its own behind this.
    connection = nil
    relayed = nil
  }
}

/// Counts the threads, which end in their own time.
private final class RelayCount: Sendable {
  private let count = Mutex(0)

  /// - Returns: whether there may be one more.
  func begin() -> Bool {
    count.withLock { count in
      guard count < AppSocket.maximumRelays else { return false }
      count += 1
      return true
    }
  }

  func end() { count.withLock { $0 -= 1 } }
}

/// What the thread of a connection has.
private final class Relay: Sendable {
  private static let readSize = 16_384

  private let connection: FileDescriptor
  private let loop: FileDescriptor
  private let count: RelayCount

  init(
    connection: consuming FileDescriptor, loop: consuming FileDescriptor, count: RelayCount
  ) {
    self.connection = connection
    self.loop = loop
    self.count = count
  }

  func begin() throws(Errno) {
    // What waits in closing waits in the thread, and is counted for as long as that takes.
    try DetachedThread.begin({ [self] in run() }, last: { [count] in count.end() })
  }

  /// Hands over what comes until the connection ends or the loop lets go of it.
  private func run() {
    while waits(for: .input) {
      do throws(Errno) {
        let bytes = try connection.read(upTo: Self.readSize)
        guard !bytes.isEmpty else { break }
        var sent = 0
        while sent < bytes.count { sent += try loop.write(bytes[sent...]) }
      } catch {
        if error == .wouldBlock { continue }
        break
      }
    }
    _ = shutdown(loop.rawValue, Int32(SHUT_WR))
    // The loop may still write to the connection.
    while waits(for: []) {}
  }

  /// - Returns: false when the loop has let go of its end.
  private func waits(for events: PollEvents) -> Bool {
    var entries = [
      PollEntry(events.isEmpty ? -1 : connection.rawValue, events), PollEntry(loop.rawValue, []),
    ]
    guard (try? poll(&entries, milliseconds: -1)) != nil else { return false }
    return entries[1].returned.isEmpty
  }
}
