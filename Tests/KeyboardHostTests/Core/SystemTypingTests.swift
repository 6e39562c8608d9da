import HostSimulation
import PluginProtocol
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Typing on the system keyboard")
struct SystemTypingTests {
  private func host(
    _ traits: TextInputTraits = TextInputTraits(), text: String = "",
    keyboards: [KeyboardEntry] = [], lexicon: [LexiconEntry] = [],
    _ change: (inout SystemKeyboardSettings) -> Void = { _ in }
  ) -> SimulatedHost {
    var settings = SystemKeyboardSettings()
    change(&settings)
    let host = SimulatedHost(keyboards: keyboards, lexicon: lexicon, typing: settings)
    host.open("a", text: text, traits)
    host.focus("a")
    return host
  }

  private func command(_ host: SimulatedHost, _ command: EditingCommand) {
    host.feed(.user(.command(command)))
  }

  @Test("keys that were chosen stay shown, and capitals come and go")
  func keys() {
    let host = host()
    #expect(host.presentations.last?.layout.key(typing: "H") != nil)
    for key in ["h", "i", "plane.numbers", "1", "2"] { host.tap("system.\(key)") }
    #expect(host.text("a") == "Hi12")
    #expect(host.presentations.last?.layout.key(typing: "3") != nil)
    host.tap("system.plane.letters")
    host.tap("system.shift")
    host.tap("system.a")
    host.tap("system.b")
    #expect(host.text("a") == "Hi12Ab")
    for _ in 0..<2 { host.tap("system.shift") }
    for key in ["c", "d"] { host.tap("system.\(key)") }
    #expect(host.text("a") == "Hi12AbCD", "two taps lock")
    #expect(host.rejections.isEmpty)
  }

  @Test("two taps of shift that are half a second apart do not lock")
  func slowShift() {
    let host = host(text: "x")
    host.tap("system.shift")
    host.advance(milliseconds: 500)
    host.tap("system.shift")
    host.tap("system.a")
    #expect(host.text("a") == "xa")
  }

  @Test("the rules hold for its keys, and not for what comes from elsewhere")
  func rules() {
    let lexicon = [LexiconEntry(userInput: "omw", documentText: "on my way")]
    let host = host(lexicon: lexicon)
    for key in ["o", "m", "w", "space", "space"] { host.tap("system.\(key)") }
    #expect(host.text("a") == "On my way. ")
    host.tap("system.delete")
    #expect(host.text("a") == "On my way  ")
    host.type("omw  \"")
    #expect(host.text("a") == "On my way  omw  \"")
  }

  @Test("a setting that changes holds at once")
  func settingChanges() {
    let host = host()
    var configuration = HostConfiguration()
    configuration.systemKeyboard[.doubleSpaceFullStop] = false
    host.tap("system.a")
    host.feed(.configuration(configuration))
    for _ in 0..<2 { host.tap("system.space") }
    #expect(host.text("a") == "A  ")
  }

  @Test("another keyboard's keys that it presses in its stead type what they say")
  func fallback() {
    let host = host(keyboards: [SimulatedHost.entry("one")])
    host.settle()
    host.behaviour = { _ in .decline }
    for key in ["a", "space", "space"] { host.tap(key) }
    host.settle()
    #expect(host.text("a") == "a  ")
  }

  // MARK: Undo

  @Test("a shake asks, and an answer undoes and does again")
  func shake() {
    let host = host()
    command(host, .shake)
    #expect(host.presentations.last?.undoPrompt == nil, "there is nothing to undo")
    for key in ["a", "b", "space", "c"] { host.tap("system.\(key)") }
    command(host, .shake)
    #expect(host.presentations.last?.undoPrompt?.canUndo == true)
    #expect(host.text("a") == "Ab c", "nothing is done before the answer")
    command(host, .answerUndo(.undo))
    #expect(host.text("a") == "Ab ")
    #expect(host.presentations.last?.undoPrompt == nil)
    command(host, .shake)
    #expect(host.presentations.last?.undoPrompt?.canRedo == true)
    command(host, .answerUndo(.redo))
    #expect(host.text("a") == "Ab c")
    command(host, .shake)
    command(host, .answerUndo(.cancel))
    #expect(host.presentations.last?.undoPrompt == nil)
    #expect(host.text("a") == "Ab c")
    #expect(host.rejections.isEmpty)
  }

  @Test("an answer for a text that changed meanwhile, or to no question, does nothing")
  func lateAnswer() {
    let host = host()
    host.tap("system.a")
    command(host, .shake)
    host.tap("system.b")
    #expect(host.presentations.last?.undoPrompt == nil)
    command(host, .answerUndo(.undo))
    #expect(host.text("a") == "Ab")
    #expect(host.handled.last?.reason == .outdated)
    command(host, .answerUndo(.undo))
    #expect(host.handled.last?.reason == .outdated)
    command(host, .shake)
    host.open("b")
    host.focus("b")
    command(host, .answerUndo(.undo))
    #expect(host.text("a") == "Ab", "the question is asked in its own field")
    host.focus("a")
    command(host, .answerUndo(.undo))
    #expect(host.text("a") == "Ab", "and no longer when that comes back")
  }

