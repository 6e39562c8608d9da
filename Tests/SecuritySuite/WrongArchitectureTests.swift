import SandboxSelftest
import Testing

@Suite("Calls of other tables reach nothing", .serialized)
struct WrongArchitectureTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.architecture) }
}
