import HostSimulation
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

/// Many keys, faster than any keyboard answers, under the virtual clock.
@Suite("Fast keys")
struct FastKeyTests {
  /// A keyboard that is mostly slow, sometimes too slow, and now and then ends.
  private func unreliable(_ seed: UInt64) -> SimulatedHost {
    var random = SplitMix(seed: seed)
    let host = SimulatedHost()
    host.behaviour = { _ in
      switch Int.random(in: 0..<2_000, using: &random) {
      case 0...3: .crash
      case 4: .silence
      case 5...20: .answer(afterMilliseconds: UInt64.random(in: 101...900, using: &random))
      default: .answer(afterMilliseconds: UInt64.random(in: 0...15, using: &random))
      }
    }
    host.start = { .ready(afterMilliseconds: UInt64.random(in: 0...300, using: &random)) }
    return host
  }

  @Test(
    "ten thousand keys come out as typed, with delays and restarts of the keyboard",
    arguments: 1...3 as ClosedRange<UInt64>)
  func everyKey(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 1_000)
    let host = unreliable(seed)
    host.open("field")
    host.focus("field")
    let letters = Array("abcdefghijklmnopqrst é👨‍👩‍👧")
    var typed = ""
    for number in 0..<10_000 {
      let letter = String(letters.randomElement(using: &random)!)
      host.type(letter)
      typed += letter
      if Bool.random(using: &random) {
        host.advance(milliseconds: UInt64.random(in: 0...20, using: &random))
      }
      // One that failed too often comes back when its failures are long past and forgiven.
      if number % 500 == 499 {
        host.settle(limit: 4_000)
        host.advance(milliseconds: 120_000)
        if host.running("one") == nil {
          host.feed(.configuration(HostConfiguration(keyboards: [])))
          host.feed(.configuration(HostConfiguration(keyboards: [SimulatedHost.entry("one")])))
        }
      }
    }
    host.settle(limit: 4_000)
    #expect(host.core.pendingInputs == 0)
    #expect(host.text("field") == typed)
    let byKeyboard = host.handled.count { $0.handler == .keyboard("one") }
    #expect(host.handled.count == 10_000 && byKeyboard > 1_000, "\(byKeyboard) by the keyboard")
    #expect(host.launches.count > 2, "it was started again")
  }

  @Test(
    "random changes of the focus never put text into another field",
    arguments: 1...3 as ClosedRange<UInt64>)
  func focus(seed: UInt64) {
    var random = SplitMix(seed: seed &+ 2_000)
    let host = unreliable(seed)
    var hidden = TextInputTraits()
    hidden.isSecureTextEntry = .known(true)
    // Each field has a letter of its own.
    let fields = ["a", "b", "c", "d", "s"]
    for field in fields { host.open(field, field == "s" ? hidden : TextInputTraits()) }
    var expected: [String: Int] = [:]
    for number in 0..<5_000 {
      let field = fields.randomElement(using: &random)!
      host.focus(field)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        host.type(field)
        expected[field, default: 0] += 1
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        host.advance(milliseconds: UInt64.random(in: 0...60, using: &random))
      }
      if number % 500 == 499 { host.advance(milliseconds: 120_000) }
    }
    host.focus("a")
    host.settle(limit: 4_000)
    for field in fields {
      #expect(host.text(field) == String(repeating: field, count: expected[field, default: 0]))
    }
    for case (_, .event(_, let state, let event)) in host.sent {
      // What is before the cursor is of one field, and the key is that field's.
      let letters = Set(state.context.beforeInput)
      guard case .tap(let key) = event else { continue }
      #expect(letters.isSubset(of: [Character(key)]) && key != "s")
    }
  }
}
