import TestSupport
import Testing

@testable import KeyboardClient

@Suite("A change that another one crosses")
struct RangeChangeTests {
  private func own(_ range: Range<Int>, _ length: Int, over host: Range<Int>, _ hostLength: Int)
    -> [RangeChange]
  {
    RangeChange.cross(
      own: RangeChange(range: range, length: length),
      host: RangeChange(range: host, length: hostLength)
    ).own
  }

  @Test("moves with what the host changed before it, and not with what is behind it")
  func moves() {
    #expect(own(4..<6, 2, over: 0..<0, 2) == [RangeChange(range: 6..<8, length: 2)])
    #expect(own(4..<6, 2, over: 0..<3, 0) == [RangeChange(range: 1..<3, length: 2)])
    #expect(own(4..<6, 2, over: 6..<9, 5) == [RangeChange(range: 4..<6, length: 2)])
    // The text it was to replace has gone: it stands where that was.
    #expect(own(4..<6, 2, over: 3..<8, 1) == [RangeChange(range: 4..<4, length: 2)])
    // What the host put in within the range stays.
    #expect(
      own(0..<4, 1, over: 2..<2, 1) == [
        RangeChange(range: 0..<2, length: 1), RangeChange(range: 2..<4, length: 0),
      ])
    // At the same place the host is first, but not before what stands before its range.
    #expect(own(2..<2, 1, over: 2..<2, 1) == [RangeChange(range: 3..<3, length: 1)])
    #expect(own(2..<2, 1, over: 2..<4, 1) == [RangeChange(range: 2..<2, length: 1)])
  }

  @Test("leads to the same text in both orders, and takes out what it took out before")
  func bothOrders() {
    var random = SplitMix(seed: 5)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...10, using: &random)
      var next: UInt32 = 0x4E00
      func fresh(_ length: Int) -> [Unicode.Scalar] {
        (0..<length).map { _ in
          next += 1
          return Unicode.Scalar(next)!
        }
      }
      func change() -> RangeChange {
        let one = Int.random(in: 0...count, using: &random)
        let other = Int.random(in: 0...count, using: &random)
        return RangeChange(
          range: min(one, other)..<max(one, other), length: Int.random(in: 0...3, using: &random))
      }
      let start = fresh(count)
      let (own, host) = (change(), change())
      let (ownText, hostText) = (fresh(own.length), fresh(host.length))
      func make(_ changes: [RangeChange], _ text: [Unicode.Scalar], in base: [Unicode.Scalar])
        -> [Unicode.Scalar]
      {
        var result = base
        for (index, change) in changes.enumerated() {
          result.replaceSubrange(change.range, with: index == 0 ? text : [])
        }
        return result
      }
      let crossed = RangeChange.cross(own: own, host: host)
      let one = make(crossed.host, hostText, in: make([own], ownText, in: start))
      let other = make(crossed.own, ownText, in: make([host], hostText, in: start))
      #expect(one == other, "\(own) and \(host) of \(count)")
      let kept = start.indices.filter { !own.range.contains($0) && !host.range.contains($0) }
      #expect(Set(one) == Set(kept.map { start[$0] } + ownText + hostText))
    }
  }

  @Test("moves a selection without what is put in at its ends")
  func selections() {
    let typed = RangeChange(range: 2..<2, length: 1)
    #expect(typed.moved(2..<2) == 3..<3)
    #expect(typed.moved(2..<5) == 3..<6)
    #expect(typed.moved(0..<2) == 0..<2)
    #expect(RangeChange(range: 3..<4, length: 3).moved(2..<7) == 2..<9)
    #expect(RangeChange(range: 2..<4, length: 3).moved(2..<2) == 2..<2)
    #expect(RangeChange(range: 2..<4, length: 3).moved(3..<6) == 5..<7)
  }
}
