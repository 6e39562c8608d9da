import SandboxSelftest
import Testing

@Suite("Foreign files can be neither read nor changed", .serialized)
struct ForeignFilesTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.files) }
}
