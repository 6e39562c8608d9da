import HostSimulation
import PluginProtocol
import TestSupport
import Testing
import TextInput

@testable import KeyboardHost

@Suite("Random faults")
struct RandomFaultTests {
  @Test("typed text is the document's text, whatever the keyboards do", arguments: 0..<150)
  func textIsComplete(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let host = SimulatedHost(keyboards: [SimulatedHost.entry("one"), SimulatedHost.entry("two")])
    let badness = Int.random(in: 0...30, using: &random)
    host.behaviour = { _ in
      guard Int.random(in: 0..<100, using: &random) < badness else {
        return .answer(afterMilliseconds: UInt64.random(in: 0...30, using: &random))
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .answer(afterMilliseconds: UInt64.random(in: 90...1_200, using: &random))
      case 1: return .answerTwice
      case 2: return .silence
      case 3: return .crash
      case 4: return .garbage
      case 5: return .errorAnswer
      case 6: return .unknownRequest
      default: return .breakEdit
      }
    }
    host.start = {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .failLaunch
      case 1: .crash
      case 2: .silence
      default: .ready(afterMilliseconds: UInt64.random(in: 0...50, using: &random))
      }
    }
    var secure = TextInputTraits()
    secure.isSecureTextEntry = .known(true)
    var phone = TextInputTraits()
    phone.keyboardType = .known(.phonePad)
    var card = TextInputTraits()
    card.textContentType = .known(.creditCardNumber)
    let fields = ["a", "b", "secret", "phone", "card"]
    host.open("a")
    host.open("b", app: "app")
    host.open("secret", secure)
    host.open("phone", phone)
    host.open("card", card)
    var typed: [String: String] = [:]
    var current = "a"
    host.focus(current)
    for _ in 0..<120 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        current = fields.randomElement(using: &random)!
        host.focus(current)
      case 1: host.advance(milliseconds: UInt64.random(in: 0...3_000, using: &random))
      case 2: host.feed(.user(.nextKeyboard))
      case 3 where seed % 3 == 0:
        host.feed(
          .configuration(
            HostConfiguration(
              keyboards: [
                SimulatedHost.entry("one", access: Bool.random(using: &random)),
                SimulatedHost.entry("two"),
              ])))
      case 4 where seed % 5 == 0:
        host.feed(.appAnswer(app: "app", Bool.random(using: &random) ? .deny : .allow))
      case 6 where seed % 4 == 0:
        host.say(
          .transaction(
            id: 1, documentIdentifier: "document-1",
            revision: UInt64.random(in: 0...3, using: &random),
            Transaction()), from: Bool.random(using: &random) ? "one" : "two")
      case 7 where seed % 7 == 0:
        if let id = host.running("one") { host.feed(.continuedWhileFrozen(id)) }
      case 8 where seed % 11 == 0 && Int.random(in: 0..<40, using: &random) == 0:
        host.auditFails = true
      case 9 where seed % 2 == 0:
        // The app puts the cursor where it is: nothing changes but the revision.
        if let text = host.core.text(of: DocumentID(current)) {
          host.feed(.appEdit(DocumentID(current), .select(text.selectedRange)))
        }
      case 5:
        host.stopDelay = Int.random(in: 0..<10, using: &random) == 0 ? nil : 5
        host.endDelay = [0, 5, 250].randomElement(using: &random)
      default:
        // Letters the keyboards have, and some that only the system keyboard types.
        let letter = String("abcdefghijXYZ é👨‍👩‍👧".randomElement(using: &random)!)
        host.type(letter)
        typed[current, default: ""] += letter
      }
      if Bool.random(using: &random) { host.advance(milliseconds: 3) }
    }
    for _ in 0..<40 {
      host.settle()
      host.advance(milliseconds: 2_100)
    }
    #expect(host.core.pendingInputs == 0)
    for field in fields {
      #expect(host.text(field) == typed[field, default: ""], "field \(field), seed \(seed)")
    }
    for field in ["secret", "phone", "card"] {
      let names = host.core.documents[DocumentID(field)]?.identifiers
      #expect(names?.isEmpty == true, "no ordinary keyboard was ever told of \(field)")
    }
    let names = Set(
      host.sent.compactMap { message -> String? in
        if host.incognitoLaunches.contains(message.0) { return nil }
        return switch message.1 {
        case .event(_, let state, _), .focus(let state): state.documentIdentifier
        default: nil
        }
      })
    #expect(names.count <= 4, "two documents, each under one name for each keyboard")
    #expect(host.rejections.isEmpty)
  }
}
