import Glibc
import StrictJSON
import TestSupport
import Testing

/// Contacts and the location, from the user's files and a D-Bus of the test's own to a keyboard in its
/// sandbox.
@Suite("Services, end to end")
struct ServiceTests {
  static let keyboard = "org.example.fixture.asking"

  /// Types what it was told last: `c` asks for contacts, `l` for the location.
  static let script = PythonKeyboard.script(
    """
    told = "nothing"
    asked = 900
    def listen(message):
        global told
        if message.get("id", 0) >= 900 and "method" not in message:
            told = json.dumps(message.get("result") or message["error"], ensure_ascii=False)
    def act(request):
        global asked, told
        key = typed(request)
        if key in ("c", "l"):
            told = "nothing"
            asked += 1
            method = "contacts/fetch" if key == "c" else "location/request"
            send(id=asked, method=method, params={"offset": 0})
            reply(request, [])
        else:
            reply(request, [{"insertText": told}])
    serve(act, on_other=listen)
    """)

  private func home(
    _ usages: [String] = ["NSContacts", "NSLocationWhenInUse"], script: String = script
  ) throws -> TemporaryHome {
    let home = try TemporaryHome()
    var keyboard = FixtureKeyboard(
      identifier: Self.keyboard, name: "Asking", script: script, requestsOpenAccess: true)
    for usage in usages {
      keyboard.propertyList = keyboard.propertyList.setting(
        usage + "UsageDescription", to: .string("to greet \u{202e}them"))
    }
    try home.expectSuccess(
      "apps", "install", try FixtureApp(keyboards: [keyboard]).write(to: home.work))
    try home.expectSuccess("keyboards", "add", Self.keyboard)
    try Files.makeDirectory(home.path + "/contacts")
    try Files.write(
      "BEGIN:VCARD\nN:Lovelace;Ada\nTEL:+44 5550100\nNOTE:private\nEND:VCARD\n",
      to: home.path + "/contacts/a.vcf")
    try home.expectSuccess("contacts", "add", home.path + "/contacts")
    return home
  }

  /// A keyboard that runs, and is asked to ask.
  private struct Conversation {
    let program: RunningProgram
    /// What the ids of its keys begin with.
    private let keys: String

