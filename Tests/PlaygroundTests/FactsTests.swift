import KeyboardHost
import Playground
import Testing
import TextInput

/// What a person has to be able to read from the screen: which keyboard serves, why not the other,
/// how to switch, and whose network is open.
@Suite("The playground's facts about a field")
struct FactsTests {
  private static let allows = Decision(reasons: [.fieldAllows, .appDoesNotAsk])
  private static let secure = Decision(reasons: [.secureEntry])
  private static let sizes = [
    CanvasSize(rows: 21, columns: 48), CanvasSize(rows: 24, columns: 80),
    CanvasSize(rows: 40, columns: 120),
  ]

  /// A model with Habra, Intruder and the system keyboard in the list.
  /// - Parameters:
  ///   - chosen: which of the three is chosen.
  ///   - keys: how many rows of keys it shows.
  private static func model(
    _ decision: Decision, chosen: Int = 0, access: Bool = false, keys: Int = 5,
    others: Decision? = nil
  ) -> PlaygroundModel {
    var model = PlaygroundModel()
    let system = Decision(reasons: [.systemServesEveryField])
    let refused = decision.fieldRefuses ? decision : allows
    model.adopt([
      PlayKeyboard(
        identifier: "org.example.habra", name: "Habra Tags", hasOpenAccess: false,
        decision: others ?? refused, isChosen: chosen == 0),
      PlayKeyboard(
        identifier: "org.example.intruder", name: "Intruder", hasOpenAccess: access,
        decision: others ?? refused, isChosen: chosen == 1),
      PlayKeyboard(
        identifier: "system", name: "System keyboard", hasOpenAccess: false, decision: system,
        isChosen: chosen == 2),
    ])
    let serves = decision.isEligible && chosen < 2
    model.present(
      Presentation(
        document: model.fields[0].document,
        keyboard: serves ? model.keyboards[chosen].identifier : nil,
        layout: KeyboardLayout(rows: (0..<keys).map { [Key(id: "\($0)", label: "row \($0)")] }),
        decision: decision))
    return model
  }

  private static func screen(_ model: PlaygroundModel, _ size: CanvasSize) -> [String] {
    var model = model
    return model.draw(size: size, texts: [:]).lines
  }

  @Test("why not the other stands on every screen, for every field", arguments: sizes)
  func whyNot(_ size: CanvasSize) {
    let isWide = size.columns >= 64
    var text = Self.screen(Self.model(Self.allows), size)
    #expect(text.contains { $0.contains("Serves") && $0.contains("Habra Tags, in a sandbox") })
    #expect(text.contains { $0.contains("Why") && $0.contains("first in your list (F3)") })
    #expect(text.contains { $0.contains("Intruder: not chosen:") && $0.contains("2nd in") })
    #expect(
      text.contains {
        $0.contains("System") && $0.contains(": not chosen:") && $0.contains("3rd in")
      })
    #expect(!isWide || text.contains { $0.contains("Intruder") && $0.contains("(F2: next)") })

