import LinuxSystem

/// Waits for many descriptors at once and calls who waits for them: the host's only wait.
///
/// Not `Sendable`: one thread owns it.
public final class PollLoop {
  /// Names one watch; never used again after it ended.
  public struct Token: Hashable, Sendable { let rawValue: UInt64 }

  private struct Watch {
    var descriptor: Int32
    var events: PollEvents
    var handler: (PollEvents) -> Void
  }

  private var watches: [Token: Watch] = [:]
  private var tokens: [Token] = []
  private var entries: [PollEntry] = []
  private var isStale = true
  private var lastToken: UInt64 = 0

  public init() {}

  /// Calls `handler` whenever one of `events`, a hang-up or an error shows on the descriptor,
  /// which has to stay open until ``unwatch(_:)``.
  public func watch(
    _ descriptor: Int32, for events: PollEvents, handler: @escaping (PollEvents) -> Void
  ) -> Token {
    lastToken += 1
    let token = Token(rawValue: lastToken)
    watches[token] = Watch(descriptor: descriptor, events: events, handler: handler)
    isStale = true
    return token
  }

  public func unwatch(_ token: Token) {
    if watches.removeValue(forKey: token) != nil { isStale = true }
  }

  /// Waits once and calls the handlers of what showed.
  /// - Parameter milliseconds: how long to wait at the most; nil is for ever.
  public func run(milliseconds: UInt64?) throws(Errno) {
    if isStale {
      isStale = false
      tokens = watches.keys.sorted { $0.rawValue < $1.rawValue }
      entries = tokens.compactMap { token in
        watches[token].map { PollEntry($0.descriptor, $0.events) }
      }
    }
    let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
    guard try poll(&entries, milliseconds: timeout) > 0 else { return }
    // A handler may end other watches: each is looked up anew.
    let ready = zip(tokens, entries).filter { $0.1.returned != [] }
    for (token, entry) in ready { watches[token]?.handler(entry.returned) }
  }
}
