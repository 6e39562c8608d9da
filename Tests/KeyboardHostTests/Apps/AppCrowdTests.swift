import Testing

@testable import KeyboardHost

/// One program leaves documents and connections for others.
@Suite("What apps leave to others")
struct AppCrowdTests {
  @Test("of documents every app has a few, however many another one has opened")
  func documents() throws {
    let rig = AppServerRig()
    let modest = try rig.app()
    var opened = 0
    let crowd = try (0..<12).map { _ in try rig.app() }
    for greedy in crowd {
      var requests: [Int] = []
      for number in 0..<256 {
        requests.append(greedy.open("d\(number)"))
        if number % 32 == 31 {
          rig.turn()
          greedy.read()
        }
      }
      rig.pass(milliseconds: 10)
      opened += requests.count { greedy.answer($0)?.contains("result") == true }
    }
    // All that is nobody's own is gone, and those who took it have their own besides.
    let shared =
      HostCore.maximumDocuments - AppServer.maximumConnections * AppServer.ownDocuments
    #expect(opened == shared + 12 * AppServer.ownDocuments)
    for number in 0..<AppServer.ownDocuments {
      let request = modest.open("m\(number)")
      rig.turn()
      #expect(modest.answer(request)?.contains("result") == true)
    }
    let request = modest.open("one more")
    rig.turn()
    #expect(modest.answer(request)?.contains(#""code":6"#) == true)
  }

  @Test("of connections some are kept for programs that have few")
  func connections() throws {
    let rig = AppServerRig()
    var crowd: [ServedApp] = []
    for _ in 0..<300 { crowd.append(try rig.app(of: 1_000)) }
    let shared = AppServer.maximumConnections - AppServer.reservedConnections
    #expect(rig.server.connectionCount == shared)
    crowd.last?.read()
    #expect(crowd.last?.lines.first?.contains("\(shared) of them by this program") == true)
    for process in 2_000..<2_010 {
      for _ in 0..<8 { crowd.append(try rig.app(of: Int32(process))) }
    }
    #expect(rig.server.connectionCount == shared + 10 * AppServer.ownConnections)
  }
}
