import TestSupport
import Testing

@testable import KeyboardClient

@Suite("An edit that waits for the host")
struct PendingEditTests {
  @Test("moves with what the host changed before it, and not with what is behind it")
  func moves() {
    let edit = PendingEdit(range: 4..<6, text: "xy", selection: 5..<6)
    #expect(edit.moved(over: 0..<0, length: 2).range == 6..<8)
    #expect(edit.moved(over: 0..<0, length: 2).selection == 7..<8)
    #expect(edit.moved(over: 0..<3, length: 0).range == 1..<3)
    #expect(edit.moved(over: 6..<9, length: 5) == edit)
    // The text it was to replace has gone: it stands where that was.
    #expect(edit.moved(over: 3..<8, length: 1).range == 4..<4)
    let selection = PendingEdit(range: 0..<0, text: nil, selection: 2..<7)
    #expect(selection.moved(over: 3..<4, length: 3).selection == 2..<9)
  }

  @Test("always has a range inside the text it is moved into")
  func bounds() {
    var random = SplitMix(seed: 5)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &random)
      func range() -> Range<Int> {
        let one = Int.random(in: 0...count, using: &random)
        let other = Int.random(in: 0...count, using: &random)
        return min(one, other)..<max(one, other)
      }
      let replaced = range()
      let length = Int.random(in: 0...4, using: &random)
      let edit = PendingEdit(range: range(), text: "é", selection: nil)
      let moved = edit.moved(over: replaced, length: length)
      #expect(moved.range.lowerBound >= 0)
      #expect(moved.range.upperBound <= count + length - replaced.count)
    }
  }
}
