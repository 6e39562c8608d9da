import SandboxSelftest
import Testing

@Suite("Other processes are out of reach", .serialized)
struct OtherProcessesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.others) }
}
