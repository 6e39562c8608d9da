import ClassicBPF
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import Seccomp

/// Where the attacks are played: one bundle with the attacker in it, and the sandbox it is put in.
public final class Stage {
  let home: StageFolder
  var folder: String { home.path }
  /// The attacker's program, in its bundle.
  let probe: String
  let bundle: String
  let launcher: String
  /// As root: the user id that the attacker gets.
  let identity: UInt32?
  private let profile: SandboxProfile
  private let environment: [String: String]
  private var prepared: [SandboxGrants: (ResolvedProfile, BPFProgram)] = [:]
  private var sound: Result<Microphone, SelftestError>?

  /// Of a range that no system hands out, and no keyboard gets. Each stage has one of its own: the
  /// kernel counts processes by user.
  static let identities: Range<UInt32> = 2_147_000_000..<2_147_400_000

  /// - Parameters:
  ///   - launcher: the absolute path of `keyhost-launcher`.
  ///   - probe: the absolute path of `sandbox-probe`.
  ///   - profile: what keyboards are held to.
  public init(
    launcher: String, probe: String, profile: SandboxProfile, environment: [String: String] = [:]
  ) throws(SelftestError) {
    guard let program = Machine.contents(probe, limit: 64 << 20) else {
      throw SelftestError("the attacker \(probe) is not there: install Keyhost again")
    }
    Signals.ignorePipe()
    home = try StageFolder()
    bundle = "\(home.path)/Probe.appex"
    self.probe = "\(bundle)/probe"
    self.launcher = launcher
    self.profile = profile
    self.environment = environment
    identity = Machine.isRoot ? UInt32.random(in: Self.identities) : nil
    try Machine.makeFolder(bundle, mode: 0o755)
    try Machine.write(program, to: self.probe, mode: 0o755)
  }

  deinit {
    // It lies in the folder.
    sound = nil
  }

  /// The profile and its program for a state of the grants.
  public func prepare(
    _ grants: SandboxGrants
  ) throws(SelftestError) -> (profile: ResolvedProfile, program: BPFProgram) {
    if let known = prepared[grants] { return known }
    do {
      let resolved = try profile.resolve(grants: grants, table: LibseccompTable())
      let made = (resolved, try SeccompCompiler().compile(resolved.systemCalls))
      prepared[grants] = made
      return made
    } catch {
      throw SelftestError("the policy cannot be compiled: \(error)")
    }
  }

  func request(
    _ decoys: Decoys, arguments: [String], grants: SandboxGrants, without: Set<SandboxLayer>
  ) throws(SelftestError) -> LaunchRequest {
    let (profile, program) = try prepare(grants)
    var request = LaunchRequest(
      executable: probe, bundlePath: bundle, containerPath: "\(decoys.folder)/container",
      sharedContainerPath: "\(decoys.folder)/shared", profile: profile, program: program,
      environment: profile.environment.apply(to: environment), identity: identity)
    request.arguments = arguments
    request.omittedLayers = without
    return request
  }

  /// One sound server serves all runs.
  func microphone() throws(SelftestError) -> Microphone {
    let result: Result<Microphone, SelftestError>
    if let sound {
      result = sound
    } else {
      do throws(SelftestError) {
        result = .success(try Microphone(folder: folder))
      } catch {
        result = .failure(error)
      }
      sound = result
    }
    return try result.get()
  }
}
