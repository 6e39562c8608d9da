import PluginProtocol
import TestSupport
import Testing

@testable import KeyboardHost

@Suite("Cards of contacts")
struct ContactCardsTests {
  private func read(_ text: String) -> [Contact] { ContactCards.cards(in: Array(text.utf8)) }

  @Test("have the names, the organization, phone numbers and e-mail addresses, and nothing else")
  func card() {
    let contacts = read(
      """
      BEGIN:VCARD\r
      VERSION:4.0\r
      N:Lovelace;Ada;King;Countess;\r
      FN:Ada Lovelace\r
      ORG:Analytical\\, Engines;Notes\r
      item1.TEL;TYPE="voice,home";VALUE=uri:tel:+44-20-5550100\r
      TEL: 555 0101 \r
      EMAIL;PREF=1:ada@example.\r
       org\r
      ADR:;;Secret Street 1;;;;\r
      BDAY:18151210\r
      NOTE:secret\r
      END:VCARD\r
      BEGIN:VCARD
      FN:Grace Hopper
      TEL;ENCODING=QUOTED-PRINTABLE:=35
      EMAIL:a\u{1b}[m@b
      END:VCARD
      BEGIN:VCARD
      NOTE:nothing
      END:VCARD
      """)
    #expect(
      contacts == [
        Contact(
          givenName: "Ada", familyName: "Lovelace", organizationName: "Analytical, Engines",
          phoneNumbers: ["+44-20-5550100", "555 0101"], emailAddresses: ["ada@example.org"]),
        Contact(givenName: "Grace Hopper"),
      ])
  }

  @Test("of rubbish there are none, and never a crash")
  func rubbish() {
    #expect(ContactCards.cards(in: [0xff, 0xfe]).isEmpty)
    for text in [
      "", "TEL:1", "END:VCARD", "BEGIN:VCARD\nTEL:1", ":::", "BEGIN:VCARD\nN\nEND:VCARD",
    ] {
      #expect(read(text).isEmpty, "\(text)")
    }
  }

  @Test("come sorted from all folders, in pages that fit a line, each card once")
  func pages() throws {
    let home = try TemporaryHome()
    for number in 0..<700 {
      let long = String(repeating: "ü", count: 300)
      try Files.write(
        "BEGIN:VCARD\nN:F\(1000 + number);\(long)\nORG:\(long)\n"
          + String(repeating: "TEL:\(long)\n", count: 20) + "END:VCARD\n",
        to: "\(home.work)/\(number).vcf")
    }
    let cards = ContactCards(folders: [home.work, home.work + "/nowhere"]).contacts
    #expect(cards.count == 700)
    var offset: Int? = 0
    var names: [String] = []
    while let from = offset {
      let page = ContactsPage(of: cards, from: from)
      let line = HostMessage.contactsReply(id: 1, page).encoded()
      #expect(line.count <= ProtocolLimits.lineBytes && page.total == 700)
      #expect(try HostMessage.decode(Array(line.dropLast())) == .contactsReply(id: 1, page))
      #expect(page.contacts.allSatisfy { $0.phoneNumbers.count == 8 })
      names += page.contacts.map(\.familyName)
      offset = page.nextOffset
    }
    #expect(names == (1000..<1700).map { "F\($0)" })
    #expect(ContactsPage(of: cards, from: 700) == ContactsPage(contacts: [], total: 700))
    #expect(ContactsPage(of: [], from: 0) == ContactsPage(contacts: [], total: 0))
  }
}
