import Glibc
import LinuxSystem
import Synchronization
import Testing

@Suite("Threads that nobody waits for")
struct DetachedThreadTests {
  /// Notes its end.
  private final class Held: Sendable {
    let notes: Notes
    init(_ notes: Notes) { self.notes = notes }
    deinit { notes.add("freed") }
  }

  private final class Notes: Sendable {
    private let state = Mutex<(words: [String], threads: [pthread_t])>(([], []))
    func add(_ word: String) {
      state.withLock {
        $0.words.append(word)
        $0.threads.append(pthread_self())
      }
    }
    var words: [String] { state.withLock(\.words) }
    var threads: [pthread_t] { state.withLock(\.threads) }
  }

  private final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .acquiring) }
    func set() { state.store(true, ordering: .releasing) }
  }

  @Test("do their work, then let go of what they hold, then do what comes last, all by themselves")
  func order() throws {
    let notes = Notes()
    var held: Held? = Held(notes)
    let flag = Flag()
    try DetachedThread.begin(
      { [held] in
        // Not before whoever began it has let go.
        while !flag.isSet { usleep(1_000) }
        notes.add(held == nil ? "nothing" : "work")
      }, last: { notes.add("last") })
    held = nil
    #expect(notes.words.isEmpty)
    flag.set()
    for _ in 0..<1_000 where notes.words.count < 3 { usleep(10_000) }
    #expect(notes.words == ["work", "freed", "last"])
    #expect(notes.threads.allSatisfy { pthread_equal($0, pthread_self()) == 0 })
  }
}
