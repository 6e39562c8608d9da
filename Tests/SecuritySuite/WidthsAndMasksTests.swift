import SandboxSelftest
import Testing

@Suite("Bits that the kernel does not look at open nothing", .serialized)
struct WidthsAndMasksTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.widths) }
}
