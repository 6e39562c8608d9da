import LinuxSystem
import StrictJSON
import TestSupport
import Testing

/// A keyboard with open access in a network that the test makes: a network namespace for the
/// machine, another one for the rest of the world. See `Rig/rig.py`; its one run serves all tests.
@Suite("A keyboard with open access")
struct NetworkRigTests {
  private static let report = Result { try run() }

  private static func run() throws -> JSONValue {
    let home = try TemporaryHome()
    // As an ordinary user the namespaces are made inside a user namespace, and the host runs in one
    // more, under an id that is not 0: a host that sees 0 takes itself for root.
    let namespaces = Products.isRoot ? "-nm" : "-Urnm"
    let program = Program("/usr/bin/unshare", environment: home.environment, deadline: 300)
    let result = try program.run(
      namespaces, "/usr/bin/python3", SourceTree.root + "/Tests/NetworkBrokerTests/Rig/rig.py",
      Products.keyhost, home.work)
    #expect(result.exitCode == 0, "\(result)")
    return try JSONDocument(parsing: Array(result.standardOutput.utf8)).root
  }

  let report: JSONValue

  init() throws { report = try Self.report.get() }

  private func outcome(_ task: String, _ place: String) throws -> JSONValue {
    try #require(report[place]?[task], "\(task) did not end \(place)")
  }

  private func errno(_ task: String) throws -> Int64? {
    try outcome(task, "inside")["errno"]?.int64
  }

  /// How often a server heard the word of a task: whether it was reached, whatever it says.
  private func arrivals(_ task: String, _ place: String) -> Int {
    report["arrivals"]?.elements?.count {
      $0["word"]?.string?.contains("\(task)-\(place)-") ?? false
    } ?? 0
  }

  private func lines(_ event: String) -> [JSONValue] {
    report["log"]?.elements?.filter { $0["event"]?.string == event } ?? []
  }

