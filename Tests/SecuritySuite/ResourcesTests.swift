import SandboxSelftest
import Testing

@Suite("Nobody else goes short", .serialized)
struct ResourcesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.resources) }
}
