import PluginProtocol

extension InputViewController {
  /// Serves the host until it says that the keyboard is to exit, or goes away.
  ///
  /// Reads descriptor 0 and writes descriptor 3, as a host starts a keyboard. Exits with 0 when the
  /// host ended the session, with 1 when the host broke the protocol, and with 2 when there is no
  /// host at descriptor 3.
  public func run() -> Never {
    guard Transport.hasHost else {
      Transport.log(
        "this is a keyboard for Keyhost and has to be started by it: descriptor 3 is not open")
      Transport.exit(2)
    }
    let session = KeyboardSession(self)
    var framer = LineFramer()
    var buffer = [UInt8](repeating: 0, count: Transport.chunk)
    while !session.isFinished {
      if !readHandlers.isEmpty {
        let ready = Transport.wait([Transport.input] + readHandlers.map(\.descriptor))
        for (descriptor, handler) in readHandlers where ready.contains(descriptor) {
          session.perform(handler)
        }
        send(session.takeOutput())
        guard ready.contains(Transport.input) else { continue }
      }
      guard let count = Transport.read(&buffer) else { Transport.exit(0) }
      framer.append(buffer[..<count])
      do throws(ProtocolError) {
        while let line = try framer.next() {
          try session.receive(line)
          send(session.takeOutput())
          if session.isFinished { break }
        }
      } catch {
        Transport.log("the session ends: \(error)")
        Transport.exit(1)
      }
    }
    Transport.exit(0)
  }

  private func send(_ bytes: [UInt8]) {
    if !bytes.isEmpty && !Transport.write(bytes) { Transport.exit(0) }
  }
}
