import KeyboardHost
import Playground
import TestSupport
import Testing
import TextInput

@Suite("The playground's model")
struct PlaygroundModelTests {
  private static let size = CanvasSize(rows: 30, columns: 80)
  private static let layout = KeyboardLayout(rows: [
    [
      Key(id: "a", label: "A", insertText: "a"), Key(id: "wide", label: "漢字", insertText: "字"),
      Key(id: "c", label: "C", insertText: "c"),
    ],
    [
      Key(id: "space", label: "space", role: .space, width: 2),
      Key(id: "del", label: "del", role: .delete),
    ],
  ])

  private static func model(
    suggestions: [String] = [], keyboard: String? = "org.example.k", access: Bool = false
  ) -> PlaygroundModel {
    var model = PlaygroundModel()
    model.adopt([
      PlayKeyboard(identifier: "org.example.k", name: "Example", hasOpenAccess: access),
      PlayKeyboard(identifier: "system", name: "System keyboard", hasOpenAccess: false),
    ])
    model.present(
      Presentation(
        document: model.fields[0].document, keyboard: keyboard, layout: layout,
        suggestions: suggestions, decision: Decision(reasons: [.fieldAllows, .appDoesNotAsk])))
    return model
  }

  private static func screen(_ model: inout PlaygroundModel, _ size: CanvasSize = size) -> [String]
  {
    model.draw(size: size, texts: [:]).lines
  }

