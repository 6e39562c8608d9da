import SandboxSelftest
import Testing

@Suite("No terminal can be typed into, written to or read", .serialized)
struct TerminalTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.terminal) }
}
