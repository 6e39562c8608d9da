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
  var edits: [AppEdit] = []
  var refusals = 0

  init(seed: UInt64, refuses: @escaping (Unicode.Scalar) -> Bool) {
    random = SplitMix(seed: seed)
    self.refuses = refuses
    host = []
    app = PendingText("")
    host = fresh(8)
    app = PendingText(Self.text(host))
  }

  static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

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
      app.replace(range, with: Self.text(put), selection: selection, chunk: 3)
    case 30..<35: app.select(range(app.shown.count))
    case 35..<55:
      let range = range(host.count)
      let put = fresh(3)
      hostDeleted.formUnion(host[range])
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
    if edit.text?.unicodeScalars.contains(where: refuses) ?? false {
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
      if edit.put.contains(where: refuses) {
        // Parts of it may have been made before the one that was refused.
        gone.formUnion(edit.put.union(edit.deleted).subtracting(left))
      } else {
        gone.formUnion(edit.deleted)
      }
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
    text.replace(0..<4, with: "Z", selection: nil, chunk: 10)
    text.replace(1..<3, with: "", selection: nil, chunk: 10)
    #expect(Interleaving.text(text.shown) == "Zghij")
    text.take(2..<2, "x")
    #expect(Interleaving.text(text.shown) == "Zxghij")
  }

  @Test("at the cursor of both, what was typed stands first, and the cursor behind all")
  func sameCursor() {
    var text = PendingText("ab")
    text.replace(2..<2, with: "Z", selection: nil, chunk: 10)
    text.take(2..<2, "x")
    #expect(Interleaving.text(text.shown) == "abxZ")
    #expect(text.lastEdit?.selectionAfter == 4..<4)
  }

  @Test("a refused edit takes its own parts along and leaves the others")
  func refused() {
    var text = PendingText("abc")
    text.replace(1..<2, with: "123456", selection: nil, chunk: 3)
    text.replace(8..<8, with: "!", selection: nil, chunk: 3)
    text.replace(0..<2, with: "", selection: nil, chunk: 3)
    #expect(Interleaving.text(text.shown) == "23456c!")
    text.refuseFirst()
    #expect(Interleaving.text(text.shown) == "bc!")
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
