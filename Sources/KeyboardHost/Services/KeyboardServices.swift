import GeoClue
import PluginManifest

/// The loop's side of the services: who asks is called when the answer is there. Each service has a
/// thread, which begins with the first question.
///
/// Not `Sendable`: one thread owns it.
public final class KeyboardServices {
  private let loop: PollLoop
  private let sources: ServiceSources
  private var workers: [KeyboardService: (worker: ServiceWorker, token: PollLoop.Token)] = [:]
  private var waiting: [UInt64: (ServiceAnswer) -> Void] = [:]
  private var lastTicket: UInt64 = 0

  /// - Parameter bus: the address of the system's D-Bus.
  public init(loop: PollLoop, bus: String = GeoClue.systemBus) {
    self.loop = loop
    sources = ServiceSources(geoClue: GeoClue(address: bus))
  }

  deinit { for (_, token) in workers.values { loop.unwatch(token) } }

  /// Takes over where contacts lie, and the place that the user set.
  public func adopt(folders: [String], place: FixedPlace?) {
    sources.adopt(folders: folders, place: place)
  }

  /// Asks, and returns at once.
  public func ask(_ question: ServiceQuestion, answer: @escaping (ServiceAnswer) -> Void) {
    guard let worker = worker(of: question.service) else {
      return answer(.unavailable("the host cannot ask now"))
    }
    lastTicket += 1
    waiting[lastTicket] = answer
    worker.submit(ticket: lastTicket, question)
  }

  private func worker(of service: KeyboardService) -> ServiceWorker? {
    if let known = workers[service] { return known.worker }
    guard let made = try? ServiceWorker(sources: sources) else { return nil }
    let token = loop.watch(made.descriptor, for: .input) { [unowned self] _ in
      for (ticket, answer) in made.takeFinished() {
        waiting.removeValue(forKey: ticket)?(answer)
      }
    }
    workers[service] = (made, token)
    return made
  }
}
