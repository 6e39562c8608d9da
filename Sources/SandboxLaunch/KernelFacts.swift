import LinuxSystem

/// What the running kernel offers to the sandbox.
public struct KernelFacts: Sendable, Equatable {
  public struct Fact: Sendable, Equatable {
    /// A short name that does not change.
    public let name: String
    /// What was found, for people.
    public let value: String
    /// What to do, where something can be done.
    public let advice: String?
  }

  /// For example `6.1.0-18-amd64`.
  public let release: String
  /// 0 without Landlock.
  public let landlockABI: Int
  /// By the kernel's names; all are wanted.
  public let seccompActions: [String: Bool]
  /// Whether a notified call can be interrupted only by what ends the caller (Linux 5.19).
  public let supportsWaitKillable: Bool
  /// Everything else, in the order in which it is told.
  public let facts: [Fact]

  /// Asks the kernel; changes nothing.
  public init() {
    release = KernelSettings.release
    landlockABI = Landlock.kernelABI
    seccompActions = Dictionary(
      uniqueKeysWithValues: SystemCallFilter.Action.allCases.map { ($0.name, $0.isAvailable) })
    supportsWaitKillable = SystemCallFilter.supportsWaitKillable
    facts = [
      Self.userNamespaces(isRoot: ProcessControl.user == 0), Self.controlGroups(), Self.tracing(),
      Self.coreFiles(),
    ]
  }

  private static func userNamespaces(isRoot: Bool) -> Fact {
    let name = "user-namespaces"
    // The settings that forbid them to ordinary users, and the value that does.
    let forbidding = [
      ("user/max_user_namespaces", 0, "user.max_user_namespaces=10000"),
      ("kernel/unprivileged_userns_clone", 0, "kernel.unprivileged_userns_clone=1"),
      (
        "kernel/apparmor_restrict_unprivileged_userns", 1,
        "kernel.apparmor_restrict_unprivileged_userns=0"
      ),
    ].filter { KernelSettings.number($0.0) == $0.1 }
    guard let first = forbidding.first else {
      return Fact(name: name, value: "no setting forbids them", advice: nil)
    }
    let value = "forbidden to ordinary users by \(first.0)=\(first.1)"
    return Fact(
      name: name, value: value,
      advice: isRoot ? "root does not need them" : "as root: sysctl -w \(first.2)")
  }

  private static func controlGroups() -> Fact {
    let name = "control-groups"
    guard let group = KernelSettings.controlGroup else {
      return Fact(
        name: name, value: "no version 2 hierarchy: memory is sampled instead", advice: nil)
    }
    let wanted = ["memory", "pids"].filter { KernelSettings.controllers(of: group).contains($0) }
    guard KernelSettings.isDelegated(group), wanted.count == 2 else {
      return Fact(
        name: name, value: "version 2, not delegated to this process: memory is sampled instead",
        advice: "fine as it is; a service with `Delegate=yes` has it")
    }
    return Fact(name: name, value: "version 2, delegated, with memory and pids", advice: nil)
  }

  private static func tracing() -> Fact {
    let name = "process-inspection"
    switch KernelSettings.number("kernel/yama/ptrace_scope") {
    case 3:
      return Fact(
        name: name, value: "forbidden to all by kernel.yama.ptrace_scope=3",
        advice: "the host cannot take the notification listener: restart with a lower value")
    case let scope?: return Fact(name: name, value: "Yama's scope is \(scope)", advice: nil)
    case nil: return Fact(name: name, value: "not restricted by Yama", advice: nil)
    }
  }

  private static func coreFiles() -> Fact {
    let pattern = KernelSettings.text("kernel/core_pattern") ?? ""
    let value = pattern.utf8.first == UInt8(ascii: "|") ? "go to a program" : "go to files"
    return Fact(
      name: "core-files", value: "\(value); keyboards make none, since they could hold text",
      advice: nil)
  }
}