  /// Where a text stands, in columns.
  private static func place(
    _ text: String, in canvas: Canvas, below first: Int = 0
  ) -> (row: Int, column: Int)? {
    for row in first..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let rest = (column..<canvas.size.columns).reduce(into: "") { $0 += canvas[row, $1].text }
        if rest.hasPrefix(text) { return (row, column) }
      }
    }
    return nil
  }

  @Test("what is shown may change between any two inputs of the arrows")
  func changingLayouts() {
    var random = SplitMix(seed: 7)
    var model = Self.model()
    _ = Self.screen(&model)
    let arrows: [PlayInput] = [.key(.up), .key(.down), .key(.left), .key(.right)]
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let rows = (0..<Int.random(in: 0..<5, using: &random)).map { row in
          (0..<Int.random(in: 1..<5, using: &random)).map {
            Key(id: "\(row) \($0)", label: "k", insertText: "k")
          }
        }
        let suggestions = (0..<Int.random(in: 0..<4, using: &random)).map { "s\($0)" }
        model.present(
          Presentation(
            document: model.fields[0].document, keyboard: "org.example.k",
            layout: KeyboardLayout(rows: rows), suggestions: suggestions,
            decision: Decision(reasons: [.fieldAllows, .appDoesNotAsk])))
      case 1: _ = Self.screen(&model)
      case 2: _ = model.handle(.key(.enter))
      default: _ = model.handle(arrows.randomElement(using: &random)!)
      }
      guard let (row, index) = model.highlight, let shown = model.presentation else { continue }
      #expect(
        row < 0
          ? index < shown.suggestions.count
          : row < shown.layout.rows.count && index < shown.layout.rows[row].count)
    }
  }

  @Test("it says which keyboard serves, why, and whether there is a network")
  func facts() {
    var model = Self.model()
    var text = Self.screen(&model).joined(separator: "\n")
    #expect(text.contains("Example, in a sandbox of its own"))
    #expect(text.contains("first in your list (F3); the field and its app allow it"))
    #expect(text.contains("System keyboard: not chosen: it is 2nd in your list (F2: next)"))
    #expect(text.contains("none: no keyboard has open access"))
    model = Self.model(access: true)
    text = Self.screen(&model).joined(separator: "\n")
    #expect(text.contains("OPEN: Example has it (F6 takes it away)"))
    #expect(model.handle(.key(.function(6))) == [.revoke(keyboard: "org.example.k")])
  }

  @Test("a tap with the mouse taps the key that is drawn there")
  func mouse() throws {
    var model = Self.model(suggestions: ["one", "two"])
    let canvas = model.draw(size: Self.size, texts: [:])
    for (label, key) in [
      ("A", "a"), ("漢字", "wide"), ("C", "c"), ("space", "space"), ("del", "del"),
    ] {
      let at = try #require(Self.place(label, in: canvas, below: 20))
      #expect(
        model.handle(.press(row: at.0, column: at.1)) == [.user(.event(.tap(key: key)))], "\(label)"
      )
      #expect(
        model.handle(.longPress(row: at.0, column: at.1)) == [.user(.event(.longPress(key: key)))])
    }
    let two = try #require(Self.place("two", in: canvas, below: 20))
    #expect(
      model.handle(.press(row: two.row, column: two.column))
        == [.user(.event(.suggestion(index: 1, text: "two")))])
    let globe = try #require(Self.place("Globe", in: canvas, below: 20))
    #expect(model.handle(.press(row: globe.row, column: globe.column)) == [.user(.nextKeyboard)])
    let phone = try #require(Self.place("Phone", in: canvas))
    #expect(
      model.handle(.press(row: phone.row, column: phone.column))
        == [.focus(model.fields[2].document)])
    #expect(model.handle(.press(row: 0, column: 0)) == [])
  }

  @Test("the arrows go from key to key, and Enter taps")
  func arrows() {
    var model = Self.model(suggestions: ["one"])
    _ = Self.screen(&model)
    #expect(
      model.handle(.key(.enter)) == [
        .user(.event(.hardwareKey(HardwareKey(characters: "", name: "Return"))))
      ])
    #expect(model.handle(.key(.down)) == [])
    #expect(model.handle(.key(.enter)) == [.user(.event(.tap(key: "a")))])
    _ = model.handle(.key(.right))
    #expect(model.handle(.key(.enter)) == [.user(.event(.tap(key: "wide")))])
    _ = model.handle(.key(.down))
    #expect(model.handle(.key(.enter)) == [.user(.event(.tap(key: "space")))])
    for _ in 0..<9 { _ = model.handle(.key(.right)) }
    #expect(model.handle(.key(.function(5))) == [.user(.event(.longPress(key: "del")))])
    for _ in 0..<9 { _ = model.handle(.key(.up)) }
    #expect(model.handle(.key(.enter)) == [.user(.event(.suggestion(index: 0, text: "one")))])
    // What is typed is meant for the text, and Enter behind it too.
    #expect(model.handle(.character("x")) == [.user(.character("x"))])
    #expect(model.highlight == nil)
    // A layout with fewer keys takes the highlight away.
    _ = model.handle(.key(.up))
    var small = model.presentation!
    small.layout.rows.removeLast()
    model.present(small)
    #expect(model.highlight == nil)
  }

  @Test("the list of keyboards picks one, and the help goes away again")
  func overlays() throws {
    var model = Self.model()
    _ = model.handle(.key(.function(3)))
    let canvas = model.draw(size: Self.size, texts: [:])
    #expect(Self.place("* Example", in: canvas) != nil)
    _ = model.handle(.key(.down))
    #expect(model.handle(.key(.enter)) == [.user(.selectKeyboard("system"))])
    _ = model.handle(.key(.function(3)))
    let listed = try #require(Self.place("* Example", in: model.draw(size: Self.size, texts: [:])))
    #expect(
      model.handle(.press(row: listed.row, column: listed.column))
        == [.user(.selectKeyboard("org.example.k"))])
    _ = model.handle(.key(.function(1)))
    #expect(Self.screen(&model).contains { $0.contains("keyhost grant ID open-access") })
    #expect(model.handle(.character("x")) == [])
    #expect(model.handle(.character("x")) == [.user(.character("x"))])
    #expect(model.handle(.key(.function(10))) == [.quit])
  }

  @Test("the eye shows a password and changes the field's traits")
  func eye() {
    var model = Self.model()
    #expect(model.handle(.key(.function(4))) == [])
    _ = model.handle(.key(.tab))
    let hidden = [model.fields[1].document: TextDocument("secret")]
    func text(_ model: inout PlaygroundModel) -> String {
      model.draw(size: Self.size, texts: hidden).lines[2]
    }
    #expect(text(&model).contains("******") && !text(&model).contains("secret"))
    let actions = model.handle(.key(.function(4)))
    #expect(actions == [.traits(model.fields[1])])
    #expect(model.fields[1].traits.isSecureTextEntry == .known(false))
    #expect(text(&model).contains("secret"))
  }

  @Test("every size of terminal is drawn on", arguments: [0, 1, 5, 19, 20, 21, 24, 60])
  func sizes(_ rows: Int) {
    for columns in [0, 1, 10, 47, 48, 80, 300] {
      for hostile in [false, true] {
        var model = Self.model(suggestions: ["a", "b", "c"])
        if hostile {
          var presentation = model.presentation!
          presentation.layout = KeyboardLayout(
            rows: (0..<8).map { row in
              (0..<24).map { Key(id: "\(row) \($0)", label: String(repeating: "漢", count: 40)) }
            })
          presentation.suggestions = (0..<3).map { _ in String(repeating: "字", count: 200) }
          model.present(presentation)
        }
        for overlay in [PlayInput.key(.escape), .key(.function(1)), .key(.function(3))] {
          _ = model.handle(overlay)
          let size = CanvasSize(rows: rows, columns: columns)
          let canvas = model.draw(
            size: size,
            texts: [
              model.fields[0].document: TextDocument(String(repeating: "👩‍👩‍👧漢e\u{301}", count: 400))
            ])
          #expect(canvas.lines.count == rows)
          for row in 0..<rows {
            let width = (0..<columns).reduce(0) { $0 + canvas[row, $1].width }
            #expect(width == columns, "row \(row) of \(columns) x \(rows)")
          }
          if let cursor = canvas.cursor {
            #expect(cursor.row < rows && cursor.column < columns)
          }
          _ = model.handle(.key(.escape))
        }
      }
    }
  }

  @Test("no name and no layout hides what a keyboard tried, or the host's own words")
  func nothingIsHidden() {
    var model = Self.model(access: true)
    let claim = "Habra was started, asked for nothing and tried nothing that was refused so far."
    var list = model.keyboards
    list[0].name = claim + claim
    model.adopt(list)
    var presentation = model.presentation!
    presentation.layout = KeyboardLayout(
      rows: (0..<8).map { [Key(id: "\($0)", label: "row \($0)")] })
    model.present(presentation)
    let event = AuditEvent(
      .violation, keyboard: "org.example.k",
      [
        AuditField("systemCall", .foreign("openat")),
        AuditField("detail", .foreign("openat of /etc/shadow for writing")),
        AuditField("outcome", .term(AuditEvent.refusedByFileRules)),
      ])
    let attempt = Activity(event, name: { [model] in model.keyboardName($0) })
    model.note(attempt ?? Activity("no line"))
    // Nor does what else happens push it out.
    for number in 0..<100 { model.note(Activity("news \(number)")) }
    let size = CanvasSize(rows: 24, columns: 80)
    var lines = model.draw(size: size, texts: [:]).lines
    #expect(lines.contains { $0.contains("REFUSED  Habra was started, aske…: write a file") })
    #expect(lines.contains { $0.contains("news 99") })
    #expect(lines.contains { $0.contains("F6 takes it away") })
    #expect(lines.contains { $0.contains("Keyboard in a sandbox: Habra") })
    #expect(lines.contains { $0.contains("row 0") } && !lines.contains { $0.contains("row 7") })
    // The arrows go to the rows that do not fit.
    for _ in 0..<8 { _ = model.handle(.key(.down)) }
    lines = model.draw(size: size, texts: [:]).lines
    #expect(lines.contains { $0.contains("row 7") } && !lines.contains { $0.contains("row 0") })
    _ = model.handle(.key(.escape))
    _ = model.handle(.key(.function(3)))
    lines = model.draw(size: size, texts: [:]).lines
    #expect(lines.contains { $0.contains("(open access)") && $0.contains("org.example.k") })
  }

  @Test("keys draw nothing outside their own columns")
  func frame() {
    var model = Self.model()
    var presentation = model.presentation!
    presentation.layout.rows[0][1].label = "\u{1B}[31m" + String(repeating: "W", count: 100)
    model.present(presentation)
    let canvas = model.draw(size: Self.size, texts: [:])
    let row = canvas.lines.first { $0.contains("WWW") || $0.contains("\\u{1b}") }
    #expect(
      row?.hasPrefix("\u{2502}") == true && row?.hasSuffix("\u{2502}") == true, "\(row ?? "")")
    #expect(row?.contains(" C ") == true)
    #expect(row?.contains("\u{1B}") == false)
  }

  @Test("what happened is told in a person's words")
  func activities() throws {
    func text(_ event: AuditEvent) -> String? { Activity(event, name: { _ in "Example" })?.line }
    #expect(
      text(
        AuditEvent(
          .decision, keyboard: "k",
          [
            AuditField("document", .foreign("comment")), AuditField("verdict", .term("eligible")),
            AuditField("reasons", .list([.term("field-allows"), .term("app-does-not-ask")])),
          ])) == nil)
    #expect(
      text(AuditEvent(.grant, keyboard: "k", [AuditField("n", .integer(3))])) == "Example grant n 3"
    )
    let other = try #require(
      Activity(AuditEvent(.resume, keyboard: "k"), name: { $0 }, isChosen: { _ in false }))
    #expect(other.text == "k runs again: this field does not freeze it, and gives it no keys")
    let own = try #require(
      Activity(AuditEvent(.resume, keyboard: "k"), name: { $0 }, isChosen: { $0 == "k" }))
    #expect(own.text == "k goes on, and serves this field")
    var model = Self.model()
    for _ in 0..<9 { model.note(Activity("the same")) }
    #expect(Self.screen(&model).contains { $0.contains("9 times: the same") })
    model = PlaygroundModel()
    for number in 0..<1_000 { model.note(Activity("\(number)")) }
    #expect(model.activities.count == PlaygroundModel.keptActivities)
    #expect(model.activities.last?.text == "999")
  }
}
