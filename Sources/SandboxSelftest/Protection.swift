import SandboxLaunch

/// Which layers stop an attack, as the promise table says: each group of layers on its own.
public struct Protection: Sendable, Equatable {
  /// The name of a `SandboxPromise`, or of what the table has no line for.
  public var promise: String
  /// Each group holds when the others are not there. One group only: there is no second layer.
  public var layers: [Set<SandboxLayer>]
  /// Layers that stop it as well, by the way: left out to see what the listed ones do alone.
  public var incidental: Set<SandboxLayer>

  public init(
    _ promise: String, _ layers: [Set<SandboxLayer>], incidental: Set<SandboxLayer> = []
  ) {
    self.promise = promise
    self.layers = layers
    self.incidental = incidental
  }
}

extension Protection {
  static let namespaces: Set<SandboxLayer> = [
    .privateRoot, .networkNamespace, .processNamespace, .userNamespace,
  ]

  public static let files = Protection("foreign-files", [[.landlock], [.privateRoot]])
  public static let soundDevices = Protection("microphone", [[.privateRoot], [.landlock]])
  /// A set-user-id program is also a file that is not the attacker's.
  public static let foreignPrograms = Protection(
    "new-processes", [[.seccomp]], incidental: namespaces.union([.limits, .landlock]))
  /// With open access: the broker, which the filter brings every connect to, or no network at all.
  public static let localServicesWithConsent = Protection(
    "local-services", [[.seccomp], [.networkNamespace]], incidental: [.landlock])
  /// System V's and POSIX's objects that are no files.
  public static let sharedObjects = Protection(
    "other-processes", [[.seccomp], [.processNamespace]],
    incidental: [.landlock, .userNamespace, .privateRoot, .networkNamespace])
  /// Files by calls that the filter refuses too.
  public static let filesByRareCalls = Protection(
    "foreign-files", [[.landlock], [.privateRoot]], incidental: [.seccomp])
  public static let metadata = Protection("file-metadata", [[.privateRoot]])
  public static let filteredMetadata = Protection(
    "file-metadata", [[.seccomp], [.privateRoot]], incidental: [.landlock])
  public static let network = Protection(
    "network", [[.seccomp], [.networkNamespace]], incidental: [.landlock])
  public static let localPaths = Protection(
    "local-services", [[.seccomp], [.privateRoot]], incidental: [.landlock])
  public static let localNames = Protection(
    "local-services", [[.seccomp], [.networkNamespace]], incidental: [.landlock])
  public static let otherProcesses = Protection(
    "other-processes", [[.seccomp], [.processNamespace]],
    incidental: [.landlock, .userNamespace, .privateRoot, .networkNamespace])
  /// By /proc, which is files.
  public static let processFiles = Protection(
    "other-processes", [[.landlock], [.privateRoot]],
    incidental: [.processNamespace, .userNamespace, .networkNamespace, .seccomp])
  public static let newProcesses = Protection(
    "new-processes", [[.seccomp]], incidental: namespaces.union([.limits]))
  public static let processCount = Protection(
    "new-processes", [[.seccomp], [.limits]])
  public static let terminal = Protection(
    "terminal", [[.seccomp], [.session, .privateRoot]], incidental: [.landlock])
  public static let terminalFile = Protection(
    "terminal", [[.landlock], [.privateRoot]])
  public static let kernelSurface = Protection(
    "kernel-surface", [[.seccomp]],
    incidental: namespaces.union([
      .landlock, .capabilities, .noNewPrivileges, .identity, .limits,
    ]))
  /// By io_uring, which the limit on locked memory is in the way of.
  public static let filesByRing = Protection(
    "foreign-files", [[.landlock], [.privateRoot]], incidental: [.seccomp, .limits])
  public static let ring = Protection("kernel-surface", [[.seccomp]], incidental: [.limits])
  public static let networkByRing = Protection(
    "network", [[.seccomp], [.networkNamespace]], incidental: [.landlock, .limits])
  public static let localPathsByRing = Protection(
    "local-services", [[.seccomp], [.privateRoot]], incidental: [.landlock, .limits])
  /// Calls of other tables that read a file.
  public static let foreignCalls = Protection(
    "kernel-surface", [[.seccomp]], incidental: [.landlock, .privateRoot])
  public static let limits = Protection("resources", [[.limits]])
  public static let flood = Protection("resources", [[.seccomp]])
  /// What the kernel's limits do not hold for.
  public static let filteredLimits = Protection("resources", [[.seccomp]])
  /// Files that many programs see carry more than what is written in them.
  public static let sharedFiles = Protection("other-processes", [[.seccomp]])
  public static let descriptors = Protection("descriptors", [[.descriptors]])
}
