import Glibc

/// Glibc's module hides the GNU calls. The C convention for two integers and an address is Swift's.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
@_silgen_name("posix_spawn_file_actions_addchdir_np")
private func addChangeDirectory(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
) -> Int32

/// Runs programs as a user would: arguments, environment, standard input; output and exit code.
public struct Program: Sendable {
  /// A program that could not be started.
  public struct StartError: Error, CustomStringConvertible {
    public var description: String
  }

  public var path: String
  /// The whole environment; nothing is inherited.
  public var environment: [String: String]
  public var workingDirectory: String?
  /// Seconds after which the program and its process group are killed. Generous: two cores may be
  /// shared by a build.
  public var deadline: Double

  public init(
    _ path: String, environment: [String: String] = Program.plainEnvironment,
    workingDirectory: String? = nil, deadline: Double = 120
  ) {
    self.path = path
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.deadline = deadline
  }

  /// A search path, and a locale that is the same everywhere.
  public static let plainEnvironment: [String: String] = [
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
  ]

  /// Runs to the end. Standard input is `input`, then closed.
  public func run(_ arguments: String..., input: String = "") throws -> ProgramResult {
    try run(arguments, input: Array(input.utf8))
  }

  /// Runs to the end. Standard input is `input`, then closed.
  public func run(_ arguments: [String], input: [UInt8] = []) throws -> ProgramResult {
    let running = try start(arguments)
    running.send(input)
    running.closeInput()
    return running.finish()
  }

  /// Starts the program and leaves the conversation to the caller.
  public func start(_ arguments: [String]) throws -> RunningProgram {
    let input = try Self.pipe()
    let output = try Self.pipe()
    let errors = try Self.pipe()

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    if let workingDirectory {
      _ = addChangeDirectory(&actions, workingDirectory)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that whatever it leaves behind can be killed with it.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    let argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
    let environmentPointers =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }

    var identifier: pid_t = 0
    let code = posix_spawn(
      &identifier, path, &actions, &attributes, argumentPointers, environmentPointers)
    for descriptor in [input.read, output.write, errors.write] { close(descriptor) }
    guard code == 0 else {
      for descriptor in [input.write, output.read, errors.read] { close(descriptor) }
      throw StartError(description: "\(path): \(String(cString: strerror(code)))")
    }
    return RunningProgram(
      identifier: identifier, input: input.write, output: output.read, errors: errors.read,
      deadline: deadline)
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw StartError(description: "pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }
}
