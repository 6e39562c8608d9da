import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("What a process has not sent is dropped with it")
struct UnsentTests {
  /// Takes one connection and reads it only when it is told to.
  private static let receiver = """
    import socket, sys
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    print(listener.getsockname()[1], flush=True)
    peer, _ = listener.accept()
    sys.stdin.readline()
    try:
        while peer.recv(65536):
            pass
        print("end", flush=True)
    except ConnectionResetError:
        print("reset", flush=True)
    """
  private static let sender = """
    import socket, sys, time
    peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    peer.setblocking(False)
    try:
        while True:
            peer.send(b"x" * 65536)
    except BlockingIOError:
        print("full", flush=True)
    time.sleep(600)
    """

  @Test(
    "a killed process delivers what it wrote, unless that was dropped", arguments: [false, true])
  func drop(isDropped: Bool) throws {
    let receiver = try Program("/usr/bin/python3").start(["-c", Self.receiver])
    let port = try #require(receiver.readLine())
    let sender = try Program("/usr/bin/python3").start(["-c", Self.sender, port])
    #expect(sender.readLine() == "full")
    if isDropped {
      try ProcessHandle(sender.identifier).dropUnsent(of: sender.identifier)
    }
    sender.signal(SIGKILL)
    _ = sender.finish()
    receiver.send(line: "")
    #expect(receiver.readLine() == (isDropped ? "reset" : "end"))
    _ = receiver.finish()
  }
}
