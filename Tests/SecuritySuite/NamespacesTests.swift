import SandboxSelftest
import Testing

@Suite("No other namespace can be had", .serialized)
struct NamespacesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.namespaces) }
}
