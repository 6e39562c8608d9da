import Testing

@testable import KeyboardHost

/// An app cannot take the keyboard from where something secret is typed, and nobody who is meant waits.
@Suite("Which app has the keyboard")
struct AppFocusTests {
  private static let secure = #""isSecureTextEntry":true"#

  private let rig = AppServerRig()
  private let owner: ServedApp
  private let other: ServedApp

  init() throws {
    owner = try rig.app()
    other = try rig.app()
    owner.open("password", traits: Self.secure)
    owner.open("note")
    other.open("d")
    rig.turn()
  }

  private func text(_ app: Int, _ name: String) -> String? {
    rig.driver.core.text(of: DocumentID("\(app)/\(name)"))?.text
  }

  private func count(_ method: String, _ app: ServedApp) -> Int {
    app.read()
    return app.lines.count { $0.contains(#""method":"\#(method)""#) }
  }

  @Test("a secure field keeps it, key for key, and the other learns of no key")
  func secureField() {
    other.focus("d")
    rig.turn()
    owner.focus("password")
    rig.turn()
    for key in 1...20 {
      let claim = other.focus("d")
      rig.turn()
      #expect(other.answer(claim)?.contains("result") == true)
      let typed = owner.type("s", "password")
      rig.turn()
      #expect(owner.answer(typed)?.contains(#""handled":true"#) == true, "key \(key)")
      rig.pass(milliseconds: 400)
    }
    #expect(text(1, "password") == String(repeating: "s", count: 20))
    #expect(count("resigned", owner) == 0)
    // Once, when the field got it.
    #expect(count("resigned", other) == 1)
  }

  @Test("whichever of the two windows is told first, what is typed behind the switch is typed")
  func switching() {
    owner.focus("password")
    rig.turn()
    other.focus("d")
    let first = other.type("a", "d")
    rig.turn()
    #expect(other.answer(first) == nil)
    owner.call("resignFirstResponder", "")
    let second = other.type("b", "d")
    rig.turn()
    #expect(other.answer(first)?.contains(#""handled":true"#) == true)
    #expect(other.answer(second)?.contains(#""handled":true"#) == true)
    #expect(text(2, "d") == "ab")
    #expect(count("keyboardDidShow", other) == 1)
    // From an ordinary field it goes at once, as ever.
    owner.focus("note")
    rig.turn()
    #expect(count("resigned", other) == 1)
    other.focus("d")
    rig.turn()
    #expect(count("resigned", owner) == 1)
  }

  @Test("an app that does not give it up keeps it no longer than it is typed into")
  func left() {
    owner.focus("password")
    rig.turn()
    other.focus("d")
    let key = other.type("a", "d")
    rig.pass(milliseconds: AppServer.hold - 100)
    #expect(other.answer(key) == nil)
    owner.type("s", "password")
    rig.pass(milliseconds: AppServer.hold - 100)
    #expect(other.answer(key) == nil)
    rig.pass(milliseconds: 200)
    #expect(other.answer(key)?.contains(#""handled":true"#) == true)
    #expect(count("resigned", owner) == 1)
  }

  @Test("an app that moves between such fields keeps it no longer than one that stays")
  func moved() {
    owner.open("second", traits: Self.secure)
    owner.focus("password")
    rig.turn()
    owner.type("s", "password")
    rig.pass(milliseconds: 1_000)
    other.focus("d")
    let key = other.type("a", "d")
    rig.turn()
    for name in ["second", "password", "second"] {
      owner.focus(name)
      rig.pass(milliseconds: 1_000)
      #expect(other.answer(key) == nil)
    }
    // Who goes on typing there does keep it.
    owner.type("s", "second")
    rig.pass(milliseconds: AppServer.hold - 1_000)
    #expect(other.answer(key) == nil)
    owner.focus("password")
    rig.pass(milliseconds: 1_200)
    #expect(other.answer(key)?.contains(#""handled":true"#) == true)
    #expect(text(1, "password") == "s" && text(1, "second") == "s" && text(2, "d") == "a")
  }

  @Test("those who wait get it in their order, and each types what it typed")
  func order() throws {
    let third = try rig.app()
    third.open("t")
    owner.focus("password")
    rig.turn()
    other.open("e")
    other.focus("d")
    other.type("1", "d")
    rig.turn()
    third.focus("t")
    third.type("2", "t")
    rig.turn()
    other.focus("e")
    other.type("3", "e")
    let gone = other.type("4", "d")
    rig.turn()
    owner.call("closeDocument", #""document":"password""#)
    rig.turn()
    #expect(text(2, "d") == "1")
    #expect(text(2, "e") == "3")
    #expect(text(3, "t") == "2")
    #expect(other.answer(gone)?.contains(#""code":4"#) == true)
    #expect(rig.server.responder?.id == DocumentID("3/t"))
  }

  @Test("who stops waiting has not typed, and who goes is not waited for")
  func withdrawn() throws {
    owner.focus("password")
    rig.turn()
    other.open("e")
    other.focus("d")
    let first = other.type("1", "d")
    other.focus("e")
    let second = other.type("2", "e")
    other.call("closeDocument", #""document":"d""#)
    rig.turn()
    #expect(other.answer(first)?.contains(#""code":4"#) == true)
    #expect(other.answer(second) == nil)
    other.call("resignFirstResponder", "")
    rig.turn()
    #expect(other.answer(second)?.contains(#""code":4"#) == true)
    var third: ServedApp? = try rig.app()
    third?.open("t")
    third?.focus("t")
    rig.turn()
    #expect(rig.server.claims.count == 1)
    third = nil
    rig.turn()
    rig.turn()
    #expect(rig.server.claims.isEmpty)
    owner.call("resignFirstResponder", "")
    rig.turn()
    #expect(rig.server.responder == nil)
  }

  @Test("no more waits of an app that waits than of one that types")
  func bounded() {
    owner.focus("password")
    rig.turn()
    other.focus("d")
    for _ in 0..<200 { other.type("x", "d") }
    rig.pass(milliseconds: 1_000)
    #expect(rig.server.claims.first?.steps.count == AppConnection.pendingInputs)
    owner.call("resignFirstResponder", "")
    rig.pass(milliseconds: 5_000)
    #expect(text(2, "d") == String(repeating: "x", count: 200))
  }

  @Test("nor more bytes, and all that was sent is done when its turn comes")
  func boundedBytes() {
    owner.focus("password")
    rig.turn()
    other.focus("d")
    let points = (0..<1_000).map { "[1,2,\($0)]" }.joined(separator: ",")
    let line = #""document":"d","event":{"stroke":[\#(points)]}"#
    var calls: [Int] = []
    for _ in 0..<12 {
      calls.append(other.call("event", line))
      rig.turn()
    }
    let steps = rig.server.claims.first?.steps.count ?? 0
    #expect(steps >= FocusClaim.maximumBytes / 16_384 && steps < calls.count)
    calls.append(other.type("x", "d"))
    owner.call("resignFirstResponder", "")
    rig.pass(milliseconds: 2_000)
    #expect(text(2, "d") == "x")
    for call in calls { #expect(other.answer(call)?.contains("result") == true) }
  }

  @Test("an app that moves the focus back and forth is slowed down, and loses nothing")
  func flipping() {
    owner.open("pad", traits: #""keyboardType":"phonePad""#)
    rig.turn()
    let burst = Int(AppConnection.focusBurst)
    let rate = Int(AppConnection.focusPerSecond)
    let waysToFlip = [
      [
        #"becomeFirstResponder","params":{"document":"note"}"#,
        #"becomeFirstResponder","params":{"document":"pad"}"#,
      ],
      [
        #"setTraits","params":{"document":"pad","traits":{}}"#,
        #"setTraits","params":{"document":"pad","traits":{"keyboardType":"phonePad"}}"#,
      ],
    ]
    owner.focus("note")
    rig.turn()
    for way in waysToFlip {
      owner.focus("pad")
      // Nothing is left over of what was done before.
      rig.pass(milliseconds: 20_000)
      var requests: [Int] = []
      for number in 0..<(2 * burst) { requests.append(owner.callRaw(way[number % 2])) }
      rig.pass(milliseconds: 100)
      let done = requests.count { owner.answer($0) != nil }
      #expect(done >= burst && done <= burst + 4, "\(done)")
      rig.pass(milliseconds: UInt64(1_000 * (burst / rate + 1)))
      #expect(requests.allSatisfy { owner.answer($0)?.contains("result") == true })
    }
  }
}