  @Test("what a keyboard typed can be undone, and it is told; what the app wrote cannot")
  func undoOfKeyboard() {
    let host = host(keyboards: [SimulatedHost.entry("one")])
    host.settle()
    for key in ["a", "b"] { host.tap(key) }
    host.settle()
    command(host, .shake)
    let told = host.sent.count
    command(host, .answerUndo(.undo))
    #expect(host.text("a") == "")
    let change = host.events(since: told).contains {
      if case .change(_, cause: .user, textChanged: true, selectionChanged: _) = $0 {
        true
      } else {
        false
      }
    }
    #expect(change)
    host.feed(.appEdit(DocumentID("a"), .replaceText("mine", selection: nil)))
    command(host, .shake)
    #expect(host.presentations.last?.undoPrompt == nil)
  }

  @Test("without the setting a shake asks nothing")
  func shakeOff() {
    let host = host { $0[.shakeToUndo] = false }
    host.tap("system.a")
    command(host, .shake)
    #expect(host.presentations.last?.undoPrompt == nil)
  }

  // MARK: The rest

  @Test("a drag moves the cursor by characters as people see them, and by lines")
  func drag() {
    let host = host(text: "e\u{301}👨‍👩‍👧b\nxy\n")
    command(host, .drag(x: -8, y: 0))
    #expect(host.core.text(of: DocumentID("a"))?.selectedRange == 7..<7)
    command(host, .drag(x: -1, y: 0))
    #expect(host.core.text(of: DocumentID("a"))?.selectedRange == 6..<6, "what is left over counts")
    command(host, .drag(x: 0, y: -24))
    #expect(host.core.text(of: DocumentID("a"))?.selectedRange == 2..<2, "the column is kept")
    command(host, .drag(x: 0, y: 24))
    #expect(host.core.text(of: DocumentID("a"))?.selectedRange == 6..<6)
    for (x, y) in [(Double.infinity, 0), (Double.nan, Double.nan), (1e300, -1e300)] {
      command(host, .drag(x: x, y: y))
    }
    #expect(host.core.text(of: DocumentID("a"))?.text == "e\u{301}👨‍👩‍👧b\nxy\n")
    #expect(host.rejections.isEmpty)

    let other = self.host(keyboards: [SimulatedHost.entry("one")])
    other.settle()
    command(other, .drag(x: 90, y: 0))
    #expect(other.rejections.count == 1, "the space key is the other keyboard's")
    let off = self.host(text: "abc") { $0[.trackpadCursor] = false }
    command(off, .drag(x: -90, y: 0))
    #expect(off.core.text(of: DocumentID("a"))?.selectedRange == 3..<3)
  }

  @Test("narrow keys stand at their side, and only those of the system keyboard")
  func oneHanded() {
    #expect(host().presentations.last?.keySpan == 0..<375)
    #expect(host { $0.oneHanded = .left }.presentations.last?.keySpan == 0..<300)
    #expect(host { $0.oneHanded = .right }.presentations.last?.keySpan == 75..<375)
    let other = host(keyboards: [SimulatedHost.entry("one")]) { $0.oneHanded = .right }
    other.settle()
    #expect(other.presentations.last?.keySpan == 0..<375)
    #expect(
      LayoutEnvironment(orientation: .landscape, width: 800, oneHanded: .left).keySpan == 0..<800)
    #expect(LayoutEnvironment(width: -5, oneHanded: .right).keySpan == 0..<0)
  }

  @Test("keys are shown large where the user wants it and the field hides nothing")
  func preview() {
    #expect(host().presentations.last?.showsKeyPreview == true)
    #expect(host { $0[.keyPreview] = false }.presentations.last?.showsKeyPreview == false)
    #expect(host(secure).presentations.last?.showsKeyPreview == false)
  }

  @Test("the look of the text is asked for where the field supports it, and nowhere else")
  func richText() {
    var rich = TextInputTraits()
    rich.allowsEditingTextAttributes = .known(true)
    let host = host(rich)
    for command in RichTextCommand.allCases { self.command(host, .format(command)) }
    #expect(host.formats.map(\.1) == [.bold, .italic, .underline])
    #expect(host.formats.allSatisfy { $0.0 == DocumentID("a") } && host.rejections.isEmpty)
    rich.allowsEditingTextAttributes = .known(false)
    for traits in [TextInputTraits(), rich, secure] {
      let plain = self.host(traits)
      command(plain, .format(.bold))
      #expect(plain.formats.isEmpty && plain.rejections.count == 1)
    }
    rich.allowsEditingTextAttributes = .known(true)
    let off = self.host(rich) { $0[.richText] = false }
    command(off, .format(.bold))
    #expect(off.formats.isEmpty && off.rejections.count == 1)
  }
}
