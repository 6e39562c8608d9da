import SandboxSelftest
import Testing

@Suite("Nothing of the starter is open in the keyboard", .serialized)
struct DescriptorsTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.descriptors) }
}
