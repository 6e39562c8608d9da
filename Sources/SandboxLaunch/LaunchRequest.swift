import ClassicBPF
@_exported import LaunchPlanFormat
import SandboxPolicy

/// One keyboard to start, as the host knows it: paths of the host, and what it may have.
public struct LaunchRequest: Sendable {
  /// The executable's absolute path, inside `bundlePath`.
  public var executable: String
  /// The absolute path of its `#!` interpreter, if it is a script.
  public var interpreter: String?
  /// The keyboard's `.appex` folder: read and execute.
  public var bundlePath: String
  /// The keyboard's private container: read and write. Nil for one in memory, which is empty at
  /// first and gone with the keyboard; then it has no folder that outlives it, and needs its private
  /// root.
  public var containerPath: String?
  /// The containing app's shared container; nil where the keyboard does not see it.
  public var sharedContainerPath: String?
  /// What may be done with which files: the profile's rules for this keyboard's grants.
  public var files: [FileRule]
  /// Variables by the names of `LaunchEnvironment`. HOME, TMPDIR and the `KEYHOST_` ones are
  /// set by the launch itself.
  public var environment: [(String, String)]
  /// The compiled system-call filter.
  public var program: BPFProgram
  /// As root: the user and group id that belongs to this keyboard alone.
  public var identity: UInt32?
  /// Layers whose failure the user has allowed for this keyboard. They are still tried, and what
  /// holds, holds; but the private root and the filter, which are all or nothing, are left out.
  public var allowWeaker: Set<SandboxLayer>
  public var limits: ResourceLimits
  /// Whether it is stopped before its first instruction, until a debugger lets it go on. Nothing of
  /// the sandbox is left out for that: who may trace a process from outside is the kernel's matter.
  public var waitsForDebugger = false
  /// In place of what the kernel says its Landlock ABI is, to see what another kernel would do.
  package var emulatedLandlockABI: Int?
  /// Layers that are not even tried, to see what the others stop alone: for tests and probes.
  package var omittedLayers: Set<SandboxLayer> = []
  /// Words after the program's own name: for probes. Keyboards get none.
  package var arguments: [String] = []

  public init(
    executable: String, interpreter: String? = nil, bundlePath: String, containerPath: String?,
    sharedContainerPath: String? = nil, files: [FileRule],
    environment: [(String, String)] = [], program: BPFProgram, identity: UInt32? = nil,
    allowWeaker: Set<SandboxLayer> = [], limits: ResourceLimits
  ) {
    self.executable = executable
    self.interpreter = interpreter
    self.bundlePath = bundlePath
    self.containerPath = containerPath
    self.sharedContainerPath = sharedContainerPath
    self.files = files
    self.environment = environment
    self.program = program
    self.identity = identity
    self.allowWeaker = allowWeaker
    self.limits = limits
  }
}

extension LaunchRequest {
  /// A keyboard under a resolved profile, whose file rules and limits it takes; `program` is what
  /// the profile's system calls compile to, and `environment` what its rule makes of the host's.
  public init(
    executable: String, interpreter: String? = nil, bundlePath: String, containerPath: String?,
    sharedContainerPath: String? = nil, profile: ResolvedProfile, program: BPFProgram,
    environment: [(String, String)] = [], identity: UInt32? = nil,
    allowWeaker: Set<SandboxLayer> = []
  ) {
    self.init(
      executable: executable, interpreter: interpreter, bundlePath: bundlePath,
      containerPath: containerPath, sharedContainerPath: sharedContainerPath,
      files: profile.files, environment: environment, program: program, identity: identity,
      allowWeaker: allowWeaker, limits: ResourceLimits(profile.limits))
  }
}
