import Glibc
import LinuxSystem
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Names of contacts")
struct ContactNamesTests {
  private func read(_ text: String) -> VCardNames { VCardNames(reading: Array(text.utf8)) }

  private func card(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD"]).joined(separator: "\r\n") + "\r\n"
  }

  @Test(
    "come first and last unpaired, and nothing else of a card",
    arguments: [
      (["N:Lovelace;Ada;King;Countess;", "FN:Ada Lovelace", "TEL:+1 555"], ["Ada", "Lovelace"]),
      (["N:Åström;Zoë"], ["Zoë", "Åström"]), (["N:Prince"], ["Prince"]), (["N:;Cher;;;"], ["Cher"]),
      (["FN:Ada  King Lovelace"], ["Ada", "Lovelace"]), (["FN:Ada"], ["Ada"]),
      (["item1.N;LANGUAGE=en:Ng;Li,Anna;;;"], ["Li", "Anna", "Ng"]),
      (["N;SORT-AS=\"a:b\":O\\,Neil;J\\;R"], ["J;R", "O,Neil"]),
      (["N:van der\r\n  Berg;Jan"], ["Jan", "van der Berg"]),
      (["n:Small;Case"], ["Case", "Small"]),
      (["N:山田;太郎;;;"], ["太郎", "山田"]), (["NOTE:N:No;Name"], []), (["N:Ada;Ada"], ["Ada"]),
    ])
  func names(lines: [String], expected: [String]) {
    let text = "BEGIN:VCARD\r\n" + lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
    #expect(read(text).names == expected)
    #expect(read(text).faults.isEmpty)
    #expect(read(text.split(separator: "\r\n").joined(separator: "\n")).names == expected)
  }

  @Test("of many cards in a file are all read; what is broken is told with its line")
  func faults() {
    let text =
      card("N:A;B") + "rubbish\n" + card("N;ENCODING=QUOTED-PRINTABLE:=C3") + "N:Out;Side\n"
      + card("N:C\u{1B}[m;D") + card("N:\(String(repeating: "x", count: 65));E")
      + "BEGIN:VCARD\nN:F;G\n"
    let names = read(text)
    #expect(names.names == ["B", "A", "D", "E"])
    #expect(names.faults.map(\.line) == [5, 8, 10, 11, 15, 19])
    #expect(names.faults[0].description == "line 5: this is no property of a vCard")
    #expect(
      VCardNames(reading: [0x4E, 0x0A, 0xFF]).faults == [
        VCardNames.Fault(line: 2, message: "the file is not UTF-8 from there on, or before")
      ])
    #expect(read("").names.isEmpty && read("").faults.isEmpty)
    for text in [
      ":", "\\", "N:\\", "BEGIN:VCARD\nN:;;;;;;;\\\nEND:VCARD", " \t", ";:;", "\"", "a\"b:c",
    ] {
      _ = read(text)
    }
  }

  @Test("are read from folders within bounds, and no link is followed out of them")
  func folders() throws {
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    try Files.makeDirectory("\(folder)/work")
    try Files.makeDirectory("\(folder)/.hidden")
    try Files.write(card("N:Lovelace;Ada"), to: "\(folder)/a.vcf")
    try Files.write(card("N:Turing;Alan"), to: "\(folder)/work/b.VCF")
    try Files.write(card("N:No;One"), to: "\(folder)/.hidden/c.vcf")
    try Files.write(card("N:No;One"), to: "\(folder)/notes.txt")
    try Files.write("broken\n", to: "\(folder)/x.vcf")
    try Files.write(
      [UInt8](repeating: 0x41, count: VCardFiles.maximumFileBytes + 1), to: "\(folder)/y.vcf")
    let names = ContactNames(folders: [folder, "\(folder)/none"])
    #expect(names.names == ["Ada", "Alan", "Lovelace", "Turing"])
    #expect(names.faults.count == 3)
    #expect(names.faults.contains("\(folder)/x.vcf: line 1: this is no property of a vCard"))
    #expect(names.entries.first == LexiconEntry(userInput: "Ada", documentText: "Ada"))
  }

  @Test("a folder of more files than anybody has contacts is not gone through")
  func crowdedFolder() throws {
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    for name in ["a", "b"] {
      try Files.makeDirectory("\(folder)/\(name)")
      for number in 0..<(VCardFiles.maximumEntries / 2) {
        let descriptor = open("\(folder)/\(name)/\(number)", O_WRONLY | O_CREAT, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
      }
    }
    let handle = try DirectoryHandle(path: "\(folder)/a")
    #expect(try handle.names(upTo: 7).count == 7)
    #expect(try handle.names(upTo: 1 << 20).count == VCardFiles.maximumEntries / 2)
    // Sorted, it would be the last.
    try Files.makeDirectory("\(folder)/c")
    try Files.write(card("N:Turing;Alan"), to: "\(folder)/c/x.vcf")
    let names = ContactNames(folders: [folder])
    #expect(names.names.isEmpty)
    #expect(
      names.faults
        == ["there are more contacts, or other files, than are read; the rest is left out"])
    Files.remove("\(folder)/a")
    #expect(ContactNames(folders: [folder]).names == ["Alan", "Turing"])
  }

  @Test("are part of the lexicon when the user names their folder, and only then")
  func lexicon() throws {
    let fixture = try StoreFixture()
    let folder = try Files.temporaryDirectory()
    defer { Files.remove(folder) }
    try Files.write(card("N:Lovelace;Ada"), to: "\(folder)/a.vcf")
    let folders = ContactFolders(paths: fixture.paths)
    func lexicon() throws -> [String] {
      let choices = try UserChoices(paths: fixture.paths)
      return choices.configuration(
        hostVersion: "0", contacts: ContactNames(folders: choices.settings.contactFolders)
      ).lexicon.map(\.userInput)
    }
    #expect(try lexicon() == [])
    try folders.add(folder, log: fixture.log)
    try folders.add(folder, log: fixture.log)
    try TextReplacementChoices(paths: fixture.paths).add(
      TextReplacement(userInput: "omw", documentText: "on my way"), log: fixture.log)
    #expect(try folders.list() == [folder])
    #expect(try lexicon() == ["omw", "Ada", "Lovelace"])
    // A name that was mistyped is no folder without names.
    #expect(
      storeFault { try folders.add("\(folder)/nope", log: fixture.log) }.contains(
        "cannot be read from `\(folder)/nope`"))
    #expect(
      storeFault { try folders.add("\(folder)/a.vcf", log: fixture.log) }.contains(
        "is no folder: name the folder that the vCards lie in"))
    #expect(try folders.list() == [folder])
    // A relative path counts from the working folder, and what a shell completed is the same.
    try folders.add("\(folder)//", log: fixture.log)
    #expect(try folders.list() == [folder])
    #expect(storeFault { try folders.add("no-such-folder", log: fixture.log) }.contains("`/"))
    #expect(storeFault { try folders.remove("/x", log: fixture.log) }.contains("not read from"))
    try folders.remove(folder, log: fixture.log)
    #expect(try lexicon() == ["omw"])
    let text = #"{"version":1,"contactFolders":["relative"]}"#
    #expect(throws: (any Error).self) { try HostSettings(decoding: Array(text.utf8)) }
  }
}
