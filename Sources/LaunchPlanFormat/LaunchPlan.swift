/// Everything that the launcher applies to itself before it becomes the keyboard.
///
/// The host encodes it into sealed memory; see `encoded()` for the format. Paths are absolute, and
/// those of the program are as the program will see them.
public struct LaunchPlan: Sendable, Equatable {
  /// What may be done with a file, or beneath a folder.
  public struct PathRule: Sendable, Equatable {
    public var path: String
    /// LANDLOCK_ACCESS_FS_ bits; the launcher leaves out those that the kernel does not know.
    public var rights: UInt64
    /// Whether the launch fails when the path is not there.
    public var isRequired: Bool

    public init(path: String, rights: UInt64, isRequired: Bool) {
      self.path = path
      self.rights = rights
      self.isRequired = isRequired
    }
  }

  /// A file or directory of the host that the private root shows.
  public struct Bind: Sendable, Equatable {
    public var source: String
    /// Where, inside the private root.
    public var target: String
    public var isWritable: Bool
    /// Whether programs there can be run.
    public var isExecutable: Bool
    /// Whether the launch fails when the source is not there.
    public var isRequired: Bool

    public init(
      source: String, target: String, isWritable: Bool, isExecutable: Bool, isRequired: Bool
    ) {
      self.source = source
      self.target = target
      self.isWritable = isWritable
      self.isExecutable = isExecutable
      self.isRequired = isRequired
    }
  }

  /// A symbolic link in the private root, such as `/lib` to `usr/lib`.
  public struct Link: Sendable, Equatable {
    public var path: String
    public var destination: String

    public init(path: String, destination: String) {
      self.path = path
      self.destination = destination
    }
  }

  /// A small file that the launch itself writes into the private root, such as `/etc/hosts`.
  public struct File: Sendable, Equatable {
    public var path: String
    public var contents: String

    public init(path: String, contents: String) {
      self.path = path
      self.contents = contents
    }
  }

  /// A folder in memory that is the keyboard's own, empty at first and gone with it, such as `/tmp`.
  public struct MemoryFolder: Sendable, Equatable {
    public var path: String
    /// How much it holds, in bytes.
    public var size: UInt64
    /// The most files, folders and links in it.
    public var entries: UInt64

    public init(path: String, size: UInt64, entries: UInt64) {
      self.path = path
      self.size = size
      self.entries = entries
    }
  }

  public struct Limit: Sendable, Equatable {
    /// The number of the RLIMIT_ constant.
    public var resource: Int32
    public var value: UInt64

    public init(resource: Int32, value: UInt64) {
      self.resource = resource
      self.value = value
    }
  }

  /// The program, as `execve(2)` takes it.
  public var executable = ""
  public var arguments: [String] = []
  /// `NAME=value`.
  public var environment: [String] = []
  public var workingDirectory = "/"
  public var limits: [Limit] = []
  /// At most so many processes and threads, where the kernel counts them for this keyboard alone.
  public var processLimit: UInt64 = 0
  /// As root: the user and group id that the keyboard gets.
  public var identity: UInt32?
  /// The layers to apply; the others are reported as not requested.
  public var layers: Set<SandboxLayer> = []
  /// The requested layers whose failure does not stop the launch.
  public var allowWeaker: Set<SandboxLayer> = []
  public var binds: [Bind] = []
  public var links: [Link] = []
  public var files: [File] = []
  public var memoryFolders: [MemoryFolder] = []
  public var pathRules: [PathRule] = []
  /// In place of what the kernel says its Landlock ABI is: for tests of other kernels.
  public var emulatedLandlockABI: Int32?
  /// The classic BPF program, 8 bytes an instruction.
  public var filter: [UInt8] = []
  /// Whether the filter notifies, the exec first of all, so that the host must listen.
  public var notifies = false

  public init() {}
}
