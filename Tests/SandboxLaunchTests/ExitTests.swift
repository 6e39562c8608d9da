import Glibc

/// Tests that run in a process of their own wait for its end on a thread that looks at every child
/// of the test process, and stands still while another child is a zombie. Beside the tests that
/// end many processes they can wait for ever, so they run with `KEYHOST_EXIT_TESTS=1`, filtered alone.
enum ExitTests {
  static var areAllowed: Bool { getenv("KEYHOST_EXIT_TESTS") != nil }
}
