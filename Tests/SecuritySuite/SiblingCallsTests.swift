import SandboxSelftest
import Testing

@Suite("The sibling of a refused call is refused as well", .serialized)
struct SiblingCallsTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.siblings) }
}
