import Glibc
import LinuxSystem
import TestSupport
import Testing

/// Tests that run in a process of their own wait for its end on a thread that looks at every child
/// of the test process, and stands still while another child is a zombie. Beside the tests that
/// end many processes they can wait for ever, so they run in a test process where nothing else is.
@Suite("Tests that end their own process")
struct ExitTests {
  /// Whether this is that test process.
  static var areAllowed: Bool { getenv("KEYHOST_EXIT_TESTS") != nil }

  @Test(
    "each passes where nothing else runs",
    .enabled(if: !areAllowed, "this is where nothing else runs"))
  func alone() throws {
    let program = Program(
      try #require(RealPath.link(at: "/proc/self/exe")),
      environment: ProcessControl.environment.merging(["KEYHOST_EXIT_TESTS": "1"]) { $1 },
      deadline: 300)
    let result = try program.run(
      "--testing-library", "swift-testing", "--filter",
      "StoppingTests/hostDies|NamespaceTests/forbidden")
    let output = result.standardOutput + result.standardError
    #expect(result.exitCode == 0, "\(output)")
    // A filter that finds nothing passes too.
    #expect(output.contains("Test run with 3 tests"), "\(output)")
  }
}
