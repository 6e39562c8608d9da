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
    Transport.exit(serve(input: Transport.input, output: Transport.output))
  }

  /// Serves a host at these descriptors, and returns the code to exit with.
  func serve(input: Int32, output: Int32) -> Int32 {
    let session = KeyboardSession(self)
    var framer = LineFramer()
    var buffer = [UInt8](repeating: 0, count: Transport.chunk)
    while true {
      if !readHandlers.isEmpty {
        let ready = Transport.wait([input] + readHandlers.map(\.descriptor))
        for (descriptor, handler) in readHandlers where ready.contains(descriptor) {
          session.perform(handler)
        }
        guard send(session, to: output) else { return 0 }
        guard ready.contains(input) else { continue }
      }
      guard let count = Transport.read(&buffer, from: input) else { return 0 }
      framer.append(buffer[..<count])
      do throws(ProtocolError) {
        while let line = try framer.next() {
          try session.receive(line)
          guard send(session, to: output), !session.isFinished else { return 0 }
        }
      } catch {
        Transport.log("the session ends: \(error)")
        return 1
      }
    }
  }

  /// Sends what the session has to say; false when the host does not take it any more.
  private func send(_ session: KeyboardSession, to output: Int32) -> Bool {
    let bytes = session.takeOutput()
    return bytes.isEmpty || Transport.write(bytes, to: output)
  }
}
