import NetworkBroker
import TestSupport
import Testing

private let keyboard = "org.example.fixture.keyboard"

/// `keyhost grant` and `keyhost revoke`, as a person uses them.
@Suite("The grant and revoke commands")
struct GrantCommandTests {
  let home: TemporaryHome
  init() throws { home = try TemporaryHome() }

  private func bundle(requestsOpenAccess: Bool) throws -> String {
    try FixtureApp(
      keyboards: [
        FixtureKeyboard(script: "#!/usr/bin/python3\n", requestsOpenAccess: requestsOpenAccess)
      ]
    ).write(to: home.work)
  }

  @Test("on a terminal a grant asks whether to empty the container, and takes no for an answer")
  func grantAsks() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    let container = home.path + "/data/keyhost/containers/keyboards/" + keyboard
    let terminal = Program("/usr/bin/script", environment: home.environment)
    func grant(answering answer: String) throws -> String {
      try Files.write("hoarded", to: container + "/text")
      let command = "\(Products.keyhost) grant \(keyboard) open-access"
      let result = try terminal.run("-qec", command, "/dev/null", input: answer)
      #expect(result.exitCode == 0, "\(result)")
      _ = try home.keyhost("revoke", keyboard, "open-access")
      return result.standardOutput
    }
    let kept = try grant(answering: "what\nn\n")
    #expect(kept.contains("Empty the private container of \(keyboard) first? [Y/n]"))
    #expect(kept.contains("can send it to any public address"))
    #expect(kept.contains("Please answer y or n."))
    #expect(kept.contains("was kept."))
    #expect(Files.exists(container + "/text"))
    #expect(try grant(answering: "\n").contains("was emptied."))
    #expect(!Files.exists(container + "/text"))
  }

  @Test("a grant takes its answer from a pipe too, and changes nothing when that is none")
  func grantAnsweredByPipe() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    let container = home.path + "/data/keyhost/containers/keyboards/" + keyboard
    func grant(_ options: String..., answer: String) throws -> ProgramResult {
      try Files.write("hoarded", to: container + "/text")
      _ = try home.keyhost("revoke", keyboard, "open-access")
      return try home.keyhost.run(
        ["grant", keyboard, "open-access"] + options, input: Array(answer.utf8))
    }
    let kept = try grant(answer: "n\n")
    #expect(kept.exitCode == 0 && kept.standardOutput.contains("was kept."), "\(kept)")
    #expect(Files.exists(container + "/text"))
    let unclear = try grant(answer: "org.example.other\n")
    #expect(unclear.exitCode == 2, "\(unclear)")
    #expect(unclear.standardError.contains("`org.example.other`"), "\(unclear)")
    #expect(Files.exists(container + "/text"))
    #expect(try home.keyhost("keyboards", "list").standardOutput.contains("asks for open access"))
    #expect(try grant("--empty-container", answer: "n\n").standardOutput.contains("was emptied."))
    #expect(!Files.exists(container + "/text"))
    #expect(try grant(answer: "").standardOutput.contains("was emptied."))
    #expect(!Files.exists(container + "/text"))
    let both = try grant("--empty-container", "--keep-container", answer: "")
    #expect(both.exitCode == 2 && Files.exists(container + "/text"), "\(both)")
  }

  @Test("one address is closed again alone, and what was not open is said")
  func revokeOneHost() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    let nowhere = try home.keyhost("revoke", "nope", "open-access")
    #expect(nowhere.exitCode == 1)
    #expect(nowhere.standardError.contains("no keyboard `nope` is installed"), "\(nowhere)")
    let nothing = try home.keyhost("revoke", keyboard, "open-access", "--host=192.168.1.1:80")
    #expect(nothing.standardError.contains("does not have open access"), "\(nothing)")
    _ = try home.keyhost(
      "grant", keyboard, "open-access", "--allow-host=192.168.1.1:80",
      "--allow-host=[fd00::1]:443")
    let one = try home.keyhost("revoke", keyboard, "open-access", "--host", "192.168.1.1:80")
    #expect(one.exitCode == 0, "\(one)")
    #expect(
      one.standardOutput == "\(keyboard) may connect to public addresses and to [fd00::1]:443.\n")
    let again = try home.keyhost("revoke", keyboard, "open-access", "--host", "192.168.1.1:80")
    #expect(again.exitCode == 1 && again.standardError.contains("was not opened"), "\(again)")
    let wrong = try home.keyhost("revoke", keyboard, "open-access", "--host", "nas:80")
    #expect(wrong.exitCode == 2, "\(wrong)")
    let last = try home.keyhost("revoke", keyboard, "open-access", "--host", "[fd00::1]:443")
    #expect(last.standardOutput == "\(keyboard) may connect to public addresses only.\n")
    #expect(try home.keyhost("keyboards", "list").standardOutput.contains("open access\n"))
    let log = try home.keyhost("log", "--event", "revoke").lines
    #expect(log.count == 2 && log.allSatisfy { $0.contains("capability=allowed-hosts") })
  }

  @Test("an address of this machine cannot be opened, and is not said to be")
  func ownAddress() throws {
    _ = try home.keyhost("apps", "install", try bundle(requestsOpenAccess: true))
    for address in try OwnAddresses.current() {
      let listed = SocketAddress(address, port: 8099).description
      let result = try home.keyhost("grant", keyboard, "open-access", "--allow-host", listed)
      #expect(result.exitCode == 1, "\(listed): \(result)")
      #expect(result.standardError.contains("cannot be opened to a keyboard"), "\(result)")
      #expect(result.standardOutput == "")
    }
    #expect(try home.keyhost("keyboards", "list").standardOutput.contains("asks for open access"))
  }
}
