import SandboxSelftest
import Testing

@Suite("There is never a second process or another program", .serialized)
struct NewProcessesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.processes) }
}
