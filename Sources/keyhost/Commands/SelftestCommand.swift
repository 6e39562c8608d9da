import CommandLineInterface
import Glibc
import KeyboardHost
import LinuxSystem
import SandboxLaunch
import SandboxSelftest
import StrictJSON
import Synchronization

let selftestCommand = Command(
  "selftest", abstract: "Attack the sandbox on this machine, and say whether anything got through.",
  discussion: [
    """
    Each attack is made twice by the same program: outside, where it must work to prove anything, \
    and inside, without and with open access, where it must not. Then each layer that is said to \
    stop it is tried alone, and all of them are taken away, which must let it through. What \
    happened is seen from outside, by a random secret that arrives at a decoy or is missing from \
    it. Nothing of yours is touched: files, terminals, processes and a sound server are made for \
    the test. They go with it; where it is killed (SIGKILL, SIGHUP), the next selftest removes them.
    """,
    "The exit code is 1 if anything got through.",
  ],
  options: [
    .flag("list", "List the attacks, and make none."),
    .value(
      "only", "CLASS", choices: AttackClass.allCases.map(\.rawValue), isRepeatable: true,
      "Only attacks of this class."),
    .value(
      "without", "LAYER", choices: SandboxLayer.allCases.map(\.rawValue), isRepeatable: true,
      "Leave this layer out of the attacker's sandbox, to see whether the others hold."),
    .json,
  ],
  action: selftest)

@Sendable private func selftest(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let classes = Set(invocation.values("only").compactMap { AttackClass(rawValue: $0) })
  let attacks = AttackCatalog.all.filter { classes.isEmpty || classes.contains($0.attackClass) }
  if invocation.has("list") {
    try list(attacks, invocation, console)
    return .success
  }
  let without = Set(invocation.values("without").compactMap { SandboxLayer(rawValue: $0) })
  let resources = try InstalledResources()
  let launcher = try resources.trustedLauncher()
  let probe = try resources.trustedProbe()
  let profile = try resources.profile()
  try clearUpWhenEnded()
  // Who is being ended does not end in another way first.
  defer { clearingUp.withLock { _ in } }
  Leftovers.remove()
  let pool = SelftestPool(threads: SelftestPool.defaultThreads) { () throws(SelftestError) in
    try Stage(launcher: launcher, probe: probe, profile: profile)
  }
  let began = MonotonicClock.nanoseconds
  var results: [AttackResult] = []
  try pool.run(attacks, without: without) { result in
    results.append(result)
    if !invocation.wantsJSON { try console.print(Table.row(result)) }
  }
  let seconds = Double(MonotonicClock.nanoseconds - began) / 1e9
  let summary = Summary(results, seconds: seconds)
  if invocation.wantsJSON {
    try console.printJSON { summary.encode(results, without: without, into: &$0) }
  } else {
    try console.print(summary.text)
  }
  return summary.gotThrough == 0 ? .success : .failure
}

/// Held while what the selftest made is cleared up because it is to end.
private let clearingUp = Mutex(())

/// Whoever ends the selftest finds nothing of it left. Before other threads are made.
private func clearUpWhenEnded() throws {
  let signals = try SignalDescriptor()
  try DetachedThread.begin {
    var entries = [PollEntry(signals.rawValue, .input)]
    while (try? poll(&entries, milliseconds: -1)) ?? 0 < 1 {}
    clearingUp.withLock { _ in
      Leftovers.removeOwn()
      // What another thread has begun meanwhile.
      Leftovers.removeOwn()
      try? Signals.resetAll()
      kill(getpid(), SIGTERM)
      while true { pause() }
    }
  }
}

private func list(
  _ attacks: [Attack], _ invocation: Invocation, _ console: Console
) throws(OutputError) {
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.key("attacks")
      writer.beginArray()
      for attack in attacks {
        writer.beginObject()
        attack.encodeMembers(into: &writer)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    return
  }
  try console.printTable(
    [["ATTACK", "WHAT IT DOES", "PROMISE"]]
      + attacks.map { [$0.name, $0.summary, $0.protection.promise] })
}

private enum Table {
  /// Printed as it comes, so the columns have fixed widths.
  static func row(_ result: AttackResult) -> String {
    let verdict = result.verdict
    return pad(verdict.word, 13) + pad(result.attack.name, 32) + verdict.detail(result)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension AttackResult.Verdict {
  fileprivate var word: String {
    switch self {
    case .refused: "refused"
    case .gotThrough: "GOT THROUGH"
    case .unproven: "unproven"
    case .notTestable: "not testable"
    }
  }

  fileprivate func detail(_ result: AttackResult) -> String {
    switch self {
    case .refused(let groups):
      let held = groups.map(Selftest.names).joined(separator: "; ")
      return result.attack.summary
        + (groups.isEmpty ? "" : " (works outside; each holds alone: \(held))")
    case .gotThrough(let how): return "\(result.attack.summary): \(how)"
    case .unproven(let why): return "\(result.attack.summary): refused inside, but \(why)"
    case .notTestable(let why): return "\(result.attack.summary): \(why)"
    }
  }
}

extension Attack {
  fileprivate func encodeMembers(into writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("class", attackClass.rawValue)
    writer.member("summary", summary)
    writer.member("promise", protection.promise)
    writer.key("layers")
    writer.beginArray()
    for group in protection.layers { writer.encode(group) }
    writer.endArray()
  }
}

extension JSONWriter {
  fileprivate mutating func encode(_ layers: Set<SandboxLayer>) {
    beginArray()
    for layer in SandboxLayer.allCases where layers.contains(layer) { value(layer.rawValue) }
    endArray()
  }
}

private struct Summary {
  var refused = 0
  var gotThrough = 0
  var unproven = 0
  var notTestable = 0
  var seconds: Double

  init(_ results: [AttackResult], seconds: Double) {
    self.seconds = seconds
    for result in results {
      switch result.verdict {
      case .refused: refused += 1
      case .gotThrough: gotThrough += 1
      case .unproven: unproven += 1
      case .notTestable: notTestable += 1
      }
    }
  }

  var text: String {
    let tenths = Int(seconds * 10)
    let time = "\(tenths / 10).\(tenths % 10) s"
    return "\(refused) refused, \(gotThrough) got through, \(unproven) unproven, "
      + "\(notTestable) not testable here, in \(time)"
  }

  func encode(
    _ results: [AttackResult], without: Set<SandboxLayer>, into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("without")
    writer.encode(without)
    writer.key("attacks")
    writer.beginArray()
    for result in results {
      writer.beginObject()
      result.attack.encodeMembers(into: &writer)
      encode(result, into: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.member("refused", refused)
    writer.member("gotThrough", gotThrough)
    writer.member("unproven", unproven)
    writer.member("notTestable", notTestable)
    writer.member("seconds", seconds)
    writer.endObject()
  }

  private func encode(_ result: AttackResult, into writer: inout JSONWriter) {
    var reason: String?
    var works = true
    switch result.verdict {
    case .refused: writer.member("verdict", "refused")
    case .gotThrough(let how):
      writer.member("verdict", "gotThrough")
      reason = how
    case .unproven(let why):
      writer.member("verdict", "unproven")
      reason = why
    case .notTestable(let why):
      writer.member("verdict", "notTestable")
      reason = why
      works = false
    }
    writer.member("worksOutside", works)
    writer.member("reason", orNull: reason)
    writer.key("holdAlone")
    writer.beginArray()
    if case .refused(let groups) = result.verdict { for group in groups { writer.encode(group) } }
    writer.endArray()
    writer.member("remark", result.remark)
  }
}
