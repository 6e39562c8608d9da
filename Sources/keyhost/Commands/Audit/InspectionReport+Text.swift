import CommandLineInterface
import KeyboardHost
import LinuxSystem
import PolicyAudit
import SandboxPolicy
import TerminalText

extension InspectionReport {
  /// Prints it for people. What the process has named itself is escaped.
  func print(to console: Console) throws {
    try console.print(headline)
    try section("filters", filterLines, console)
    try section(
      "no new privileges", [Self.text(process.hasNoNewPrivileges) { $0 ? "yes" : "no" }], console)
    try section(
      "capabilities",
      process.capabilities.map { set in
        "\(Self.padded(set.name, 12)) \(Self.names(set.capabilities))"
      }, console)
    try section(
      "namespaces",
      process.namespaces.map { namespace in
        let place = namespace.isShared.map { $0 ? "  this program's, too" : "  another" } ?? ""
        return "\(Self.padded(namespace.kind, 7)) \(Self.text(namespace.identity) { $0 })\(place)"
      }, console)
    try section(
      "descriptors",
      Self.lines(process.descriptors) { descriptor in
        "\(Self.padded("\(descriptor.number)", 4)) \(Self.padded(descriptor.access ?? "?", 2))  "
          + VisibleText.escape(descriptor.target)
      }, console)
    try section(
      "limits",
      Self.lines(process.limits) { limit in
        let unit = limit.unit.isEmpty ? "" : " \(limit.unit)"
        let range = limit.soft == limit.hard ? limit.soft : "\(limit.soft), up to \(limit.hard)"
        return "\(Self.padded(VisibleText.escape(limit.name), 24)) \(range)\(unit)"
      }, console)
    try section("launch", launchLines, console)
  }

  private var headline: String {
    var parts = ["process \(process.process) (\(VisibleText.escape(process.name)))"]
    if let first = process.threadOf { parts.append("a thread of process \(first)") }
    if let user = process.users.first {
      let effective = process.users.dropFirst().first ?? user
      parts.append("user \(user)" + (effective == user ? "" : ", acting as \(effective)"))
    }
    if let parent = process.parent { parts.append("parent \(parent)") }
    if let count = process.threadCount {
      parts.append(count == 1 ? "1 thread" : "\(count) threads")
    }
    parts.append("state \(VisibleText.escape(process.state))")
    if let tracer = process.tracer { parts.append("traced by \(tracer)") }
    return parts.joined(separator: ", ")
  }

  private var filterLines: [String] {
    var lines: [String]
    switch process.mode {
    case .read(.none): lines = ["none: every system call is allowed"]
    case .read(.strict):
      lines = [
        "strict mode: only read, write, exit and the return from a signal, without a program"
      ]
    case .read(.filter):
      switch process.filters {
      case .read:
        lines = filters.enumerated().map { index, filter in
          "\(index + 1) of \(filters.count)  \(filter.instructions) instructions, SHA-256 "
            + "\(filter.digest): \(Self.name(filter))"
        }
        if filters.count > 1 {
          lines.append("the strictest answer of all counts; pid:\(process.process) is all together")
        }
        if let count = process.filterCount, count != filters.count {
          lines.append("the kernel counted \(count) a moment before")
        }
      case .notPermitted(let reason):
        let count = process.filterCount.map { "\($0)" } ?? "some"
        lines = ["\(count), which may not be read: \(VisibleText.escape(reason))"]
      case .unknown(let reason):
        let count = process.filterCount.map { "\($0)" } ?? "some"
        lines = ["\(count), which could not be read: \(VisibleText.escape(reason))"]
      }
    case .notPermitted(let reason), .unknown(let reason):
      lines = ["not known: \(VisibleText.escape(reason))"]
    }
    switch process.otherThreads {
    case .read(let threads):
      lines += threads.prefix(16).map { thread in
        let what =
          switch thread.mode {
          case .none: "has no filter"
          case .strict: "is in strict mode"
          case .filter: thread.filterCount.map { "has \($0)" } ?? "has others"
          }
        return "thread \(thread.thread) \(what): inspect it by its number"
      }
      if threads.count > 16 { lines.append("and \(threads.count - 16) more threads that differ") }
    case .notPermitted(let what): lines.append("other threads may not be looked at: \(what)")
    case .unknown(let reason): lines.append("other threads: not known, \(reason)")
    }
    return lines
  }

  private static func name(_ filter: Filter) -> String {
    guard let policy = filter.policy else { return "no policy of this installation" }
    return filter.isSameProgram
      ? "the shipped policy, `\(policy)`"
      : "another program that means the same as the shipped policy, `\(policy)`"
  }

  private var launchLines: [String] {
    switch launch {
    case .read(nil):
      return ["no launch of this process in \(VisibleText.escape(log))"]
    case .notPermitted(let reason), .unknown(let reason):
      return ["the log cannot be read: \(VisibleText.escape(reason))"]
    case .read(let record?):
      let keyboard = VisibleText.escape(record.keyboard ?? "unknown")
      var lines = [
        "keyboard \(keyboard), at \(record.time.text), "
          + (record.hasOpenAccess ? "with open access" : "without open access")
          + (record.isIncognito ? ", incognito" : "")
      ]
      let force =
        switch launchPolicyIsInForce {
        case true?: "in force"
        case false?: "NOT AMONG THE FILTERS IN FORCE"
        case nil: "the filters in force may not be read"
        }
      lines.append("policy SHA-256 \(VisibleText.escape(record.policy)): \(force)")
      lines += record.layers.map {
        "\(Self.padded(VisibleText.escape($0.name), 18)) \(VisibleText.escape($0.state))"
      }
      if record.landlockABI == 0 {
        lines.append("Landlock: not in force")
      } else {
        lines.append("Landlock, ABI \(record.landlockABI): nothing but")
        lines += record.files.map { rule in
          let rights = rule.rights.map { VisibleText.escape($0) }.joined(separator: " ")
          return "  \(VisibleText.escape(rule.path)): \(rights)"
        }
      }
      return lines
    }
  }

  private func section(_ title: String, _ lines: [String], _ console: Console) throws {
    try console.print(title)
    for line in lines { try console.print("  \(line)") }
  }

  private static func lines<Value>(
    _ reading: ProcessInspection.Reading<[Value]>, _ line: (Value) -> String
  ) -> [String] {
    switch reading {
    case .read(let values): values.isEmpty ? ["none"] : values.map(line)
    case .notPermitted(let reason): ["not permitted: \(VisibleText.escape(reason))"]
    case .unknown(let reason): ["not known: \(VisibleText.escape(reason))"]
    }
  }

  private static func text<Value>(
    _ reading: ProcessInspection.Reading<Value>, _ text: (Value) -> String
  ) -> String {
    switch reading {
    case .read(let value): VisibleText.escape(text(value))
    case .notPermitted(let reason): "not permitted: \(VisibleText.escape(reason))"
    case .unknown(let reason): "not known: \(VisibleText.escape(reason))"
    }
  }

  private static func names(_ names: [String]) -> String {
    if names.isEmpty { return "none" }
    // As many as this kernel knows, counted from 0.
    let known = KernelSettings.number("kernel/cap_last_cap").map { $0 + 1 } ?? 64
    let all = Capability.names(in: known >= 64 ? .max : 1 << UInt64(known) - 1)
    let missing = all.filter { !names.contains($0) }
    if missing.isEmpty { return "all \(names.count)" }
    if missing.count < 8 { return "all but \(missing.joined(separator: " "))" }
    return names.joined(separator: " ")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
