import Glibc
import StrictJSON
import TestSupport
import Testing

/// `keyhost-bench`: that it measures and reports, not what it finds on a busy machine.
@Suite("Benchmark")
struct BenchmarkTests {
  private static let program = getenv("KEYHOST_TEST_BENCH").map { String(cString: $0) }

  @Test(
    "each row has its name, ratio, goal, whether it is met, medians and spread",
    .enabled(if: program != nil, "needs the release build of keyhost-bench: make test"))
  func report() throws {
    let bench = try #require(Self.program)
    let home = try ExampleTests.home("Habra", ExampleTests.habra)
    let result = try Program(bench, environment: home.environment, deadline: 300).run(
      "--quick", "--json", "--keyhost", Products.keyhost, "--keyboard", ExampleTests.habra,
      "--executable",
      "\(Products.bundles)/Habra.app/PlugIns/HabraKeyboard.appex/HabraKeyboard")
    try #require(result.exitCode == 0, "\(result)")
    let report = try JSONDocument(parsing: result.standardOutputBytes).root
    let rows = try #require(report["rows"]?.elements)
    let names = rows.compactMap { $0["name"]?.string }
    for name in [
      "key-round-trip/pinned", "key-round-trip/free", "launch-to-spawn/pinned",
      "launch-to-spawn/free", "incognito-to-launch/pinned", "incognito-to-launch/free",
      "memory/keyboard", "memory/host", "filtered-call/getppid",
      "filtered-call/fcntl", "filtered-call/pread", "audit/validate-own",
      "audit/validate-container", "audit/memory", "audit/rules-25", "audit/rules-400",
      "audit/explain", "app-key-system/pinned", "app-key-keyboard/free", "app-key-system/100-idle",
      "memory/idle-app",
    ] {
      #expect(names.contains(name), "\(names)")
    }
    for row in rows {
      let ratio = try #require(row["ratio"]?.double)
      #expect(ratio > 0)
      #expect(row["measured"]?["median"]?.double ?? 0 > 0)
      if let goal = row["goal"]?.double {
        #expect(row["met"]?.boolean == (ratio <= goal))
      } else {
        #expect(row["met"]?.isNull == true)
      }
    }
  }
}
