import Glibc
import LinuxSystem

/// Measures Keyhost against a raw pipe, a plain spawn and bwrap, and what auditing policies costs, in
/// one run.
///
///     keyhost-bench --keyboard ID --executable PATH [--connects FILE] [--selftest FILE]
///         [--policy FILE] [--keyhost PATH] [--quick] [--json]
///
/// FILE has the microseconds of brokered and of plain connects, measured in turn in a network that
/// the test's rig makes; or what `keyhost selftest --json` printed.
///
/// The FILE of `--policy` is a container tool's policy, to be validated in place of one made here.
///
/// The `keyhost` of `--keyhost` serves apps, for the rows of those; it is left out without.
///
/// `Scripts/bench` installs the keyboard into a throw-away home and calls it.

var keyboard: String?
var executable: String?
var connects: String?
var policy: String?
var selftest: String?
var keyhost: String?
var isQuick = false
var isJSON = false

/// Says what is wrong and ends.
func end(_ message: String, code: Int32) -> Never {
  _ = try? FileDescriptor.write(Array("keyhost-bench: \(message)\n".utf8)[...], to: 2)
  exit(code)
}

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--keyboard": keyboard = arguments.popFirst()
  case "--executable": executable = arguments.popFirst()
  case "--connects": connects = arguments.popFirst()
  case "--policy": policy = arguments.popFirst()
  case "--selftest": selftest = arguments.popFirst()
  case "--keyhost": keyhost = arguments.popFirst()
  case "--quick": isQuick = true
  case "--json": isJSON = true
  case "--echo":
    guard let size = arguments.popFirst().flatMap({ Int($0) }) else { end("--echo BYTES", code: 2) }
    Echo.run(answerBytes: size)
  case "--audit-memory":
    do { try AuditBenchmark.answerWithMemory(published: arguments.popFirst()) } catch {
      end("\(error)", code: 1)
    }
    exit(0)
  case "--calls":
    guard let kind = arguments.popFirst().flatMap({ FilteredCalls.Kind(rawValue: $0) }) else {
      end("--calls KIND", code: 2)
    }
    do { try FilteredCalls.run(kind, isFiltered: arguments.popFirst() == "--filtered") } catch {
      end("\(error)", code: 1)
    }
  default: end("unknown argument `\(argument)`; see Scripts/bench", code: 2)
  }
}
guard let keyboard, let executable else { end("--keyboard and --executable are needed", code: 2) }

do {
  var report = try Benchmark(
    program: "/proc/self/exe", keyboard: keyboard, executable: executable, isQuick: isQuick
  ).run()
  if let keyhost {
    report.rows += try AppBenchmark(
      host: keyhost, program: "/proc/self/exe",
      folder: unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? "/tmp",
      isQuick: isQuick
    ).run()
  }
  if let connects { report.rows.append(try Row(connects: connects)) }
  try AuditBenchmark(published: policy, isQuick: isQuick).run(&report)
  if let selftest { report.rows.append(try Row(selftest: selftest)) }
  print(isJSON ? report.json : report.table)
} catch {
  end("\(error)", code: 1)
}
