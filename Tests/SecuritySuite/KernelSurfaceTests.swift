import SandboxSelftest
import Testing

@Suite("Parts of the kernel that no keyboard needs are out of reach", .serialized)
struct KernelSurfaceTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.kernel) }
}
