import Glibc
import LinuxSystem
import SandboxLaunch
import Synchronization

/// Makes many attacks on several threads, each with a stage of its own: most of the time an attack
/// waits for something that must not happen.
///
/// A thread starts and ends its own attackers, since the kernel ends them with the thread.
public struct SelftestPool: Sendable {
  private let stage: @Sendable () throws(SelftestError) -> Stage
  private let threads: Int

  /// - Parameters:
  ///   - threads: how many attacks are under way at once.
  ///   - stage: makes a stage; called once on each thread.
  public init(threads: Int, stage: @escaping @Sendable () throws(SelftestError) -> Stage) {
    self.threads = max(1, threads)
    self.stage = stage
  }

  /// What a machine can do at once without any attack running out of time.
  public static var defaultThreads: Int { min(8, max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Makes the attacks.
  ///
  /// - Parameter each: hears the results on the caller's thread, in the order of the attacks.
  /// - Throws: what a stage or `each` throws; the attacks that have not begun are not made then.
  public func run(
    _ attacks: [Attack], _ depth: Selftest.Depth = .layers, without: Set<SandboxLayer> = [],
    each: (AttackResult) throws -> Void
  ) throws {
    let work: Work
    do {
      work = try Work(attacks, depth, without, stage)
    } catch {
      throw SelftestError("cannot run attacks side by side: \(error)")
    }
    var handles: [pthread_t] = []
    for _ in 0..<min(threads, max(1, attacks.count)) {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { argument in
          guard let argument = unsafe argument else { return nil }
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(work).toOpaque())
      if code == 0 {
        handles.append(thread)
      } else {
        unsafe Unmanaged.passUnretained(work).release()
      }
    }
    defer { for handle in handles { pthread_join(handle, nil) } }
    guard !handles.isEmpty else { throw SelftestError("no thread can be made") }
    do {
      for index in attacks.indices { try each(try work.result(index)) }
    } catch {
      work.stop()
      throw error
    }
  }
}

/// The attacks that are still to be made, and what came of the others.
private final class Work: Sendable {
  private struct State {
    var waiting: [Int]
    var results: [Int: Result<AttackResult, SelftestError>] = [:]
    var failure: SelftestError?
    var isMicrophoneTaken = false
  }

  private let attacks: [Attack]
  private let depth: Selftest.Depth
  private let without: Set<SandboxLayer>
  private let stage: @Sendable () throws(SelftestError) -> Stage
  private let state: Mutex<State>
  /// A byte for each result.
  private let news: Pipe

  init(
    _ attacks: [Attack], _ depth: Selftest.Depth, _ without: Set<SandboxLayer>,
    _ stage: @escaping @Sendable () throws(SelftestError) -> Stage
  ) throws(Errno) {
    self.attacks = attacks
    self.depth = depth
    self.without = without
    self.stage = stage
    state = Mutex(State(waiting: Array(attacks.indices)))
    news = try Pipe()
  }

  func stop() { state.withLock { $0.waiting = [] } }

  /// One thread's share.
  func run() {
    do throws(SelftestError) {
      let selftest = Selftest(try stage())
      // A sound server takes its time to start, and one is enough: its attacks are one thread's.
      let hasMicrophone = state.withLock { state in
        defer { state.isMicrophoneTaken = true }
        return !state.isMicrophoneTaken
      }
      while let index = next(hasMicrophone) {
        let result = try selftest.run(attacks[index], depth, without: without)
        finish(index, .success(result))
      }
    } catch {
      state.withLock { state in
        state.failure = error
        state.waiting = []
      }
      tell()
    }
  }

  private func next(_ hasMicrophone: Bool) -> Int? {
    state.withLock { state in
      let mine = state.waiting.firstIndex { attacks[$0].usesMicrophone }
      if hasMicrophone, let mine { return state.waiting.remove(at: mine) }
      let other = state.waiting.firstIndex { !attacks[$0].usesMicrophone }
      return other.map { state.waiting.remove(at: $0) }
    }
  }

  private func finish(_ index: Int, _ result: Result<AttackResult, SelftestError>) {
    state.withLock { $0.results[index] = result }
    tell()
  }

  private func tell() { _ = try? news.writeEnd.write([0]) }

  /// Waits for one result.
  func result(_ index: Int) throws(SelftestError) -> AttackResult {
    while true {
      let (found, failure) = state.withLock { ($0.results.removeValue(forKey: index), $0.failure) }
      if let found { return try found.get() }
      if let failure { throw failure }
      _ = try? news.readEnd.read(upTo: 64)
    }
  }
}

extension Attack {
  fileprivate var usesMicrophone: Bool {
    if case .microphone = decoy { true } else { false }
  }
}
