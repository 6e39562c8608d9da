import LinuxSystem
import TestSupport
import Testing

@testable import KeyboardHost

/// However large an address book is, nobody waits for it.
@Suite("Names of contacts, read beside the loop")
struct ContactReadingTests {
  private let folder = try! Files.temporaryDirectory()

  private func write(_ name: String, to file: String) throws {
    try Files.makeDirectory("\(folder)/\(file)")
    try Files.write(
      "BEGIN:VCARD\r\nN:\(name)\r\nEND:VCARD\r\n", to: "\(folder)/\(file)/a.vcf")
  }

  @Test("what was asked for last is what is found, and asking takes no time")
  func last() throws {
    defer { Files.remove(folder) }
    for name in ["Ada", "Bob", "Cher"] { try write(name, to: name) }
    let loop = PollLoop()
    var found: [[String]] = []
    let reading = ContactReading(loop: loop) { found.append($0.names) }
    for name in ["Ada", "Bob", "Cher"] { reading.read(["\(folder)/\(name)"]) }
    #expect(found.isEmpty)
    for _ in 0..<200 where found.isEmpty { try loop.run(milliseconds: 100) }
    #expect(found == [["Cher"]])
    reading.read(["\(folder)/Ada"])
    for _ in 0..<200 where found.count == 1 { try loop.run(milliseconds: 100) }
    #expect(found == [["Cher"], ["Ada"]])
  }

  @Test("a host follows the folders, and names of one that is taken away are gone at once")
  func host() throws {
    defer { Files.remove(folder) }
    try write("Ada", to: "one")
    try write("Bob", to: "two")
    let fixture = try StoreFixture()
    let folders = ContactFolders(paths: fixture.paths)
    try folders.add("\(folder)/one", log: fixture.log)
    let host = try LocalHost(paths: fixture.paths)
    var names: [String] { host.driver.core.configuration.lexicon.map(\.userInput) }
    #expect(names == ["Ada"])
    host.begin()
    try folders.add("\(folder)/two", log: fixture.log)
    for _ in 0..<200 where names != ["Ada", "Bob"] { try host.driver.loop.run(milliseconds: 100) }
    #expect(names == ["Ada", "Bob"])
    try folders.remove("\(folder)/one", log: fixture.log)
    host.reload()
    #expect(!names.contains("Ada"))
    for _ in 0..<200 where names != ["Bob"] { try host.driver.loop.run(milliseconds: 100) }
    #expect(names == ["Bob"])
    host.driver.shutDown()
  }

  @Test("one file has no more names and faults than all may have")
  func crowdedFile() throws {
    defer { Files.remove(folder) }
    let cards = (0..<6_000).map { "BEGIN:VCARD\nN:\($0)\nEND:VCARD\nrubbish\n" }.joined()
    try Files.write(cards, to: "\(folder)/a.vcf")
    let names = ContactNames(folders: [folder])
    #expect(names.names.count == ContactNames.maximumNames)
    #expect(names.faults.count == VCardFiles.maximumFaults)
  }
}