  @Test("it is told that it has full access, and ends well")
  func setUp() {
    for step in report["setUp"]?.elements ?? [] { #expect(step.elements?[0].int64 == 0) }
    #expect(report["access"]?.boolean == true)
    #expect(report["exit"]?.int64 == 0)
    #expect(report["errors"]?.string == "")
  }

  @Test(
    "it reaches nothing but public addresses, in whatever notation it tries",
    arguments: [
      "loopback", "loopbackBlock", "loopback6", "unspecified", "unspecified6", "mappedLoopback",
      "mappedUnspecified", "private", "mappedPrivate", "linkLocal", "linkLocal6", "sharedSpace",
      "documentation", "benchmarking", "uniqueLocal", "nat64", "localNAT64", "sixToFour", "teredo",
      "isatap", "own", "mappedOwn", "own6", "ownBlock", "ownBlockWithSource", "ownBlock6",
      "ownBlockByRule", "mappedOwnBlock",
      "neighbour", "neighbour6", "networkBehindTunnel", "otherPortOfException", "decimal",
      "nameOfPrivate", "nameOfLoopback",
    ])
  func refusedAddresses(task: String) throws {
    #expect(try outcome(task, "inside")["ok"]?.boolean == false)
    #expect(arrivals(task, "in") == 0)
    #expect(try outcome(task, "outside")["ok"]?.boolean == true)
    #expect(arrivals(task, "out") == 1)
  }

  @Test(
    "no other call connects, and no connection can be turned elsewhere",
    arguments: [
      "fastOpenSendto", "fastOpenSendmsg", "disconnect", "datagram", "local", "multipath",
    ])
  func refusedCalls(task: String) throws {
    #expect([1, 13].contains(try errno(task)))
    #expect(arrivals(task, "in") == 0)
    #expect(try outcome(task, "outside")["ok"]?.boolean == true)
    #expect(arrivals(task, "out") == 1)
  }

  /// Outside the kernel keeps such a socket from going elsewhere; inside nothing else may happen.
  @Test(
    "a connection that was reset leads nowhere else",
    arguments: ["fastOpenAfterReset", "connectAfterReset"])
  func reset(task: String) throws {
    #expect([1, 13].contains(try errno(task)))
    #expect(arrivals(task, "in") == 0)
  }

  @Test("it listens nowhere", arguments: ["listen", "bind"])
  func listening(task: String) throws {
    #expect(try errno(task) == 1)
    #expect(try outcome(task, "outside")["ok"]?.boolean == true)
  }

  @Test("a local service's address on an internet socket is refused")
  func localOnStream() throws {
    #expect(try errno("localOnStream") == 13)
  }

  @Test(
    "options that change what a socket is or where it leads are refused",
    arguments: [
      "fastOpenOption", "repairOption", "protocolOption", "deviceOption", "markOption",
      "filterOption", "routeOption", "sendBufferOption", "receiveBufferOption", "lowWaterOption",
      "windowOption",
    ])
  func options(task: String) throws {
    #expect(try errno(task) == 1)
    // Outside the kernel takes it, or finds another fault with it.
    let isRootsAlone = ["repairOption", "markOption"].contains(task)
    if Products.isRoot || !isRootsAlone {
      #expect(try outcome(task, "outside")["errno"]?.int64 != 1)
    }
  }

  @Test("an address that is swapped after the check changes nothing")
  func swapped() throws {
    let counts = try #require(try outcome("swapped", "inside")["value"])
    #expect(try #require(counts["reached"]?.int64) > 0)
    #expect(try #require(counts["refused"]?.int64) > 0)
    func reached(_ place: String, _ address: String) -> Int {
      report["arrivals"]?.elements?.count {
        $0["address"]?.string == address
          && $0["word"]?.string?.hasPrefix("swapped-\(place)-") ?? false
      } ?? 0
    }
    #expect(reached("in", "10.9.0.1") == 0)
    #expect(reached("in", "203.0.114.2") > 0)
    #expect(reached("out", "10.9.0.1") > 0)
  }

  @Test("an address that becomes this machine's own during the connect is not handed over")
  func lateRoute() throws {
    let late = try #require(report["lateRoute"])
    #expect(late["early"]?.kind == .null)
    #expect(late["inside"]?["errno"]?.int64 == 13)
    #expect(arrivals("lateRoute", "in") == 0)
    #expect(late["outside"]?["ok"]?.boolean == true)
    #expect(arrivals("lateRoute", "out") == 1)
  }

  @Test(
    "ordinary clients work: HTTP, HTTPS, IPv6, names, large transfers, half-closed connections",
    arguments: [
      "http", "httpClient", "https", "overIPv6", "mappedPublic", "large", "exception",
      "listedNeighbour", "tunnel", "halfClose",
      "nonBlocking", "options",
    ])
  func clients(task: String) throws {
    let inside = try outcome(task, "inside")
    #expect(inside["ok"]?.boolean == true, "\(inside["trace"]?.string ?? "")")
    #expect(arrivals(task, "in") >= 1)
    if let text = inside["value"]?.string {
      #expect(text.contains("\(task)-in-"))
    }
  }

  @Test("what a client set on its socket holds on the one that is connected")
  func carriedOver() throws {
    let inside = try #require(try outcome("options", "inside")["value"]?.elements)
    #expect(inside[0].int64 == 1)
    #expect(inside[1].int64 == 1)
    #expect(inside[2].int64 == 77)
    #expect(inside[3].elements?.map(\.int64) == [3, 0])
    #expect((1...512 << 10).contains(try #require(inside[4].int64)))
    #expect(inside[5].boolean == false)
    let selected = try #require(try outcome("nonBlocking", "inside")["value"]?.elements)
    #expect(selected[0].boolean == true && selected[1].boolean == true)
    #expect(selected[2].int64 == 0)
    #expect(selected[3].boolean == true)
    #expect(try outcome("large", "inside")["value"]?.int64 == 8 << 20)
  }

  @Test("connections fail as they fail anywhere")
  func failures() throws {
    #expect(try errno("closed") == 111)
    #expect(
      try outcome("httpsUntrusted", "inside")["message"]?.string?.contains("CERTIFICATE") == true)
    #expect(try outcome("readTimeout", "inside")["error"]?.string == "TimeoutError")
    #expect(try outcome("secondConnect", "inside")["value"]?.int64 == 106)
    let bounded = try outcome("silentBounded", "inside")
    #expect(bounded["errno"]?.int64 == 115)
    #expect((0.35...5).contains(try #require(bounded["seconds"]?.double)))
    let silent = try outcome("silentNonBlocking", "inside")
    #expect(silent["error"]?.string == "TimeoutError")
    #expect((9...20).contains(try #require(silent["seconds"]?.double)))
  }

  @Test("names come from the host, without the addresses that are refused")
  func names() throws {
    let names = try #require(try outcome("names", "inside")["value"])
    func addresses(_ name: String) -> [String?]? { names[name]?.elements?.map(\.string) }
    #expect(addresses("public.example") == ["203.0.114.2", "2a0f:7700:1::2"])
    #expect(addresses("public.example over IPv6") == ["2a0f:7700:1::2"])
    #expect(addresses("mixed.example") == ["203.0.114.2"])
    #expect(addresses("excepted.example") == ["192.168.77.2"])
    for name in ["private.example", "local.example", "missing.example"] {
      #expect([-2, -5].contains(names[name]?.int64), "\(name)")
    }
    // For whoever asks: the keyboard's own file, and no way to get there.
    #expect(addresses("localhost")?.contains("127.0.0.1") == true)
  }

