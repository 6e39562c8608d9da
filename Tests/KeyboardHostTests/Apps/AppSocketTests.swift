import Glibc
import LinuxSystem
import NetworkBroker
import Synchronization
import Testing

@testable import KeyboardHost

/// Descriptors that an app sends along hold up nobody but itself.
@Suite("Connections of apps")
struct AppSocketTests {
  /// A TCP socket whose last close waits for an hour: its peer does not read what was sent.
  final class Lingering {
    let descriptor: Int32
    private let peer: Int32

    init() throws {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      descriptor = made
      let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, size) == 0 && listen(listener, 1) == 0
            && getsockname(listener, address, &size) == 0 && connect(made, address, size) == 0
        }
      }
      peer = accept(listener, nil, nil)
      try FileDescriptor.setCloseOnExec(peer, true)
      try #require(isConnected && peer >= 0)
      let block = [UInt8](repeating: 1, count: 65_536)
      while Glibc.send(descriptor, block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
      var option = linger(l_onoff: 1, l_linger: 3_600)
      try #require(
        setsockopt(
          descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size)) == 0)
    }

    /// The peer's end first: then nothing is waited for.
    deinit { close(peer) }
  }

  /// Sends one byte with a descriptor, and closes the descriptor here if that was taken. If somebody has
  /// taken it out before that, it is this close that waits: so it is done in a thread of its own, and
  /// waited for ten seconds at most.
  /// - Returns: whether it was taken.
  static func send(_ lingering: Lingering, over connection: Int32) -> Bool {
    var byte: UInt8 = 0x7B
    var control = [UInt64](repeating: 0, count: 3)
    control[0] = 20
    control[1] = UInt64(SCM_RIGHTS) << 32 | UInt64(SOL_SOCKET)
    control[2] = UInt64(UInt32(bitPattern: lingering.descriptor))
    let sent = withUnsafeMutablePointer(to: &byte) { byte in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: byte, iov_len: 1)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr(
            msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1,
            msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
          return sendmsg(connection, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    // Its close does not wait while the message has it as well.
    if sent == 1 { closeAside(lingering.descriptor) }
    return sent == 1
  }

  /// Whether a descriptor is closed.
  private final class Closing: Sendable {
    private let done = Mutex(false)
    var isDone: Bool { done.withLock { $0 } }

    func close(_ descriptor: Int32) {
      _ = Glibc.close(descriptor)
      done.withLock { $0 = true }
    }
  }

  private static func closeAside(_ descriptor: Int32) {
    let done = Closing()
    guard (try? DetachedThread.begin { done.close(descriptor) }) != nil else { return }
    for _ in 0..<10_000 where !done.isDone { usleep(1_000) }
  }

  /// Fills both pairs of sockets until the thread can hand nothing on to a loop that does not read, and
  /// then makes room for a little: what is sent behind that stays unread for now.
  private static func hold(_ app: Int32) throws {
    let block = [UInt8](repeating: 0x20, count: 4_096)
    var entries = [PollEntry(app, .output)]
    repeat {
      while Glibc.send(app, block, block.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) > 0 {}
    } while try poll(&entries, milliseconds: 300) > 0
    // Reading would make room too, but wake the thread only when most is read.
    var room: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try #require(getsockopt(app, SOL_SOCKET, SO_SNDBUF, &room, &size) == 0)
    room *= 2
    try #require(setsockopt(app, SOL_SOCKET, SO_SNDBUF, &room, size) == 0)
  }

  /// Whether there is something to read within a minute.
  private static func becomesReadable(_ descriptor: Int32) throws -> Bool {
    var entries = [PollEntry(descriptor, .input)]
    return try poll(&entries, milliseconds: 60_000) > 0
  }

  @Test("a thread of the connection's own waits in closing what was sent, and the reader does not")
  func relayed() throws {
    // As the host does: the thread writes to a loop that has let go.
    Signals.ignorePipe()
    for isRead in [true, false] {
      let lingering = try Lingering()
      let pair = try StreamSocket.pair()
      let app = try pair.second.duplicate()
      let began = MonotonicClock.nanoseconds
      var end: AppSocket? = try AppSocket(pair.closeSecond(), relays: true)
      let socket = try #require(end)
      #expect(socket.isRelayed)
      _ = try app.write(Array("first\n".utf8)[...])
      #expect(try Self.becomesReadable(socket.input))
      #expect(try FileDescriptor.read(from: socket.input, upTo: 100) == Array("first\n".utf8))
      _ = try FileDescriptor.write(Array("answer\n".utf8)[...], to: socket.output)
      #expect(try app.read(upTo: 100) == Array("answer\n".utf8))
      try Self.hold(app.rawValue)
      try #require(Self.send(lingering, over: app.rawValue))
      if isRead {
        // Up to the byte that has the descriptor with it: closing that one is the thread's.
        var entries = [PollEntry(socket.input, .input)]
        while try poll(&entries, milliseconds: 500) > 0 {
          _ = try? FileDescriptor.read(from: socket.input, upTo: 1 << 20)
        }
      }
      end = nil
      #expect(MonotonicClock.nanoseconds - began < 600_000_000_000)
    }
  }

  @Test("the end of either side reaches the other through the thread")
  func ends() throws {
    for isHost in [true, false] {
      let pair = try StreamSocket.pair()
      var app: FileDescriptor? = try pair.second.duplicate()
      var end: AppSocket? = try AppSocket(pair.closeSecond(), relays: true)
      if isHost {
        end = nil
        let number = app?.rawValue ?? -1
        #expect(try Self.becomesReadable(number))
        #expect(try FileDescriptor.read(from: number, upTo: 1).isEmpty)
      } else {
        app = nil
        let number = try #require(end?.input)
        #expect(try Self.becomesReadable(number))
        #expect(try FileDescriptor.read(from: number, upTo: 1).isEmpty)
      }
    }
  }

  @Test("where the kernel can, it refuses descriptors of whoever connects")
  func refused() throws {
    let folder = try TemporaryFolder(name: "keyhost-socket")
    let path = folder.path + "/socket"
    let listener = try ServerSocket(path: path)
    defer { listener.remove() }
    try #require(DescriptorPassing.isRefused(at: listener.rawValue), "Linux 6.16 or later")
    let app = try LocalSocket.connect(to: path)
    let lingering = try Lingering()
    #expect(!Self.send(lingering, over: app.rawValue))
    // Its own last close, here, is not to wait either.
    var none = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(
      lingering.descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
    close(lingering.descriptor)
    let end = try AppSocket(LocalSocket.accept(listener.rawValue))
    #expect(!end.isRelayed)
  }
}
