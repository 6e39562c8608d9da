import LinuxSystem
import NetworkBroker

/// One connection of a keyboard to the name server that is not there: the host answers.
///
/// Descriptors that a keyboard sends along are refused by the kernel, before Linux 6.16 dropped: what
/// is read are plain bytes.
final class NameLink {
  /// Questions of one connection that may wait for their answer.
  static let questionLimit = 8
  /// Bytes of answers that may wait for a keyboard to read them.
  private static let outboxLimit = 65_536

  private let socket: FileDescriptor
  private let loop: PollLoop
  private let ask: (NameQuery, @escaping ([UInt8]) -> Void) -> Void
  private let ended: (NameLink) -> Void
  private var framer = NameFramer()
  private var outbox: [UInt8] = []
  private var inputToken: PollLoop.Token?
  private var outputToken: PollLoop.Token?
  private var waiting = 0

  /// - Parameters:
  ///   - ask: finds the reply to a question, and gives it back at any later time.
  ///   - ended: hears that there will be no more.
  init(
    _ socket: consuming FileDescriptor, loop: PollLoop,
    ask: @escaping (NameQuery, @escaping ([UInt8]) -> Void) -> Void,
    ended: @escaping (NameLink) -> Void
  ) {
    self.socket = socket
    self.loop = loop
    self.ask = ask
    self.ended = ended
    inputToken = loop.watch(self.socket.rawValue, for: .input) { [unowned self] _ in read() }
  }

  deinit { close() }

  func close() {
    for token in [inputToken, outputToken].compactMap(\.self) { loop.unwatch(token) }
    inputToken = nil
    outputToken = nil
  }

  private func end() {
    close()
    ended(self)
  }

  private func read() {
    let bytes: [UInt8]
    do {
      bytes = try socket.read(upTo: 4_096)
    } catch Errno.wouldBlock {
      return
    } catch {
      return end()
    }
    guard !bytes.isEmpty else { return end() }
    framer.append(bytes)
    do throws(NameFramer.Overrun) {
      while inputToken != nil, let message = try framer.next() { handle(message) }
    } catch {
      end()
    }
  }

  private func handle(_ message: [UInt8]) {
    do throws(NameQuery.Fault) {
      let query = try NameQuery(parsing: message)
      guard waiting < Self.questionLimit else { return send(NameReply.failure(to: query)) }
      waiting += 1
      ask(query) { [weak self] reply in
        guard let self else { return }
        waiting -= 1
        send(reply)
      }
    } catch {
      guard let refusal = NameReply.refusal(error) else { return end() }
      send(refusal)
    }
  }

  private func send(_ reply: [UInt8]) {
    guard inputToken != nil else { return }
    outbox += NameFramer.frame(reply)
    flush()
  }

  private func flush() {
    while !outbox.isEmpty {
      do {
        outbox.removeFirst(try socket.write(outbox[...]))
      } catch Errno.wouldBlock {
        break
      } catch {
        return end()
      }
    }
    if outbox.isEmpty, let token = outputToken {
      loop.unwatch(token)
      outputToken = nil
    } else if outbox.count > Self.outboxLimit {
      end()
    } else if !outbox.isEmpty, outputToken == nil {
      outputToken = loop.watch(socket.rawValue, for: .output) { [unowned self] _ in flush() }
    }
  }
}
