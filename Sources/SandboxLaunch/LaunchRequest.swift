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
  /// The keyboard's private container: read and write.
  public var containerPath: String
  /// The containing app's shared container.
  public var sharedContainerPath: String?
  /// What may be done with which files: the profile's rules for this keyboard's grants.
  public var files: [FileRule]
  /// Variables by the names of `LaunchEnvironment`. HOME, TMPDIR, PATH and the `KEYHOST_` ones are
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
  /// In place of what the kernel says its Landlock ABI is, to see what another kernel would do.
  package var emulatedLandlockABI: Int?
  /// Layers that are not even tried, to see what the others stop alone: for tests and probes.
  package var omittedLayers: Set<SandboxLayer> = []
  /// Words after the program's own name: for probes. Keyboards get none.
  package var arguments: [String] = []

  public init(
    executable: String, interpreter: String? = nil, bundlePath: String, containerPath: String,
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
    executable: String, interpreter: String? = nil, bundlePath: String, containerPath: String,
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

/// What a keyboard may use up. Sizes are in bytes.
public struct ResourceLimits: Sendable, Equatable {
  /// RLIMIT_DATA: the heap and private memory.
  public var data: UInt64
  /// RLIMIT_AS: everything mapped. Nil leaves it open, as sanitizer builds need.
  public var addressSpace: UInt64?
  /// RLIMIT_FSIZE: the largest file.
  public var fileSize: UInt64
  /// RLIMIT_NOFILE.
  public var openFiles: UInt64
  /// RLIMIT_NPROC, threads counted: in force where the kernel counts for this keyboard alone.
  public var processes: UInt64
  /// The private `/tmp`.
  public var temporaryFiles: UInt64
  /// RLIMIT_CORE; 1 is no dump, not to a pipe either.
  public var coreSize: UInt64
  /// Resident memory, above which the host ends the keyboard.
  public var residentMemory: UInt64
  /// All files of the private container together, above which the host ends the keyboard.
  public var containerQuota: UInt64

  public init(
    data: UInt64, addressSpace: UInt64?, fileSize: UInt64, openFiles: UInt64, processes: UInt64,
    temporaryFiles: UInt64, coreSize: UInt64, residentMemory: UInt64, containerQuota: UInt64
  ) {
    self.data = data
    self.addressSpace = addressSpace
    self.fileSize = fileSize
    self.openFiles = openFiles
    self.processes = processes
    self.temporaryFiles = temporaryFiles
    self.coreSize = coreSize
    self.residentMemory = residentMemory
    self.containerQuota = containerQuota
  }

  /// A profile's limits, with the standard private `/tmp`.
  public init(_ limits: SandboxLimits) {
    self.init(
      data: limits.dataSegment, addressSpace: limits.addressSpace, fileSize: limits.fileSize,
      openFiles: limits.openFiles, processes: limits.processes,
      temporaryFiles: Self.temporaryFiles, coreSize: limits.coreSize,
      residentMemory: limits.residentMemory, containerQuota: limits.containerQuota)
  }

  /// Of the private `/tmp`, in bytes: it is memory, and counts towards no other limit.
  private static let temporaryFiles: UInt64 = 4 << 20
}