  @Test("the resolver answers what it is asked rightly, refuses the rest and keeps no descriptor")
  func resolver() throws {
    let inside = try outcome("resolver", "inside")
    let value = try #require(inside["value"]?.elements, "\(inside["trace"]?.string ?? "")")
    #expect(
      value.map { $0.elements?.map(\.int64) ?? [$0.int64] } == [
        [7, 0, 1, 1], [0], [7, 4, 0, 0], [7, 3, 0, 0], [7, 3, 0, 0], [9, 1, 0, 0], [8, 1, 0, 0],
        [0],
      ])
  }

  @Test("a socket that lingers cannot be made, nor given to the host to close")
  func lingering() throws {
    let inside = try outcome("lingering", "inside")
    let value = try #require(inside["value"]?.elements, "\(inside["trace"]?.string ?? "")")
    #expect(value[0].int64 == 1)
    let release = try #require(value[3].elements).compactMap(\.int64)
    // SO_PASSRIGHTS came with Linux 6.16; before, what is sent along is dropped by the host.
    #expect(value[1].int64 == (release.lexicographicallyPrecedes([6, 16]) ? 0 : 1))
    // Half of what it would have waited.
    #expect(try #require(value[2].double) < 10)
  }

  @Test("its connections take a bounded share of the kernel's memory, closed ones too")
  func memory() throws {
    let inside = try outcome("memory", "inside")
    let value = try #require(inside["value"]?.elements, "\(inside["trace"]?.string ?? "")")
    // Connections of earlier tasks may not be gone yet.
    #expect((16...32).contains(try #require(value[0].int64)))
    #expect(value[1].int64 == 11)
    #expect((1...512 << 10).contains(try #require(value[2].int64)))
    #expect(value[3].int64 == 11)
    #expect(try #require(value[4].int64) <= 16)
    #expect(value[5].int64 == 1)
  }

  @Test("the log has a line for each connect, with the name that the resolver gave it")
  func auditLog() throws {
    let connections = lines("connection")
    #expect(
      connections.contains {
        $0["port"]?.int64 == 443 && $0["outcome"]?.string == "connected"
          && $0["name"]?.string == "public.example"
      })
    #expect(
      connections.contains {
        $0["port"]?.int64 == 9 && $0["outcome"]?.string == "ECONNREFUSED"
      })
    let lookups = lines("lookup")
    #expect(
      lookups.contains {
        $0["name"]?.string == "public.example" && $0["outcome"]?.string == "asked"
      })
    #expect(lookups.contains { $0["outcome"]?.string == "no-such-name" })
    let known = [
      "time", "event", "keyboard", "address", "port", "name", "outcome", "count", "first", "last",
    ]
    for line in connections { #expect(line.members?.allSatisfy { known.contains($0.key) } == true) }
    let refusals = lines("refusal")
    #expect(
      refusals.contains {
        $0["address"]?.string == "10.9.0.1" && $0["port"]?.int64 == 80
          && $0["reason"]?.string == "not globally reachable: Private-Use (10.0.0.0/8)"
      })
    #expect(
      refusals.contains { $0["reason"]?.string == "AF_UNSPEC, which would end a connection" })
    #expect(lines("violation").contains { $0["detail"]?.string?.contains("AF_UNIX") == true })
  }

  @Test("a connect that is under way fails before the keyboard is frozen, which it then is")
  func freeze() throws {
    let freeze = try #require(report["freeze"])
    #expect(freeze["early"]?.kind == .null)
    #expect(freeze["froze"]?.elements?.isEmpty == false)
    #expect(freeze["after"]?["errno"]?.int64 == 103)
    #expect(freeze["again"]?["ok"]?.boolean == true)
    #expect(!lines("exit").contains { $0["reason"]?.string?.contains("stop") == true })
  }

  @Test("revoking ends the keyboard and its connections at once, and it comes back without access")
  func revoke() throws {
    let revoke = try #require(report["revoke"])
    #expect(revoke["begun"]?.boolean == true)
    #expect(revoke["code"]?.int64 == 0)
    #expect(revoke["ended"]?.boolean == true)
    #expect(try #require(revoke["seconds"]?.double) < 3)
    #expect(revoke["access"]?.boolean == false)
    #expect(revoke["after"]?["ok"]?.boolean == false)
  }
}
