import Testing
import TextInput

@testable import KeyboardHost

/// What apps do with texts near their bound.
@Suite("The edits of apps")
struct AppEditTests {
  private let rig = AppServerRig()
  private let app: ServedApp
  /// The most scalars that are sent at once.
  private let piece = 60_000

  init() throws { app = try rig.app() }

  private var bytes: Int {
    rig.driver.core.text(of: DocumentID("1/d"))?.utf8Count ?? 0
  }

  private func replace(_ range: Range<Int>, by count: Int, revision: Int) -> String? {
    let text = String(repeating: "a", count: count)
    let request = app.call(
      "replaceText",
      #""document":"d","baseRevision":\#(revision),"range":[\#(range.lowerBound),"#
        + #"\#(range.upperBound)],"text":"\#(text)""#)
    // Of each turn a part of the line is read.
    for _ in 0..<20 where app.answer(request) == nil { rig.turn() }
    return app.answer(request)
  }

  @Test(
    "a text may become as long as it may be, and shorter; longer is the error limit, never stale")
  func nearTheBound() {
    app.open("d")
    rig.turn()
    let most = TextDocument.maximumBytes
    var revision = 0
    while bytes < most {
      let count = min(piece, most - bytes)
      #expect(replace(bytes..<bytes, by: count, revision: revision)?.contains("result") == true)
      revision += 1
    }
    #expect(bytes == most)
    #expect(replace(0..<0, by: 1, revision: revision)?.contains(#""code":6"#) == true)
    #expect(replace(0..<10, by: 11, revision: revision)?.contains(#""code":6"#) == true)
    #expect(replace(0..<4_000, by: 4_000, revision: revision)?.contains("result") == true)
    #expect(
      replace(0..<100_000, by: 4_000, revision: revision + 1)?.contains("result") == true)
    #expect(bytes == most - 96_000)
    #expect(replace(0..<0, by: 1, revision: revision)?.contains(#""code":1"#) == true)
    #expect(app.lines.allSatisfy { !$0.contains("textChanged") })
  }
}
