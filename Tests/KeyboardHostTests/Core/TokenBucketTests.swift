import Testing

@testable import KeyboardHost

@Suite("A keyboard's budget of connects")
struct TokenBucketTests {
  private func taken(_ budget: inout TokenBucket, _ tries: Int, at milliseconds: UInt64) -> Int {
    (0..<tries).count { _ in budget.take(at: HostTime.zero.adding(milliseconds: milliseconds)) }
  }

  @Test("is a burst, then ten a second, however often it is asked")
  func rate() {
    var budget = ConnectionBroker.triesAllowed
    #expect(taken(&budget, 2_000, at: 5) == 512)
    #expect(taken(&budget, 100, at: 1_005) == 10)
    var later = 0
    for moment in stride(from: UInt64(1_005), through: 11_005, by: 1) {
      later += taken(&budget, 3, at: moment)
    }
    #expect((99...101).contains(later))
    #expect(taken(&budget, 2_000, at: 10_000_000) == 512)
  }
}
