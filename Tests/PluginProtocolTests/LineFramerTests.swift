import PluginProtocol
import Testing

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("The framer")
struct LineFramerTests {
  private func lines(_ chunks: [[UInt8]]) throws -> [String] {
    var framer = LineFramer()
    var result: [String] = []
    for chunk in chunks {
      framer.append(chunk)
      while let line = try framer.next() { result.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(!framer.hasPartialLine)
    return result
  }

  @Test("gives the same lines however the stream is cut")
  func boundaries() throws {
    let stream = bytes("{\"a\":1}\n{\"text\":\"👨‍👩‍👧 é\"}\n  {}\n")
    let expected = ["{\"a\":1}", "{\"text\":\"👨‍👩‍👧 é\"}", "  {}"]
    #expect(try lines([stream]) == expected)
    #expect(try lines(stream.map { [$0] }) == expected)
    for cut in 0...stream.count {
      #expect(try lines([Array(stream[..<cut]), Array(stream[cut...])]) == expected)
    }
  }

  @Test("accepts a line of exactly the limit and no longer one")
  func limit() throws {
    let longest = [UInt8](repeating: 0x20, count: 65_535) + [0x7B]
    var framer = LineFramer()
    framer.append(longest + [0x0A])
    #expect(try framer.next()?.count == 65_536)
    #expect(try framer.next() == nil)
    framer.append(longest + [0x7D, 0x0A])
    #expect(
      throws: ProtocolError(
        message: "a line has more than 65536 bytes", excerpt: String(repeating: " ", count: 64))
    ) {
      try framer.next()
    }
    // The error stays, and what comes after is not taken.
    framer.append(bytes("{}\n"))
    #expect(throws: ProtocolError.self) { try framer.next() }
    #expect(!framer.hasPartialLine)
  }

  @Test("ends an endless line at the limit, in bounded memory")
  func endless() throws {
    var framer = LineFramer(limit: 1000)
    let chunk = [UInt8](repeating: 0x41, count: 100)
    var taken = 0
    #expect(throws: ProtocolError.self) {
      for _ in 0..<100_000 {
        framer.append(chunk)
        taken += chunk.count
        _ = try framer.next()
      }
    }
    #expect(taken == 1100)
  }

  @Test(
    "tells apart what is wrong with a line",
    arguments: [
      ("\n", "a line is blank"), ("{}\n\n", "a line is blank"), (" \t \n", "a line is blank"),
      ("{}\r\n", "a carriage return stands in a line; lines end with a line feed alone"),
      ("\r", "a carriage return stands in a line; lines end with a line feed alone"),
      ("\u{FEFF}{}\n", "a byte order mark stands before a line"),
    ])
  func faults(stream: String, message: String) throws {
    for step in [1, 1000] {
      var framer = LineFramer()
      var found: ProtocolError?
      let all = bytes(stream)
      for start in stride(from: 0, to: all.count, by: step) {
        framer.append(all[start..<min(start + step, all.count)])
        do throws(ProtocolError) {
          while try framer.next() != nil {}
        } catch { found = error }
      }
      #expect(found?.message == message)
    }
  }

  @Test("escapes the first bad bytes")
  func excerpt() {
    var framer = LineFramer()
    framer.append(bytes("\u{1B}[31m\"\\é" + String(repeating: "x", count: 100) + "\r"))
    do throws(ProtocolError) {
      _ = try framer.next()
      Issue.record("no error")
    } catch {
      #expect(error.excerpt.hasPrefix("\\x1b[31m\\\"\\\\\\xc3\\xa9xxx"))
      #expect(error.excerpt.utf8.count <= 64)
    }
  }

  @Test("takes a span")
  func span() throws {
    var framer = LineFramer()
    let data = bytes("{}\n{")
    framer.append(data.span)
    #expect(try framer.next() == bytes("{}"))
    #expect(try framer.next() == nil)
    #expect(framer.hasPartialLine)
  }
}
