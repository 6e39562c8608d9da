import SandboxSelftest
import Testing

@Suite("The microphone cannot be heard by any route", .serialized)
struct MicrophoneTests {
  @Test("every attack of the class works outside, fails inside, and each layer holds alone")
  func attacks() throws { try Attacked.expectRefused(.microphone) }
}
