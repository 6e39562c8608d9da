import CSandboxTesting
import ClassicBPF
import Glibc
import Seccomp

/// A program run under a filter, with its notifications answered as the host answers them: the
/// first `execve` goes on, everything else is refused.
struct FilteredProgram {
  var status: Int32
  var output: String
  /// The notified calls after the first `execve`.
  var refused: [SeccompNotification]

  /// The exit status, or nil when a signal ended it.
  var exitStatus: Int32? { status & 0x7f == 0 ? status >> 8 & 0xff : nil }
  var signal: Int32 { status & 0x7f }

  struct Failure: Error { var message: String }

  init(
    _ arguments: [String], program: BPFProgram, refusal: Int32 = EPERM, killsHopeless: Bool = false,
    environment: [String] = ["PATH=/usr/bin", "LANG=C.UTF-8", "HOME=/tmp"],
    deadline seconds: Int = 20
  ) throws {
    var ends: [Int32] = [0, 0]
    guard sandbox_testing_pipe(&ends) == 0 else { throw Failure(message: "pipe") }
    var child = sandbox_testing_child()
    let error = Self.withStrings(arguments) { arguments in
      Self.withStrings(environment) { environment in
        sandbox_testing_start(
          program.bytes, UInt32(program.instructions.count), arguments[0]!, arguments, environment,
          ends[1], &child)
      }
    }
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw Failure(message: "cannot start: \(String(cString: strerror(error)))")
    }
    let listener = try SeccompListener(descriptor: child.listener)
    var bytes: [UInt8] = []
    var isFirst = true
    refused = []
    let end = time(nil) + seconds
    while true {
      var entries = [
        pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      poll(&entries, 2, 1000)
      while let notification = try listener.receive() {
        if isFirst, notification.systemCall == "execve" {
          isFirst = false
          try listener.respond(to: notification.id, .continue)
        } else if ["open", "openat"].contains(notification.systemCall) {
          // Opens for writing are observed, and left to the file layers.
          try listener.respond(to: notification.id, .continue)
        } else {
          refused.append(notification)
          let isHopeless = !["socket", "connect", "execve"].contains(notification.systemCall)
          if killsHopeless, isHopeless { kill(child.process, SIGKILL) }
          try listener.respond(to: notification.id, .error(refusal))
        }
      }
      if entries[0].revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(ends[0], &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer[..<count]
      }
      if time(nil) > end {
        kill(child.process, SIGKILL)
        break
      }
    }
    close(ends[0])
    status = 0
    waitpid(child.process, &status, 0)
    output = String(decoding: bytes, as: UTF8.self)
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
