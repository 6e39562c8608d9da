import PolicyAudit
import SandboxPolicy
import TestSupport
import Testing

@Suite struct ReaderTests {
  @Test(
    "what is no filter is refused with its place or its reason",
    arguments: [
      ("", "the file is empty"), ("   \n", "the file is empty"),
      ("[]", "no instruction"), ("[[6, 0, 0]]", "instruction 0 is not a list"),
      ("[[6, 0, 0, 0], 5]", "p:1:16: instruction 1 is not a list"),
      ("[[65536, 0, 0, 0]]", "code of instruction 0 must be a whole number from 0 to 65535"),
      ("[[6, 256, 0, 0]]", "jt of instruction 0"), ("[[6, 0, -1, 0]]", "jf of instruction 0"),
      ("[[6, 0, 0, 4294967296]]", "k of instruction 0"),
      ("[[6, 0, 0, \"0\"]]", "k of instruction 0"),
      ("{", "1:2"), ("// policy\n{}", "1:1"), ("defaultAction", "1:1"), ("\u{feff}{}", "1:1"),
      ("{\"defaultAction\": 1}", "1:19"),
      ("\u{1}\u{2}\u{3}", "not a multiple of 8"),
      ("{\"formatVersion\": 1}", "no \"environment\""),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: AuditError.self) {
      try Subjects.reader.read(Array(text.utf8), name: "p", load: Policies.load)
    }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test("a program the kernel would refuse is read, and nothing is claimed of it")
  func invalidProgram() throws {
    let subject = try Subjects.reader.read(
      Array("[[32, 0, 0, 64], [6, 0, 0, 2147418112]]".utf8), name: "p", load: Policies.load)
    #expect(throws: AuditError.self) {
      try ClaimProver(about: subject, space: Subjects.space)
    }
    #expect(throws: AuditError.self) {
      try Explanation(of: subject, space: Subjects.space)
    }
  }
}
