import Testing

@testable import KeyboardHost

/// What waits for an app that has not read it.
@Suite("What waits for an app")
struct AppWaitingTests {
  private let rig = AppServerRig()
  private let app: ServedApp
  /// Six bytes of a line each.
  private let count = 200_000

  init() throws { app = try rig.app() }

  private func contents(_ number: Int = 1) -> Int {
    rig.driver.core.text(of: DocumentID("\(number)/d"))?.text.unicodeScalars.count ?? 0
  }

  /// Has the host put back a text that takes several times what waits for an app, in one turn.
  private func undoLongText(_ app: ServedApp, number: Int = 1) {
    app.open("d")
    app.focus("d")
    rig.turn()
    let piece = String(repeating: #"\u0001"#, count: 10_000)
    for index in 0..<(count / 10_000) {
      let start = index * 10_000
      app.call(
        "replaceText",
        #""document":"d","baseRevision":\#(index),"range":[\#(start),\#(start)],"text":"\#(piece)""#
      )
      // Of each turn a part of the line is read.
      for _ in 0..<8 { rig.turn() }
      app.read()
    }
    #expect(contents(number) == count)
    app.call(
      "select", #""document":"d","baseRevision":\#(count / 10_000),"selection":[0,\#(count)]"#)
    app.type("x", "d")
    rig.turn()
    #expect(contents(number) == 1)
    app.call("event", #""document":"d","shake":true"#)
    rig.turn()
    app.read()
    app.call("event", #""document":"d","answerUndo":"undo""#)
    rig.turn()
    #expect(contents(number) == count)
  }

  @Test("a change of a long text is told whole to an app that reads, whatever else it asks")
  func longChange() {
    undoLongText(app)
    // It goes on asking before it reads, and is answered behind the change.
    let question = app.call("listKeyboards", #""document":"d""#)
    rig.turn()
    var told = 0
    for _ in 0..<200 {
      for line in app.read() where line.contains(#""method":"textChanged""#) {
        told += line.components(of: #"\u0001"#)
      }
      rig.turn()
    }
    #expect(told == count)
    #expect(app.answer(question)?.contains("result") == true)
    #expect(rig.server.connectionCount == 1)
    app.type("y", "d")
    rig.turn()
    #expect(contents() == count + 1)
  }

  @Test("an app that asks and does not read is let go of at its bound")
  func flood() {
    app.open("d")
    rig.turn()
    for _ in 0..<20_000 where rig.server.connectionCount > 0 {
      app.call("listKeyboards", #""document":"d""#)
      rig.pass(milliseconds: 1)
    }
    #expect(rig.server.connectionCount == 0)
  }
}

extension String {
  /// How often a text is in it, none over another.
  fileprivate func components(of text: String) -> Int {
    var found = 0
    var rest = utf8[...]
    let wanted = Array(text.utf8)
    while let start = rest.firstIndex(of: wanted[0]) {
      rest = rest[start...]
      if rest.starts(with: wanted) { found += 1 }
      rest = rest.dropFirst()
    }
    return found
  }
}
