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

  private func home(_ usages: [String] = ["NSContacts", "NSLocationWhenInUse"]) throws
    -> TemporaryHome
  {
    let home = try TemporaryHome()
    var keyboard = FixtureKeyboard(
      identifier: Self.keyboard, name: "Asking", script: Self.script, requestsOpenAccess: true)
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

    init(_ home: TemporaryHome, bus: String? = nil) throws {
      var environment = home.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus ?? "unix:path=/nowhere/bus"
      program = try Program(Products.keyhost, environment: environment).start([
        "type", "--events", "--json",
      ])
      program.send(line: #"{"open":"a"}"#)
      program.send(line: #"{"focus":"a"}"#)
    }

    /// What the keyboard typed; nil where somebody else did, as while it is started on a busy machine.
    private func handled(_ key: String) -> String? {
      program.send(line: #"{"tap":"key \#(key)"}"#)
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
    func shows(_ words: String) -> Bool {
      while let line = terminal.readLine() { if line.contains(words) { return true } }
      return false
    }
    terminal.send(line: "l")
    #expect(shows("asks to be told where this machine is. It says why: to greet \\u{202e}them"))
    #expect(shows("Allow it? [y/N]"))
    terminal.send(line: "n")
    terminal.send(line: "c")
    #expect(shows("your contacts: names, phone numbers and e-mail addresses"))
    #expect(shows("Allow it? [y/N]"))
    // What was typed before the question was seen is text, and no answer.
    terminal.send(line: "x")
    terminal.send(line: "y")
    #expect(shows("keyhost revoke \(Self.keyboard) contacts"))
    let limit = RunningProgram.now() + 30
    while RunningProgram.now() < limit,
      !(try home.keyhost("log", "--event", "service").standardOutput.contains("contacts"))
    {}
    terminal.send(line: "x")
    terminal.send([4])
    let result = terminal.finish()
    #expect(result.standardOutput.contains("Lovelace"), "\(result)")
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
