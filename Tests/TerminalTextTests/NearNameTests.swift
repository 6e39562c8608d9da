import TerminalText
import Testing

@Suite("The nearest name to a misspelled one")
struct NearNameTests {
  static let names = [
    "install", "list", "remove", "SCMP_ACT_ALLOW", "kexec_load", "mount", "umount",
  ]

  @Test(
    "is found by few slips, whatever the case",
    arguments: [
      ("instal", "install"), ("isntall", "install"), ("LIST", "list"), ("lsit", "list"),
      ("scmp_act_alow", "SCMP_ACT_ALLOW"), ("kexecload", "kexec_load"), ("mount", "mount"),
      ("mout", "mount"),
    ])
  func near(word: String, name: String) {
    #expect(NearName.nearest(to: word, among: Self.names) == name)
  }

  @Test("is none when nothing is near", arguments: ["", "xy", "frobnicate", "lst!!"])
  func far(word: String) {
    #expect(NearName.nearest(to: word, among: Self.names) == nil)
    #expect(NearName.nearest(to: "list", among: [String]()) == nil)
  }

  @Test("of two that are equally near it is the first in alphabetical order")
  func tie() {
    #expect(NearName.nearest(to: "cat", among: ["hat", "bat", "rat"]) == "bat")
  }

  @Test("is not looked for when the word is no misspelling but a text")
  func long() {
    let word = String(repeating: "a", count: 65)
    #expect(NearName.nearest(to: word, among: [word]) == nil)
  }
}
