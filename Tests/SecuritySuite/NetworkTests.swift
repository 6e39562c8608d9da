import SandboxSelftest
import Testing

@Suite("Nobody can be reached without consent", .serialized)
struct NetworkTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.network) }
}
