import Testing

@testable import NetworkBroker

@Suite("Questions for names")
struct NameMessageTests {
  private func question(
    _ labels: [String] = ["www", "Example", "com"], kind: UInt8 = 1, zone: UInt8 = 1,
    flags: [UInt8] = [1, 0x20], counts: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0], more: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x12, 0x34] + flags + counts
    for label in labels { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
    return bytes + [0, 0, kind, 0, zone] + more
  }

  private let extended: [UInt8] = [0, 0, 41, 4, 0xd0, 0, 0, 0x80, 0, 0, 0]

  private func fault(_ bytes: [UInt8]) -> NameQuery.Fault? {
    do {
      _ = try NameQuery(parsing: bytes)
      return nil
    } catch { return error }
  }

  @Test("a stub resolver's question is read")
  func reads() throws {
    let query = try NameQuery(parsing: question())
    #expect(query.identifier == 0x1234)
    #expect(query.name == "www.example.com")
    #expect(query.kind == .a)
    #expect(try NameQuery(parsing: question(kind: 28)).kind == .aaaa)
    #expect(
      try NameQuery(parsing: question(counts: [0, 1, 0, 0, 0, 0, 0, 1], more: extended)).name
        == "www.example.com")
  }

  @Test("a question that is cut off anywhere, or has a byte too many, is an error")
  func everyCut() {
    let whole = question(counts: [0, 1, 0, 0, 0, 0, 0, 1], more: extended)
    for count in 0..<whole.count {
      let fault = fault(Array(whole.prefix(count)))
      #expect(fault?.refusal == .formatError, "\(count)")
      #expect(fault?.identifier == (count < 2 ? nil : 0x1234))
    }
    #expect(fault(whole + [0])?.refusal == .formatError)
  }

  @Test("no byte put anywhere makes it trap, or makes a name that no host can have")
  func everyByte() {
    let whole = question(counts: [0, 1, 0, 0, 0, 0, 0, 1], more: extended)
    for index in whole.indices {
      for value in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[index] = value
        guard let query = try? NameQuery(parsing: bytes) else { continue }
        #expect(
          query.name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d || $0 == 0x2e
          })
        #expect(query.name.utf8.count <= 253)
      }
    }
  }

  @Test("answers, pointers, several questions and other operations are refused")
  func refusals() {
    #expect(fault(question(flags: [0x81, 0]))?.refusal == .formatError)
    #expect(fault(question(flags: [0x03, 0]))?.refusal == .formatError)
    #expect(fault(question(flags: [0x01, 0x40]))?.refusal == .formatError)
    #expect(fault(question(flags: [0x28, 0]))?.refusal == .notImplemented)
    for counts: [UInt8] in [
      [0, 0, 0, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 0, 0],
      [0, 1, 0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 0, 0, 2], [0, 1, 0, 0, 0, 0, 0, 1],
    ] { #expect(fault(question(counts: counts))?.refusal == .formatError, "\(counts)") }
    var pointer = question()
    pointer[12] = 0xc0
    #expect(fault(pointer)?.refusal == .formatError)
    for kind: UInt8 in [2, 5, 12, 15, 16, 33, 255] {
      #expect(fault(question(kind: kind))?.refusal == .notImplemented)
    }
    #expect(fault(question(zone: 3))?.refusal == .notImplemented)
  }

  @Test(
    "names that no host can have are answered as names that are not there",
    arguments: [
      [], ["a_b", "example"], ["-a", "example"], ["a-", "example"], ["a b"], ["a\u{0}b", "c"],
      ["10", "9", "0", "1"], ["2130706433"], ["0x7f000001"], ["127", "1"], ["a", "0x1"], ["é"],
      ["a.b", "c"], ["%"],
    ])
  func hostNames(labels: [String]) {
    #expect(fault(question(labels))?.refusal == .noSuchName)
  }

  @Test("labels of 63 bytes and names of 253 are the longest")
  func lengths() throws {
    let label = String(repeating: "a", count: 63)
    let longest = [label, label, label, String(repeating: "b", count: 61)]
    #expect(try NameQuery(parsing: question(longest)).name.utf8.count == 253)
    #expect(fault(question([label, label, label, String(repeating: "b", count: 62)])) != nil)
    #expect(fault(question([label + "a"]))?.refusal == .formatError)
  }

  @Test("replies have the question and the addresses of its kind, and nothing else")
  func replies() throws {
    let query = try NameQuery(parsing: question())
    let addresses = ["192.0.2.1", "2001:db8::1", "192.0.2.2"].map { InternetAddress($0)! }
    let reply = NameReply.addresses(addresses, to: query)
    let section = Array(question().dropFirst(12))
    #expect(
      reply == [0x12, 0x34, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0] + section
        + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 1]
        + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 2])
    #expect(NameReply.addresses([], to: query)[..<8] == [0x12, 0x34, 0x81, 0x80, 0, 1, 0, 0])
    #expect(NameReply.noSuchName(to: query)[3] == 0x83)
    #expect(NameReply.failure(to: query)[3] == 0x82)
    let many = (0..<200).map { InternetAddress(bytes: [8, 8, 8, $0])! }
    #expect(NameReply.addresses(many, to: query)[7] == 32)
    #expect(
      NameReply.refusal(NameQuery.Fault(refusal: .formatError, identifier: 7))
        == [0, 7, 0x81, 0x81, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(NameReply.refusal(NameQuery.Fault(refusal: .formatError, identifier: nil)) == nil)
  }

  @Test("messages are cut out of a stream at every boundary, and one that is too long is its end")
  func framing() throws {
    let messages: [[UInt8]] = [question(), [], question(kind: 28)]
    let stream = messages.flatMap { NameFramer.frame($0) }
    for size in 1...stream.count {
      var framer = NameFramer()
      var found: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        framer.append(Array(stream[start..<min(start + size, stream.count)]))
        while let message = try framer.next() { found.append(message) }
      }
      #expect(found == messages)
      #expect(framer.pendingSize == 0)
    }
    var framer = NameFramer()
    framer.append([2, 1])
    #expect(throws: NameFramer.Overrun()) { try framer.next() }
  }
}
