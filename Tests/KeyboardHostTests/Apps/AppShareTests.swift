import Testing

@testable import KeyboardHost

/// However many apps ask however much, the app with the keyboard and keyboards do not wait for it.
@Suite("What apps may use of the host")
struct AppShareTests {
  @Test("of many apps with heavy messages one is served in a turn, and the one that types besides")
  func turns() throws {
    let rig = AppServerRig()
    let typing = try rig.app()
    typing.open("note")
    typing.focus("note")
    rig.turn()
    let crowd = try (0..<20).map { _ in try rig.app() }
    for app in crowd {
      app.open("d")
      for _ in 0..<100 { app.call("select", #""document":"d","baseRevision":0,"selection":[0,0]"#) }
    }
    // All of it is read, and not all of it handled; from now on a message costs as much as the worst.
    rig.turn()
    rig.clock.messageCost = 10_000_000
    for key in 1...10 {
      let before = rig.clock.used
      let request = typing.type("a", "note")
      // One turn may go to find that there is no more of the key before.
      rig.turn()
      rig.turn()
      #expect(typing.answer(request) != nil, "key \(key) waits for other apps")
      // A message of each of the two in each turn, reading the key, and looking for another.
      #expect(rig.clock.used - before <= 120_000_000, "key \(key) took \(rig.clock.used - before)")
    }
    for app in crowd { app.read() }
    #expect(crowd.reduce(0) { $0 + $1.lines.count } < 20 * 100)
  }

  @Test("all apps without the keyboard are one load, however many connections it has")
  func together() throws {
    let rig = AppServerRig()
    let crowd = try (0..<40).map { _ in try rig.app() }
    for app in crowd {
      app.open("d")
      for _ in 0..<100 { app.call("select", #""document":"d","baseRevision":0,"selection":[0,0]"#) }
    }
    rig.clock.messageCost = 2_000_000
    let before = rig.clock.used
    rig.pass(milliseconds: 2_000)
    let used = Int64(rig.clock.used - before)
    // Half of the looks are the messages' own, the others are not charged.
    #expect(used > 200_000_000)
    #expect(
      used < 2 * (AppServer.shareBurst + 2 * AppServer.sharePerSecond) + 50_000_000, "\(used)")
  }

  @Test("what never becomes a line is charged as well")
  func partialLines() throws {
    let rig = AppServerRig()
    let crowd = try (0..<40).map { _ in try rig.app() }
    rig.clock.messageCost = 2_000_000
    let before = rig.clock.used
    for _ in 0..<1_000 {
      for app in crowd { app.write(String(repeating: " ", count: 16)) }
      rig.turn()
      rig.clock.time = rig.clock.time.adding(milliseconds: 1)
    }
    let seconds = Int64(rig.clock.time.nanoseconds - 1_000_000_000) / 1_000_000_000 + 1
    let used = Int64(rig.clock.used - before)
    // All connections may be read once more when there is something left of the share again.
    #expect(used < 2 * (AppServer.shareBurst + seconds * AppServer.sharePerSecond) + 400_000_000)
  }

  @Test("an app that asks little is served before those that have asked much")
  func order() throws {
    let rig = AppServerRig()
    let crowd = try (0..<40).map { _ in try rig.app() }
    let modest = try rig.app(of: 1_000)
    for app in crowd {
      app.open("d")
      for _ in 0..<100 { app.call("select", #""document":"d","baseRevision":0,"selection":[0,0]"#) }
    }
    rig.clock.messageCost = 2_000_000
    rig.pass(milliseconds: 1_000)
    for _ in 0..<5 {
      let request = modest.call("resignFirstResponder", "")
      rig.pass(milliseconds: 50)
      #expect(modest.answer(request) != nil)
    }
  }

  @Test("an app gives no character that is longer than any language has, in one piece or in many")
  func longCharacters() throws {
    let rig = AppServerRig()
    let app = try rig.app()
    for text in ["\u{301}", "🇨", "ᄀ"] {
      let long = String(repeating: text, count: 1_025)
      let request = app.open("long \(text)", "a" + long)
      rig.turn()
      #expect(app.answer(request)?.contains(#""code":6"#) == true)
      // Four parts that are allowed, and what is between them is taken away.
      let part = String(repeating: text, count: 300)
      let whole = Array(repeating: part, count: 4).joined(separator: "-")
      let opened = app.open("parts \(text)", "a" + whole)
      rig.turn()
      #expect(app.answer(opened)?.contains("result") == true)
      var answers: [String] = []
      for (revision, place) in [301, 601, 901].enumerated() {
        let edit = app.call(
          "replaceText",
          #""document":"parts \#(text)","baseRevision":\#(revision),"#
            + #""range":[\#(place),\#(place + 1)],"text":"""#)
        rig.turn()
        answers.append(app.answer(edit) ?? "none")
      }
      #expect(answers.map { $0.contains("result") } == [true, true, false], "\(answers)")
    }
  }
}
