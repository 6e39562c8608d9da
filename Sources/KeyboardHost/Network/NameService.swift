import LinuxSystem
import NetworkBroker

/// The loop's side of the name lookups: who asked is called when the answer is there.
final class NameService {
  private struct Waiting {
    var client: UInt64
    var answer: (NameLookup.Outcome) -> Void
  }

  private let lookup: NameLookup
  private let loop: PollLoop
  private var token: PollLoop.Token?
  private var waiting: [UInt64: Waiting] = [:]
  private var lastTicket: UInt64 = 0

  init(loop: PollLoop) throws(Errno) {
    lookup = try NameLookup()
    self.loop = loop
    token = loop.watch(lookup.descriptor, for: .input) { [unowned self] _ in deliver() }
  }

  deinit { if let token { loop.unwatch(token) } }

  func ask(
    _ query: NameQuery, client: UInt64, answer: @escaping (NameLookup.Outcome) -> Void
  ) {
    lastTicket += 1
    waiting[lastTicket] = Waiting(client: client, answer: answer)
    lookup.submit(ticket: lastTicket, client: client, name: query.name, kind: query.kind)
  }

  func cancel(client: UInt64) {
    lookup.cancel(client: client)
    waiting = waiting.filter { $0.value.client != client }
  }

  private func deliver() {
    for finished in lookup.takeFinished() {
      waiting.removeValue(forKey: finished.ticket)?.answer(finished.outcome)
    }
  }
}
