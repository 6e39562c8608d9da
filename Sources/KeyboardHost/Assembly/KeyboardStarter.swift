import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import TerminalText

/// Starts keyboards from what is installed, what was granted and what the policies say.
public final class KeyboardStarter: KeyboardStarting {
  /// Why a keyboard cannot be started.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  private let paths: HostPaths
  private let launcher: String
  private let profile: SandboxProfile
  private let hostEnvironment: [String: String]
  private let allowWeaker: Set<SandboxLayer>
  private let debugged: String?
  private var choices: UserChoices
  private var prepared: [SandboxGrants: PreparedPolicy] = [:]

  /// - Parameters:
  ///   - launcher: the path of `keyhost-launcher`.
  ///   - profile: the policy all keyboards are held to.
  ///   - hostEnvironment: the host's own variables, of which the profile passes some on.
  ///   - allowWeaker: layers every keyboard may do without, beside those of the settings.
  ///   - debugged: the keyboard that waits for a debugger when it starts.
  public init(
    paths: HostPaths, choices: UserChoices, launcher: String, profile: SandboxProfile,
    hostEnvironment: [String: String], allowWeaker: Set<SandboxLayer> = [],
    debugged: String? = nil
  ) {
    self.debugged = debugged
    self.allowWeaker = allowWeaker
    self.paths = paths
    self.choices = choices
    self.launcher = launcher
    self.profile = profile
    self.hostEnvironment = hostEnvironment
  }

  /// Takes over new settings; they hold from the next start on.
  public func adopt(_ new: UserChoices) { choices = new }

  public func start(_ keyboard: String, _ kind: InstanceKind) throws -> SandboxedChild {
    guard let launchable = choices.keyboard(keyboard) else {
      throw Failure(description: "the keyboard \"\(keyboard)\" is not installed and enabled")
    }
    let prepared = try prepare(Self.grants(of: launchable, kind))
    let installed = launchable.installed
    let identity = try AppRegistry(paths: paths).prepareContainers(
      for: installed, settings: choices.settings)
    var request = LaunchRequest(
      executable: installed.executablePath, interpreter: installed.interpreter,
      bundlePath: installed.bundlePath,
      containerPath: paths.privateContainer(installed.manifest.identifier),
      sharedContainerPath: paths.sharedContainer(installed.manifest.appIdentifier),
      profile: prepared.profile, program: prepared.program,
      environment: prepared.profile.environment.apply(to: hostEnvironment), identity: identity,
      allowWeaker: launchable.allowWeaker.union(allowWeaker))
    request.waitsForDebugger = keyboard == debugged
    if kind == .incognito { try Self.makeIncognito(&request) }
    return try SandboxedChild.spawn(request, launcher: launcher)
  }

  /// An incognito instance has what a keyboard has to which nothing was granted.
  private static func grants(
    of launchable: LaunchableKeyboard?, _ kind: InstanceKind
  ) -> SandboxGrants {
    kind == .incognito ? SandboxGrants() : launchable?.grants ?? SandboxGrants()
  }

  /// Takes away every place that others see: the private container is in memory, and the app's shared
  /// one is not there at all, not even to be read.
  private static func makeIncognito(_ request: inout LaunchRequest) throws {
    guard request.allowWeaker.isEmpty else {
      let names = request.allowWeaker.map(\.rawValue).sorted().joined(separator: ", ")
      throw Failure(
        description: "an incognito field is not served without every layer of the sandbox, and it "
          + "may do without \(names)")
    }
    guard !request.waitsForDebugger else {
      throw Failure(description: "an incognito field is not served for a debugger to look on")
    }
    request.containerPath = nil
    request.sharedContainerPath = nil
  }

  public func enter(
    _ keyboard: String, _ child: SandboxedChild, _ access: NetworkAccess?
  ) throws -> RunningKeyboardEntry {
    guard let process = RunningKeyboard.Process(number: child.processIdentifier) else {
      throw Failure(
        description: "/proc does not tell of process \(child.processIdentifier), so that its "
          + "rights could not be taken away")
    }
    let rights = RunningKeyboard.Rights(
      keyboard: keyboard, openAccess: access != nil,
      allowedHosts: Set(access?.exceptions.map(\.description) ?? []))
    return try RunningKeyboardEntry(
      RunningKeyboard(process: process, rights: rights), in: RunningKeyboards(paths: paths))
  }

  public func networkAccess(_ keyboard: String) -> NetworkAccess? {
    guard let launchable = choices.keyboard(keyboard), launchable.grants.openAccess else {
      return nil
    }
    return NetworkAccess(exceptions: launchable.allowedHosts)
  }

  /// Names the layer that a policy is for, when there is something wrong with it.
  static func making<Made>(_ body: () throws -> Made) throws -> Made {
    do { return try body() } catch {
      throw Failure(description: "the layer seccomp cannot be made from the policy: \(error)")
    }
  }

  /// Programs are compiled once for each state of the grants.
  private func prepare(_ grants: SandboxGrants) throws -> PreparedPolicy {
    if let known = prepared[grants] { return known }
    let made = try Self.making { try PreparedPolicy(profile, grants: grants) }
    prepared[grants] = made
    return made
  }

  public func launchEvent(
    _ keyboard: String, _ kind: InstanceKind, _ child: SandboxedChild,
    _ report: EnforcementReport
  ) -> AuditEvent {
    let launchable = choices.keyboard(keyboard)
    let grants = Self.grants(of: launchable, kind)
    var fields = [
      AuditField("policy", .foreign(prepared[grants]?.digest ?? "unknown")),
      AuditField("openAccess", .boolean(grants.openAccess)),
      AuditField("landlockABI", .integer(report.landlockABI)),
      AuditField(
        "layers",
        .object(
          report.layers.map { AuditField(named: $0.layer, .foreign($0.state.description)) })),
      AuditField("process", .integer(Int(child.processIdentifier))),
      // With the number, the time of its start names a process.
      AuditField("start", .integer(ProcessControl.startTime(of: child.processIdentifier) ?? 0)),
      AuditField("files", .list(child.fileRules(knownTo: report.landlockABI).map(Self.rule))),
    ]
    let weaker = allowWeaker.union(launchable?.allowWeaker ?? [])
    if !weaker.isEmpty {
      let names = weaker.map(\.rawValue).sorted()
      fields.append(AuditField("allowWeaker", .list(names.map { .foreign($0) })))
    }
    if child.waitsForDebugger { fields.append(AuditField("debugger", .boolean(true))) }
    if kind == .incognito { fields.append(.incognito) }
    return AuditEvent(
      .launch, keyboard: keyboard, app: launchable?.installed.manifest.appIdentifier, fields)
  }

  private static func rule(_ rule: LaunchedFileRule) -> AuditValue {
    .object([
      AuditField("path", .foreign(rule.path)),
      AuditField("rights", .list(rule.rights.map { .term($0) })),
    ])
  }
}
