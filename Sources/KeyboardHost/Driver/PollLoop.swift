import LinuxSystem

/// Waits for many descriptors at once and calls who waits for them: the host's only wait.
///
/// The kernel keeps the list of them, so that a turn costs what is ready, and not what is idle.
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

  /// What is told whether or not anybody asked.
  private static let always: PollEvents = [.error, .hangUp, .invalid]

  private var watches: [Token: Watch] = [:]
  /// The watches of each descriptor, the oldest first.
  private var tokens: [Int32: [Token]] = [:]
  /// Nil only if the kernel had none.
  private let set: Members?
  /// Those that the set does not take, such as files, which are always ready. They are polled.
  private var polled: Set<Int32> = []
  private var lastToken: UInt64 = 0
  private var found: [PollEntry] = []

  /// A class, so that there may be none.
  private final class Members {
    let set: EventSet
    init() throws(Errno) { set = try EventSet() }
  }

  public init() { set = try? Members() }

  /// Calls `handler` whenever one of `events`, a hang-up or an error shows on the descriptor,
  /// which has to stay open until ``unwatch(_:)``.
  public func watch(
    _ descriptor: Int32, for events: PollEvents, handler: @escaping (PollEvents) -> Void
  ) -> Token {
    lastToken += 1
    let token = Token(rawValue: lastToken)
    watches[token] = Watch(descriptor: descriptor, events: events, handler: handler)
    tokens[descriptor, default: []].append(token)
    update(descriptor)
    return token
  }

  public func unwatch(_ token: Token) {
    guard let watch = watches.removeValue(forKey: token) else { return }
    let descriptor = watch.descriptor
    tokens[descriptor]?.removeAll { $0 == token }
    if tokens[descriptor]?.isEmpty ?? true {
      tokens[descriptor] = nil
      if polled.remove(descriptor) == nil { set?.set.remove(descriptor) }
    } else {
      update(descriptor)
    }
  }

  private func requested(_ descriptor: Int32) -> PollEvents {
    var all: PollEvents = []
    for token in tokens[descriptor] ?? [] { all.formUnion(watches[token]?.events ?? []) }
    return all
  }

  private func update(_ descriptor: Int32) {
    guard !polled.contains(descriptor) else { return }
    guard let set, (try? set.set.set(descriptor, for: requested(descriptor))) != nil else {
      polled.insert(descriptor)
      return
    }
  }

  /// Waits once and calls the handlers of what showed.
  /// - Parameter milliseconds: how long to wait at the most; nil is for ever.
  public func run(milliseconds: UInt64?) throws(Errno) {
    let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
    found.removeAll(keepingCapacity: true)
    if polled.isEmpty, let set {
      try set.set.wait(addingTo: &found, milliseconds: timeout)
    } else {
      try waitForAll(timeout)
    }
    if found.isEmpty { return }
    var ready: [(token: Token, events: PollEvents)] = []
    for entry in found {
      for token in tokens[entry.descriptor] ?? [] {
        let wanted = (watches[token]?.events ?? []).union(Self.always)
        let events = entry.returned.intersection(wanted)
        if !events.isEmpty { ready.append((token, events)) }
      }
    }
    if ready.count > 1 { ready.sort { $0.token.rawValue < $1.token.rawValue } }
    // A handler may end other watches: each is looked up anew.
    for (token, events) in ready { watches[token]?.handler(events) }
  }

  private func waitForAll(_ timeout: Int32) throws(Errno) {
    var entries = polled.map { PollEntry($0, requested($0)) }
    if let set { entries.append(PollEntry(set.set.rawValue, .input)) }
    guard try poll(&entries, milliseconds: timeout) > 0 else { return }
    if let set {
      let isReady = entries.removeLast().returned.contains(.input)
      if isReady { try set.set.wait(addingTo: &found, milliseconds: 0) }
    }
    found += entries.filter { !$0.returned.isEmpty }
  }
}
