import SandboxSelftest
import Testing

@Suite("Open access opens nothing but what it is for", .serialized)
struct ConsentTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.consent) }
}