    init(
      _ home: TemporaryHome, bus: String? = nil, field: String = "{}", keys: String = "key "
    ) throws {
      self.keys = keys
      var environment = home.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus ?? "unix:path=/nowhere/bus"
      program = try Program(Products.keyhost, environment: environment).start([
        "type", "--events", "--json",
      ])
      program.send(line: #"{"open":"a","field":\#(field)}"#)
      program.send(line: #"{"focus":"a"}"#)
    }

    /// What the keyboard typed; nil where somebody else did, as while it is started on a busy machine.
    private func handled(_ key: String) -> String? {
      program.send(line: #"{"tap":"\#(keys)\#(key)"}"#)
      while let line = program.readLine() {
        if line.contains(#""event":"rejected""#) { return nil }
        guard line.contains(#""event":"handled""#) else { continue }
        guard line.contains(#""handler":"keyboard""#) else { return nil }
        return try? JSONDocument(parsing: Array(line.utf8)).root["transaction"]?["edits"]?
          .elements?.first?["insertText"]?.string ?? ""
      }
      return nil
    }

    /// What the keyboard is told, once it is.
    func ask(_ key: String) -> String? {
      let limit = RunningProgram.now() + 40
      while handled(key) == nil, RunningProgram.now() < limit { usleep(50_000) }
      while RunningProgram.now() < limit {
        if let told = handled("x"), told != "nothing" { return told }
        usleep(50_000)
      }
      return nil
    }

    func end() -> ProgramResult {
      program.closeInput()
      return program.finish()
    }
  }

  @Test("contacts are told only with both grants, at once when granted, and no more when revoked")
  func contacts() throws {
    let home = try home()
    var talk = try Conversation(home)
    #expect(talk.ask("c")?.contains("needs open access") == true)
    _ = talk.end()
    let early = try home.keyhost("grant", Self.keyboard, "contacts")
    #expect(early.exitCode == 1 && early.standardError.contains("open-access` first"), "\(early)")
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    talk = try Conversation(home)
    #expect(talk.ask("c")?.contains("`keyhost grant \(Self.keyboard) contacts`") == true)
    let launches = try home.keyhost("log", "--event", "launch").lines.count
    let granted = try home.keyhost("grant", Self.keyboard, "contacts")
    #expect(granted.standardOutput.contains("to greet \\u{202e}them"), "\(granted)")
    let limit = RunningProgram.now() + 30
    var told = talk.ask("c")
    while told?.contains("keyhost grant") == true, RunningProgram.now() < limit {
      told = talk.ask("c")
    }
    #expect(told?.contains(#""familyName": "Lovelace""#) == true, "\(told as Any)")
    #expect(told?.contains("+44 5550100") == true && told?.contains("private") == false)
    #expect(try home.keyhost("log", "--event", "launch").lines.count == launches)
    #expect(
      try home.keyhost("keyboards", "list").standardOutput.contains("open access, contacts"))
    try home.expectSuccess("revoke", Self.keyboard, "contacts")
    told = talk.ask("c")
    while told?.contains("Lovelace") == true, RunningProgram.now() < limit { told = talk.ask("c") }
    #expect(told?.contains("keyhost grant") == true, "\(told as Any)")
    _ = talk.end()
    let log = try home.keyhost("log", "--json").standardOutput
    #expect(
      log.contains(#""event":"service""#) && log.contains(#""service":"contacts","answers":1"#))
    #expect(log.contains(#""capability":"contacts","reason":"not-granted""#), "\(log)")
    for secret in ["Lovelace", "Ada", "5550100"] { #expect(!log.contains(secret)) }
  }

  @Test(
    "an incognito field's instance is told nothing, whatever was granted",
    arguments: [#"{"textContentType":"creditCardNumber"}"#, #"{"isTerminal":true}"#])
  func incognito(_ field: String) throws {
    let home = try home()
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    try home.expectSuccess("grant", Self.keyboard, "contacts")
    try home.expectSuccess("grant", Self.keyboard, "location")
    try home.expectSuccess("location", "set", "1", "2")
    // With the same grants it is told in an ordinary field.
    var talk = try Conversation(home)
    #expect(talk.ask("c")?.contains("Lovelace") == true)
    #expect(talk.ask("l")?.contains("latitude") == true)
    _ = talk.end()
    let told = try home.keyhost("log", "--event", "service").lines.count
    talk = try Conversation(home, field: field)
    for key in ["c", "l"] {
      let answer = talk.ask(key)
      #expect(answer?.contains("-32010") == true, "\(answer as Any)")
      #expect(answer?.contains("incognito field gets nothing") == true, "\(answer as Any)")
    }
    _ = talk.end()
    #expect(try home.keyhost("log", "--event", "service").lines.count == told)
    let log = try home.keyhost("log", "--json", "--event", "refusal").standardOutput
    for service in ["contacts", "location"] {
      #expect(log.contains(#""capability":"\#(service)","reason":"incognito""#), "\(log)")
    }
  }

  /// The keyboard that `keyhost new --language python` makes, with keys that ask by its calls.
  private static func templateScript() throws -> String {
    let keyboard = "{{NAME}}Keyboard"
    let template = try SourceTree.contents(
      of: "Templates/python/{{NAME}}.app/PlugIns/\(keyboard).appex/\(keyboard)")
    try #require(template.hasSuffix("\nmain()\n"))
    return template.dropLast("main()\n".count) + """
      class Asking(Keyboard):
          told = "nothing"

          def event(self, params):
              name = params["event"].get("tap")
              if name == "x":
                  return {"edits": [{"insertText": self.told}]}
              ask = {
                  "c": self.services.fetch_contacts,
                  "l": self.services.request_location,
                  "w": self.services.request_lexicon,
              }.get(name)
              if ask is None:
                  return super().event(params)
              self.told = "nothing"
              ask(self.tell)
              return {}

          def tell(self, answer, error):
              self.told = f"{error.code}: {error}" if error else json.dumps(
                  [len(answer), answer[-1]] if isinstance(answer, list) else answer)


      Keyboard = Asking
      main()

      """
  }

  @Test("a new keyboard in Python has calls for contacts, in all their pages, location and lexicon")
  func python() throws {
    let home = try home(script: Self.templateScript())
    let cards = (1...600).map { "BEGIN:VCARD\nN:Family\($0);Zoe\nEND:VCARD\n" }.joined()
    try Files.write(cards, to: home.path + "/contacts/many.vcf")
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    var talk = try Conversation(home, keys: "")
    #expect(talk.ask("c")?.hasPrefix("denied: the user grants it with `keyhost grant") == true)
    let words = talk.ask("w") ?? ""
    #expect(words.contains(#""userInput""#) && words.contains(#""documentText""#), "\(words)")
    _ = talk.end()
    try home.expectSuccess("grant", Self.keyboard, "contacts")
    try home.expectSuccess("grant", Self.keyboard, "location")
    talk = try Conversation(home, keys: "")
    let contacts = talk.ask("c") ?? ""
    #expect(contacts.hasPrefix("[601, {") && contacts.contains("Lovelace"), "\(contacts)")
    #expect(talk.ask("l")?.hasPrefix("unavailable: ") == true)
    _ = talk.end()
    try home.expectSuccess("location", "set", "-33.86", "151.2")
    talk = try Conversation(home, keys: "")
    #expect(talk.ask("l")?.contains(#""latitude": -33.86"#) == true)
    _ = talk.end()
    #expect(try home.keyhost("log", "--event", "protocolError").lines.isEmpty)
  }

  @Test("the place that the user set is told, and without one and without GeoClue why not")
  func place() throws {
    let home = try home()
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    try home.expectSuccess("grant", Self.keyboard, "location")
    let set = try home.keyhost("location", "set", "-33.86", "151.2", "--accuracy=25")
    #expect(
      set.standardOutput
        == "The location comes from the place that you set: -33.86 151.2, within 25.0 m.\n")
    let talk = try Conversation(home)
    let told = talk.ask("l") ?? ""
    let location = try JSONDocument(parsing: told).root["location"]
    #expect(location?["latitude"]?.double == -33.86 && location?["longitude"]?.double == 151.2)
    #expect(location?["horizontalAccuracy"]?.double == 25, "\(told)")
    try home.expectSuccess("location", "off")
    let limit = RunningProgram.now() + 30
    var next = talk.ask("l")
    while next?.contains("latitude") == true, RunningProgram.now() < limit { next = talk.ask("l") }
    #expect(next?.contains("keyhost location set") == true, "\(next as Any)")
    _ = talk.end()
    let log = try home.keyhost("log", "--json").standardOutput
    #expect(log.contains(#""service":"location","answers":1"#), "\(log)")
    #expect(!log.contains("33.86") && !log.contains("151.2"))
  }

  @Test("what is no place is wrong use, and show says where the location comes from")
  func placeCommand() throws {
    let home = try TemporaryHome()
    for arguments in [["91", "0"], ["0", "181"], ["nan", "0"], ["1", "x"], ["1"]] {
      #expect(try home.keyhost.run(["location", "set"] + arguments).exitCode == 2, "\(arguments)")
    }
    #expect(try home.keyhost("location", "set", "1", "2", "--accuracy=-1").exitCode == 2)
    #expect(try home.keyhost("location", "show").standardOutput.contains("GeoClue"))
    try home.expectSuccess("location", "set", "1", "-2.5")
    let shown = try home.keyhost("location", "show", "--json")
    #expect(
      shown.standardOutput == #"{"source":"fixed","latitude":1.0,"longitude":-2.5,"#
        + #""accuracy":0.0,"problem":null}"# + "\n")
    #expect(
      try home.keyhost("location", "off", "--json").standardOutput.contains(#""source":"geoclue""#))
  }

  @Test(
    "GeoClue is asked over D-Bus, and keys are typed while it never answers",
    .enabled(
      if: (try? Program("/usr/bin/python3").run("-c", "import dbus, gi"))?.exitCode == 0
        && Files.exists("/usr/bin/dbus-daemon"),
      "needs dbus-daemon, python3-dbus and python3-gi: make test-dependencies"),
    arguments: ["right", "silent"])
  func geoClue(_ behaviour: String) throws {
    let home = try home()
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    try home.expectSuccess("grant", Self.keyboard, "location")
    let rig = try Program("/usr/bin/python3").start([
      "\(SourceTree.root)/Tests/GeoClueTests/Rig/geoclue.py", home.path + "/run", behaviour,
    ])
    let bus = try #require(rig.readLine())
    let talk = try Conversation(home, bus: bus)
    let told = talk.ask("l")
    if behaviour == "right" {
      #expect(told?.contains(#""latitude": 52.5"#) == true, "\(told as Any)")
    } else {
      #expect(told?.contains("GeoClue does not answer") == true, "\(told as Any)")
    }
    // All the while it was asked, the keyboard typed.
    let typed = talk.end().standardOutput.split(separator: "\n").count {
      $0.contains(#""handler":"keyboard""#)
    }
    #expect(typed > (behaviour == "right" ? 1 : 20))
    rig.closeInput()
    _ = rig.finish()
  }

  @Test("at a terminal the user is asked once, with the reason, and yes is a grant")
  func prompt() throws {
    let home = try home()
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    let terminal = try Program("/usr/bin/script", environment: home.environment).start([
      "-qec", "\(Products.keyhost) type", "/dev/null",
    ])
    func shows(_ words: String) -> Bool { line(with: words) != nil }
    func line(with words: String) -> String? {
      while let line = terminal.readLine() { if line.contains(words) { return line } }
      return nil
    }
    /// The number that an answer has in it.
    func number() throws -> Int {
      let question = try #require(line(with: "Allow it? A line `yes "))
      return try #require(Int(question.split(separator: "`yes ")[1].prefix { $0.isNumber }))
    }
    terminal.send(line: "l")
    #expect(shows("asks to be told where this machine is. It says why: to greet \\u{202e}them"))
    // Nothing that is typed as text is an answer, and none of it is lost. What it would allow here is
    // not allowed at the end.
    func texts(_ answer: Int) -> [String] {
      ["x", "yes", "y", "", "n", "no", "yes \(answer == 9_999 ? 1_000 : answer + 1)"]
    }
    let refusal = try number()
    for text in texts(refusal) { terminal.send(line: text) }
    terminal.send(line: "no \(refusal)")
    terminal.send(line: "c")
    #expect(shows("your contacts: names, phone numbers and e-mail addresses"))
    let answer = try number()
    for text in texts(answer) { terminal.send(line: text) }
    terminal.send(line: "yes \(answer)")
    #expect(shows("keyhost revoke \(Self.keyboard) contacts"))
    let limit = RunningProgram.now() + 30
    while RunningProgram.now() < limit,
      !(try home.keyhost("log", "--event", "service").standardOutput.contains("contacts"))
    {}
    terminal.send(line: "x")
    terminal.send([4])
    let result = terminal.finish()
    #expect(result.standardOutput.contains("Lovelace"), "\(result)")
    let typed = texts(answer).joined(separator: "\r\n")
    #expect(result.standardOutput.contains(typed), "\(result)")
    let settings = try Files.text(home.path + "/config/keyhost/settings.json")
    #expect(settings.contains(#""services": {"\#(Self.keyboard)":["contacts"]}"#), "\(settings)")
  }

  @Test("grants of services take no options, and their JSON is that of grants")
  func commands() throws {
    let home = try home(["NSContacts"])
    try home.expectSuccess("grant", Self.keyboard, "open-access", "--empty-container")
    let options = try home.keyhost("grant", Self.keyboard, "contacts", "--allow-host=1.2.3.4:5")
    #expect(options.exitCode == 2)
    let silent = try home.keyhost("grant", Self.keyboard, "location")
    #expect(silent.exitCode == 1, "\(silent)")
    #expect(silent.standardError.contains("NSLocationWhenInUseUsageDescription"), "\(silent)")
    let json = try home.keyhost("grant", Self.keyboard, "contacts", "--json")
    #expect(
      json.standardOutput == #"{"keyboard":"\#(Self.keyboard)","openAccess":true,"#
        + #""allowedHosts":[],"services":["contacts"]}"# + "\n")
    #expect(try home.keyhost("revoke", Self.keyboard, "open-access").exitCode == 0)
    let gone = try home.keyhost("revoke", Self.keyboard, "contacts")
    #expect(gone.exitCode == 1 && gone.standardError.contains("was not granted"), "\(gone)")
  }
}
