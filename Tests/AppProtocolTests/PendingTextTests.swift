import AppProtocol
import TestSupport
import Testing

@testable import KeyboardClient

/// An app and a host that is played here, with whatever is on its way between them. Every scalar
/// is put in once only, so that the text in the end tells which were lost.
private struct Interleaving {
  enum Told {
    case change(Range<Int>, String)
    case confirmed, stale, refused
  }
  struct AppEdit {
    var put: Set<Unicode.Scalar>
    var deleted: Set<Unicode.Scalar>
  }

  var random: SplitMix
  let refuses: (Unicode.Scalar) -> Bool
  var app: PendingText
  var host: [Unicode.Scalar]
  var revision = 0
  var appRevision = 0
  var sent: (edit: PendingEdit, revision: Int)?
  var isSent = false
  var told: [Told] = []
  var next: UInt32 = 0x4E00
  var hostDeleted: Set<Unicode.Scalar> = []
  /// What the host put in, which it takes back.
  var hostOwn: Set<Unicode.Scalar> = []
  var edits: [AppEdit] = []
  var refusals = 0

  init(seed: UInt64, refuses: @escaping (Unicode.Scalar) -> Bool) {
    random = SplitMix(seed: seed)
    self.refuses = refuses
    host = []
    app = PendingText("")
    host = fresh(8)
    hostOwn = Set(host)
    app = PendingText(Self.text(host), chunk: 3)
  }

  static func text(_ scalars: [Unicode.Scalar]) -> String { String(scalars: scalars) }

  mutating func fresh(_ most: Int) -> [Unicode.Scalar] {
    let count = Int.random(in: 0...most, using: &random)
    next += UInt32(count)
    return (0..<UInt32(count)).map { Unicode.Scalar(next - $0)! }
  }

  mutating func range(_ count: Int) -> Range<Int> {
    let one = Int.random(in: 0...count, using: &random)
    let other = Bool.random(using: &random) ? one : Int.random(in: 0...count, using: &random)
    return min(one, other)..<max(one, other)
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30:
      let shown = app.shown
      let range = range(shown.count)
      let put = fresh(7)
      let after = shown.count - range.count + put.count
      let selection = Bool.random(using: &random) ? self.range(after) : nil
      edits.append(AppEdit(put: Set(put), deleted: Set(shown[range])))
      app.replace(range, with: Self.text(put), selection: selection)
    case 30..<35: app.select(range(app.shown.count))
    case 35..<55:
      let range = range(host.count)
      let put = fresh(3)
      hostDeleted.formUnion(host[range])
      hostOwn.formUnion(put)
      host.replaceSubrange(range, with: put)
      revision += 1
      told.append(.change(range, Self.text(put)))
    case 55..<80: hostReads()
    default: appReads()
    }
    send()
  }

  mutating func send() {
    guard !isSent, let edit = app.steps.first?.edit else { return }
    sent = (edit, appRevision)
    isSent = true
  }

  mutating func hostReads() {
    guard let (edit, known) = sent else { return }
    sent = nil
    if known != revision {
      told.append(.stale)
      return
    }
    #expect(edit.text == nil || edit.range.upperBound <= host.count, "it runs past the end")
    if edit.text?.unicodeScalars.contains(where: { refuses($0) && !hostOwn.contains($0) }) ?? false
    {
      told.append(.refused)
      return
    }
    edit.apply(to: &host)
    #expect(edit.selection?.upperBound ?? 0 <= host.count)
    revision += 1
    told.append(.confirmed)
  }

  mutating func appReads() {
    if told.isEmpty { return }
    switch told.removeFirst() {
    case .change(let range, let text):
      app.take(range, text)
      appRevision += 1
      return
    case .confirmed:
      app.confirmFirst()
      appRevision += 1
    case .refused:
      app.refuseFirst()
      refusals += 1
    case .stale: break
    }
    isSent = false
  }

  /// - Returns: how many edits were refused.
  mutating func run() -> Int {
    for _ in 0..<Int.random(in: 5...60, using: &random) { step() }
    while isSent || !told.isEmpty {
      hostReads()
      appReads()
      send()
    }
    #expect(app.steps.isEmpty)
    #expect(app.base == host && app.shown == host)
    let left = Set(host)
    #expect(left.count == host.count, "something is there twice")
    let whole = Set((0x4E01...0x4E00 + (next - 0x4E00)).map { Unicode.Scalar($0)! })
    var gone = hostDeleted
    for edit in edits {
      // A refused one was not made, however much of it the host had.
      gone.formUnion(edit.put.contains(where: refuses) ? edit.put : edit.deleted)
    }
    #expect(left == whole.subtracting(gone))
    let refused = edits.count { $0.put.contains(where: refuses) }
    #expect(refusals == refused)
    return refused
  }
}

