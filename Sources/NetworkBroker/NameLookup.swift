import Glibc
import LinuxSystem
import Synchronization

/// Asks this machine's own resolver for names, one at a time, in a thread of its own: nothing of a
/// keyboard reaches a resolver as a packet, and nobody waits for one.
public final class NameLookup: Sendable {
  public enum Outcome: Sendable, Equatable {
    /// Of both kinds of question's kind; empty when the name has none of it.
    case addresses([InternetAddress])
    case noSuchName
    /// The resolver could not say.
    case failure
  }

  public struct Finished: Sendable {
    public let ticket: UInt64
    public let outcome: Outcome
  }

  private struct Job: Sendable {
    var ticket: UInt64
    var client: UInt64
    var name: String
    var kind: NameQuery.Kind
  }

  /// What the thread shares with the owner; it lives as long as either.
  private final class Shared: Sendable {
    struct State {
      var jobs: [Job] = []
      var finished: [Finished] = []
      var lastClient: UInt64 = 0
    }
    let state = Mutex(State())
    let end: FileDescriptor

    init(end: consuming FileDescriptor) { self.end = end }

    /// Clients take turns, so that one with names that nobody answers for holds up another by one
    /// name at the most.
    func nextJob() -> Job? {
      state.withLock { state in
        let index = state.jobs.firstIndex { $0.client != state.lastClient }
        guard let index = index ?? state.jobs.indices.first else { return nil }
        let job = state.jobs.remove(at: index)
        state.lastClient = job.client
        return job
      }
    }

    func run() {
      while let word = try? end.read(upTo: 1), !word.isEmpty {
        guard let job = nextJob() else { continue }
        let finished = Finished(
          ticket: job.ticket, outcome: NameLookup.resolve(job.name, job.kind))
        state.withLock { $0.finished.append(finished) }
        _ = try? end.write([1])
      }
    }
  }

  private let shared: Shared
  /// A byte to it for each question, a byte from it for each outcome.
  private let end: FileDescriptor

  /// Begins the thread, which ends with this object.
  public init() throws(Errno) {
    let pair = try StreamSocket.pair()
    try StreamSocket.setBlocking(pair.second.rawValue)
    shared = Shared(end: try pair.second.duplicate())
    end = pair.closeSecond()
    try DetachedThread.begin { [shared] in shared.run() }
  }

  /// Readable when `takeFinished()` has something.
  public var descriptor: Int32 { end.rawValue }

  /// Puts a name into the queue.
  /// - Parameters:
  ///   - ticket: names the question in the outcome.
  ///   - client: who asks; the queue serves clients in turn.
  public func submit(ticket: UInt64, client: UInt64, name: String, kind: NameQuery.Kind) {
    shared.state.withLock {
      $0.jobs.append(Job(ticket: ticket, client: client, name: name, kind: kind))
    }
    _ = try? end.write([1])
  }

  /// Takes a client's waiting questions out of the queue; one that is being asked goes on.
  public func cancel(client: UInt64) {
    shared.state.withLock { $0.jobs.removeAll { $0.client == client } }
  }

  /// What has been found out since.
  public func takeFinished() -> [Finished] {
    _ = try? end.read(upTo: 4_096)
    return shared.state.withLock { state in
      let finished = state.finished
      state.finished = []
      return finished
    }
  }

  /// Asks and waits.
  static func resolve(_ name: String, _ kind: NameQuery.Kind) -> Outcome {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = kind == .a ? AF_INET : AF_INET6
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &first)
    guard code == 0 else {
      return switch code {
      case EAI_NONAME: .noSuchName
      // EAI_NODATA and EAI_ADDRFAMILY, which are GNU's: the name is there, without this kind.
      case -5, -9: .addresses([])
      default: .failure
      }
    }
    defer { unsafe freeaddrinfo(first) }
    var found: [InternetAddress] = []
    var next = unsafe first
    while let entry = unsafe next {
      if let address = unsafe address(of: entry.pointee), !found.contains(address) {
        found.append(address)
      }
      unsafe next = unsafe entry.pointee.ai_next
    }
    return .addresses(found)
  }

  private static func address(of entry: addrinfo) -> InternetAddress? {
    guard let start = unsafe entry.ai_addr else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(unsafe entry.ai_addrlen))
    return try? SocketAddress(decoding: unsafe Array(bytes)).address
  }
}
