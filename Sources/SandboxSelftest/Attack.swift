import SandboxLaunch

/// One way of getting what no keyboard may have, as data: what the attacker is told to do, what it
/// does it to, and what would show from outside that it worked.
public struct Attack: Sendable {
  /// Unique, `class/mechanism`.
  public var name: String
  public var attackClass: AttackClass
  /// For the table.
  public var summary: String
  /// `sandbox-probe`'s arguments. Words in braces stand for what the decoy is called: `{file}`,
  /// `{address}`, `{pid}` and so on.
  public var arguments: [String]
  public var decoy: DecoyKind
  /// What an observer sees when it works.
  public var evidence: Evidence
  /// What stops it.
  public var protection: Protection
  /// Who can do it outside at all: some things take root's rights.
  public var needsRoot: Bool
  /// Some things are no attack any more with open access.
  public var isAllowedWithOpenAccess = false

  public init(
    _ attackClass: AttackClass, _ mechanism: String, _ summary: String, _ arguments: [String],
    on decoy: DecoyKind, seenBy evidence: Evidence, stoppedBy protection: Protection,
    needsRoot: Bool = false
  ) {
    name = "\(attackClass.rawValue)/\(mechanism)"
    self.attackClass = attackClass
    self.summary = summary
    self.arguments = arguments
    self.decoy = decoy
    self.evidence = evidence
    self.protection = protection
    self.needsRoot = needsRoot
  }
}

/// A kind of attack; its raw value is the name on the command line.
public enum AttackClass: String, CaseIterable, Sendable {
  case architecture, widths, siblings, terminal, processes, namespaces, others, kernel, files
  case descriptors, microphone, network, consent, resources

  /// For people.
  public var title: String {
    switch self {
    case .architecture: "wrong architecture"
    case .widths: "width and masks"
    case .siblings: "sibling calls"
    case .terminal: "terminal"
    case .processes: "new-processes"
    case .namespaces: "namespaces"
    case .others: "other-processes"
    case .kernel: "kernel-surface"
    case .files: "files"
    case .descriptors: "descriptors"
    case .microphone: "microphone"
    case .network: "network and local services"
    case .consent: "what consent does not cover"
    case .resources: "resources"
    }
  }
}

/// What a decoy is made of. All lie in a folder of the run's own.
public enum DecoyKind: Sendable, Equatable {
  case none
  /// A file that holds the secret: `{file}`.
  case secretFile
  /// A file that anybody may write to: `{file}`.
  case targetFile
  /// A file that is not there, in a folder that anybody may write to: `{file}`.
  case missingFile
  /// A terminal: `{terminal}`; what it shows, and what was typed into it, can be seen.
  case terminal
  /// A terminal into which somebody has typed the secret.
  case typedTerminal
  /// A device node in the run's folder, for the null device: `{file}`. Root makes it.
  case device
  /// A listener on a Unix socket, at a path or with an abstract name: `{address}`.
  case unixListener, unixDatagram, abstractListener
  /// A listener on 127.0.0.1, on ::1, or on another address of the machine: `{address}`.
  case tcpListener, tcp6Listener, ownAddressListener, udpListener
  /// Another process of the same user, with the secret in its memory, at `{place}`, and in a file
  /// only it has open, as `{descriptor}`: `{pid}`.
  case victim
  /// A sound server whose microphone plays a tone: `{address}`.
  case microphone(MicrophoneRoute)
  /// An open file with the secret in it, and its folder, that the starter forgot to close; or one
  /// without it.
  case inherited, inheritedTarget
}

/// How a sound server is reached.
public enum MicrophoneRoute: String, Sendable, CaseIterable {
  case unixSocket, loopback, ownAddress
}

/// What an observer outside sees when an attack works.
public enum Evidence: Sendable, Equatable {
  /// The attacker got the secret, which it was not told.
  case secretTaken
  /// The secret, which the attacker was told, arrived at the decoy.
  case secretArrived
  /// The attacker has a descriptor of this kind open, as /proc/PID/fd names it.
  case descriptor(String)
  /// There is a second process.
  case process
  /// So many at least.
  case processes(Int)
  /// Another program runs in its place.
  case program
  /// It is in other namespaces than it was given.
  case namespace
  /// The decoy file's kind, mode, size, times or name are not what they were.
  case changed
  /// The attacker learned the decoy's size.
  case sizeTaken
  /// The victim has ended, or stopped, or runs otherwise than it did.
  case victimChanged
  /// A file of /proc/PID of the attacker's own holds this line, its spaces taken as one.
  case state(file: String, line: String)
  /// It uses so many bytes of memory at least.
  case memory(Int)
  /// It has so many descriptors at least.
  case descriptors(Int)
  /// A file in its container or temporary folder has so many bytes at least, by its own /proc.
  case fileSize(Int)
  /// It still runs, after all that.
  case survival
  /// It recorded the tone.
  case tone
  /// Somebody traces it.
  case traced
  /// Others can connect to it.
  case listening
}

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
  /// Files by calls that the filter refuses too.
  public static let filesByRareCalls = Protection(
    "foreign-files", [[.landlock], [.privateRoot]], incidental: [.seccomp])
  public static let filteredFiles = Protection(
    "foreign-files", [[.seccomp], [.privateRoot]], incidental: [.landlock])
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
  public static let descriptors = Protection("descriptors", [[.descriptors]])
}