@Suite("The text of an app and what the host does not have of it")
struct PendingTextTests {
  @Test("what is typed within an edit's range stays, and later edits delete what they deleted")
  func swallowed() {
    var text = PendingText("abcdefghij")
    text.replace(0..<4, with: "Z", selection: nil)
    text.replace(1..<3, with: "", selection: nil)
    #expect(Interleaving.text(text.shown) == "Zghij")
    text.take(2..<2, "x")
    #expect(Interleaving.text(text.shown) == "Zxghij")
  }

  @Test("at the cursor of both, what was typed stands first, and the cursor behind all")
  func sameCursor() {
    var text = PendingText("ab")
    text.replace(2..<2, with: "Z", selection: nil)
    text.take(2..<2, "x")
    #expect(Interleaving.text(text.shown) == "abxZ")
    #expect(text.lastEdit?.selectionAfter == 4..<4)
  }

  @Test("a refused edit takes its own parts along and leaves the others")
  func refused() {
    var text = PendingText("abc", chunk: 3)
    text.replace(1..<2, with: "123456", selection: nil)
    text.replace(8..<8, with: "!", selection: nil)
    text.replace(0..<2, with: "", selection: nil)
    #expect(Interleaving.text(text.shown) == "23456c!")
    text.refuseFirst()
    #expect(Interleaving.text(text.shown) == "bc!")
  }

  @Test("what the host had of an edit that is refused later is undone, around what was typed since")
  func undone() {
    var text = PendingText("0123456789", chunk: 3)
    text.replace(1..<9, with: "abcdefgh", selection: 2..<3)
    text.replace(10..<10, with: "!", selection: nil)
    text.confirmFirst()
    text.take(2..<2, "x")
    text.confirmFirst()
    #expect(Interleaving.text(text.base) == "0axbcdef9")
    #expect(Interleaving.text(text.shown) == "0axbcdefgh9!")
    text.refuseFirst()
    // The host has to be told, in pieces again; the user's letter and the app's other edit stay.
    let undone = Interleaving.text(text.shown)
    #expect(undone.filter(\.isNumber) == "0123456789")
    #expect(undone.filter { !$0.isNumber } == "x!" && undone.hasSuffix("9!"))
    #expect(text.steps.count > 3)
    #expect(text.steps.compactMap(\.edit?.text).allSatisfy { $0.unicodeScalars.count <= 3 })
    while let edit = text.steps.first?.edit {
      #expect(edit.range.upperBound <= text.base.count)
      text.confirmFirst()
    }
    #expect(Interleaving.text(text.base) == undone)
  }

  @Test("an edit that was confirmed to its end is not undone with the next")
  func notUndone() {
    var text = PendingText("abc", chunk: 1)
    text.replace(0..<3, with: "xy", selection: nil)
    text.replace(2..<2, with: "z", selection: nil)
    text.confirmFirst()
    text.confirmFirst()
    text.refuseFirst()
    #expect(Interleaving.text(text.shown) == "xy")
    #expect(text.steps.isEmpty)
  }

  @Test("when the undoing itself is refused in a part, the rest of it is made, and that is the end")
  func undoingRefused() {
    var text = PendingText("abcd", chunk: 2)
    text.replace(0..<4, with: "1234", selection: nil)
    text.confirmFirst()
    text.refuseFirst()
    #expect(Interleaving.text(text.shown) == "abcd")
    text.confirmFirst()
    text.refuseFirst()
    #expect(Interleaving.text(text.shown) == "ab")
    #expect(text.steps.isEmpty)
  }

  @Test("whoever waits for an input hears of it when nothing is sent any more")
  func ended() {
    var text = PendingText("abc")
    var heard: [Bool] = []
    text.replace(0..<1, with: "x", selection: nil)
    text.append(.character("y")) { heard.append($0) }
    text.append(.nextKeyboard) { heard.append($0) }
    for then in text.end() { then(false) }
    #expect(heard == [false, false])
    #expect(text.steps.isEmpty && text.nextInput() == nil)
  }

  @Test("whatever is on its way, nothing is lost that nobody deleted, and both ends agree")
  func interleavings() {
    for seed in 0..<2_000 as Range<UInt64> {
      var run = Interleaving(seed: seed) { _ in false }
      _ = run.run()
    }
  }

  @Test("nor when some edits are refused, each of which is told")
  func interleavingsWithRefusals() {
    var refused = 0
    for seed in 0..<2_000 as Range<UInt64> {
      var run = Interleaving(seed: seed) { $0.value % 11 == 0 }
      refused += run.run()
    }
    #expect(refused > 2_000)
  }
}
