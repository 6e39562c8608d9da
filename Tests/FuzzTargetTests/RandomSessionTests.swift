import FuzzTargets
import TestSupport
import Testing

@Suite("Random sessions")
struct RandomSessionTests {
  @Test("hold what a session has to hold", arguments: 0..<40)
  func random(seed: Int) throws {
    var random = SplitMix(seed: UInt64(1_000 + seed))
    for _ in 0..<50 {
      let count = Int.random(in: 1...400, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      do { try FuzzTarget.session.check(bytes) } catch {
        Issue.record("\(error): \(bytes)")
        return
      }
    }
  }
}
