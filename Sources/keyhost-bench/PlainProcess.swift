import Glibc
import LinuxSystem

/// A program started without any sandbox, that reads fd 0 and answers on fd 3: what the sandboxed
/// keyboard is compared with.
final class PlainProcess {
  let identifier: pid_t
  private let input: Int32
  private let output: Int32
  private var received: [UInt8] = []

  /// - Parameter overSocket: whether both directions are one local stream socket instead of pipes.
  init(_ path: String, _ arguments: [String], overSocket: Bool = false) throws {
    let toChild = try overSocket ? Self.socketPair() : Self.pipe()
    let fromChild = try overSocket ? (read: toChild.write, write: toChild.read) : Self.pipe()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toChild.read, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.write, 3)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    var argumentPointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for argument in [path] + arguments { unsafe argumentPointers.append(strdup(argument)) }
    unsafe argumentPointers.append(nil)
    var environmentPointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for variable in ["LANG=C.UTF-8", "PATH=/usr/bin:/bin"] {
      unsafe environmentPointers.append(strdup(variable))
    }
    unsafe environmentPointers.append(nil)
    defer {
      let pointers = unsafe argumentPointers + environmentPointers
      let count = unsafe pointers.count
      for index in 0..<count { unsafe free(pointers[index]) }
    }
    var child: pid_t = 0
    let code = unsafe posix_spawn(
      &child, path, &actions, nil, argumentPointers, environmentPointers)
    close(toChild.read)
    if !overSocket { close(fromChild.write) }
    guard code == 0 else {
      close(toChild.write)
      if !overSocket { close(fromChild.read) }
      throw BenchError("\(path): \(Errno(rawValue: code))")
    }
    identifier = child
    input = toChild.write
    output = fromChild.read
  }

  /// Writes a line, newline included, and waits for the line that answers it.
  func exchange(_ line: [UInt8]) throws -> Int {
    guard
      unsafe line.span.withUnsafeBytes({ unsafe write(input, $0.baseAddress, $0.count) })
        == line.count
    else { throw BenchError("the peer stopped reading") }
    received.removeAll(keepingCapacity: true)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while received.last != 0x0A {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(output, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw BenchError("the peer ended without an answer") }
      received.append(contentsOf: buffer[..<count])
    }
    return received.count
  }

  /// Ends it and waits until it is gone.
  func end() {
    close(input)
    if output != input { close(output) }
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(identifier, &status, 0)
  }

  /// `read` is the child's end, `write` this one's; each goes both ways.
  private static func socketPair() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw BenchError("socketpair: \(Errno(rawValue: errno))")
    }
    return (ends[0], ends[1])
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe Glibc.pipe($0.baseAddress!) }) == 0
    else {
      throw BenchError("pipe: \(Errno(rawValue: errno))")
    }
    // The child's own ends are put in place without this flag.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