    text = Self.screen(Self.model(Self.secure), size)
    #expect(text.contains { $0.contains("Serves") && $0.contains("the system keyboard") })
    let why = isWide ? "the field is secure" : "a secret"
    #expect(text.contains { $0.contains("Why") && $0.contains("\(why)") })
    for name in ["Habra Tags", "Intruder"] {
      #expect(text.contains { $0.contains("\(name): refused: \(why)") }, "\(text)")
    }
    // Nothing of it is cut off.
    #expect(
      !text.contains { ($0.contains("refused:") || $0.contains("chosen:")) && $0.contains("…") })

    text = Self.screen(Self.model(Self.allows, chosen: 1), size)
    #expect(text.contains { $0.contains("Why") && $0.contains("you switched to it") })
    let place = isWide ? "you switched to another here" : "1st in list"
    #expect(text.contains { $0.contains("Habra Tags: not chosen: \(place)") })
    // The globe goes on to one alone.
    #expect(text.filter { $0.contains("(F2: next)") }.count == (isWide ? 1 : 0))
    #expect(!isWide || text.contains { $0.contains("System") && $0.contains("(F2: next)") })
    // Behind the one that serves nobody chose against it, before it somebody did.
    text = Self.screen(Self.model(Decision(reasons: [.systemKeyboardSelected]), chosen: 2), size)
    #expect(
      text.filter { $0.contains("you switched to another here") }.count == (isWide ? 2 : 0))
    #expect(
      !isWide || text.contains { $0.contains("Habra Tags: not chosen") && $0.contains("F2: next") })
  }

  @Test("why it is the system keyboard, in each case")
  func system() {
    let size = CanvasSize(rows: 24, columns: 80)
    var text = Self.screen(
      Self.model(Decision(reasons: [.systemKeyboardSelected]), chosen: 2), size)
    #expect(text.contains { $0.contains("Why") && $0.contains("you switched to it (F2, F3)") })
    // A keyboard that alone is refused, and one that does not run.
    let ascii = Decision(reasons: [.notASCIICapable(.asciiCapable)])
    text = Self.screen(Self.model(ascii, others: ascii), size)
    #expect(text.contains { $0.contains("Habra Tags may not serve: the field wants plain") })
    #expect(text.contains { $0.contains("Intruder: refused: the field wants plain") })
    var model = Self.model(Self.allows)
    model.present(
      Presentation(
        document: model.fields[0].document, keyboard: nil, layout: KeyboardLayout(rows: []),
        decision: Self.allows))
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("Why") && $0.contains("Habra Tags is starting, or was") })
    #expect(text.contains { $0.contains("Habra Tags: starting, or stopped") })
    // With none in the list, whatever was pressed before.
    model.adopt([model.keyboards[2]])
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("you have no other: `keyhost apps install`") })
  }

  @Test("whose network is open is said by name, and how it is taken away")
  func network() {
    let size = CanvasSize(rows: 24, columns: 80)
    var text = Self.screen(Self.model(Self.allows, access: true), size)
    #expect(
      text.contains { $0.contains("Intruder has it (F6 takes it away); Habra Tags has none") })
    text = Self.screen(Self.model(Self.allows, chosen: 1, access: true), size)
    #expect(text.contains { $0.contains("OPEN: Intruder has it (F6 takes it away)") })
    let incognito = Decision(reasons: [.incognito(.creditCardNumber), .fieldAllows])
    var model = Self.model(incognito, chosen: 1, access: true)
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("(F6 takes it away), but not here: incognito") })
    #expect(text.contains { $0.contains("incognito: the field is for a card") })
    // Taken away, here or elsewhere, and given.
    var list = model.keyboards
    list[1].hasOpenAccess = false
    model.adopt(list)
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("open access was taken from Intruder") })
    #expect(text.contains { $0.contains("none: taken from Intruder; F1 says how") })
    _ = model.handle(.key(.function(1)))
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("`keyhost grant org.example.intruder open-access`") })
    _ = model.handle(.key(.escape))
    list[1].hasOpenAccess = true
    model.adopt(list)
    text = Self.screen(model, size)
    #expect(text.contains { $0.contains("Intruder was given open access") })
  }

  @Test("many keyboards leave the rest its room", arguments: sizes)
  func many(_ size: CanvasSize) {
    var model = Self.model(Self.allows)
    let more = (0..<40).map {
      PlayKeyboard(
        identifier: "org.example.k\($0)", name: String(repeating: "K", count: 99),
        hasOpenAccess: false, decision: Self.allows)
    }
    model.adopt(model.keyboards + more)
    model.note(Activity(.refused, "Intruder: try"))
    let text = Self.screen(model, size)
    #expect(text.contains { $0.contains("more: F3 lists them") })
    #expect(text.contains { $0.contains("REFUSED  Intruder: try") })
    #expect(text.contains { $0.contains("Globe: next (F2)") })
  }

  @Test("the globe and the list do nothing silently where no other keyboard may serve")
  func switching() {
    var model = Self.model(Self.secure)
    #expect(model.handle(.key(.function(2))) == [])
    #expect(model.activities.last?.text == "no other keyboard may serve Comment")
    _ = model.handle(.key(.function(3)))
    let size = CanvasSize(rows: 24, columns: 80)
    #expect(Self.screen(model, size).contains { $0.contains("  Intruder (refused here)") })
    _ = model.handle(.key(.up))
    _ = model.handle(.key(.up))
    #expect(model.handle(.key(.enter)) == [])
    #expect(
      model.activities.last?.text
        == "Habra Tags may not serve Comment: the field is secure, for a password")
    // Back from the system keyboard: what is picked is judged, not what was there before.
    model = Self.model(Decision(reasons: [.systemKeyboardSelected]), chosen: 2)
    _ = model.handle(.key(.function(3)))
    _ = model.handle(.key(.up))
    _ = model.handle(.key(.up))
    #expect(model.handle(.key(.enter)) == [.user(.selectKeyboard("org.example.habra"))])
    #expect(model.activities.isEmpty)
    #expect(model.handle(.key(.function(2))) == [.user(.nextKeyboard)])
  }

  @Test("the help is whole on the smallest terminal, and the line at the bottom can be clicked")
  func help() {
    var model = Self.model(Self.allows, access: true)
    _ = model.handle(.key(.function(1)))
    for size in Self.sizes {
      let text = Self.screen(model, size)
      #expect(text.contains { $0.contains("Ctrl-C: the end.") }, "\(text)")
      #expect(!text.contains { $0.contains("…") && $0.contains("│ ") }, "\(text)")
    }
    _ = model.handle(.key(.escape))
    for size in Self.sizes {
      let canvas = model.draw(size: size, texts: [:])
      let last = canvas.lines[size.rows - 1]
      #expect(last.contains("F10 quit"), "\(last)")
      guard let found = last.firstRange(of: "F7") else {
        Issue.record("no F7 in \(last)")
        continue
      }
      let column = last.distance(from: last.startIndex, to: found.lowerBound)
      #expect(model.handle(.press(row: size.rows - 1, column: column)) == [])
      #expect(model.overlay == .happenings)
      _ = model.handle(.key(.escape))
    }
  }
}
