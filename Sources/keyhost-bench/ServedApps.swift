import Glibc
import LinuxSystem

/// A `keyhost serve` under measurement, and connections of apps to it.
final class ServedApps {
  /// One app's connection: lines out, lines in.
  struct App: ~Copyable {
    private let socket: FileDescriptor
    private var lastRequest = 0

    fileprivate init(path: String) throws { socket = try Self.connect(path) }

    fileprivate mutating func introduce(_ name: String) throws {
      try call(
        "initialize",
        #""protocolVersions":[1],"appIdentifier":"\#(name)","#
          + #""implementsShouldAllowExtensionPoint":false,"#
          + #""screen":{"width":375,"height":667,"orientation":"portrait"}"#)
    }

    private static func connect(_ path: String) throws -> FileDescriptor {
      do { return try LocalSocket.connect(to: path) } catch {
        throw BenchError("\(path): \(error)")
      }
    }

    /// Sends a request and waits for its answer, with what comes before it.
    /// - Returns: the bytes that were sent, and how many came.
    @discardableResult
    mutating func call(
      _ method: String, _ params: String
    ) throws -> (sent: Int, received: Int, answer: [UInt8]) {
      lastRequest += 1
      let line = Array(
        #"{"jsonrpc":"2.0","id":\#(lastRequest),"method":"\#(method)","params":{\#(params)}}"#.utf8)
      let wanted = Array(#"{"jsonrpc":"2.0","id":\#(lastRequest),"#.utf8)
      var received: [UInt8] = []
      do {
        guard try socket.write(line[...] + [0x0A]) == line.count + 1 else {
          throw BenchError("the host takes no request")
        }
        while true {
          let bytes = try socket.read(upTo: 65_536)
          if bytes.isEmpty { throw BenchError("the host ended the connection") }
          received += bytes
          guard received.last == 0x0A else { continue }
          let start = received.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
          guard received[start...].starts(with: wanted) else { continue }
          return (line.count + 1, received.count, Array(received[start...]))
        }
      } catch let error as BenchError {
        throw error
      } catch {
        throw BenchError("\(error)")
      }
    }
  }

  let process: Int32
  private let path: String
  private var child: SpawnedServer

  /// - Parameter program: the `keyhost` to run, in the environment of the bench.
  init(_ program: String, folder: String) throws {
    path = "\(folder)/bench-\(getpid()).socket"
    child = try SpawnedServer(program, ["serve", "--socket", path])
    process = child.identifier
    guard try child.firstLine().hasPrefix("listening") else {
      throw BenchError("`keyhost serve` did not begin to listen")
    }
  }

  func connect(_ name: String) throws -> App {
    var app = try App(path: path)
    try app.introduce(name)
    return app
  }

  func end() { child.end() }
}

/// The process of the server: it has the bench's environment, and its output is read.
private struct SpawnedServer {
  let identifier: pid_t
  private let output: Int32

  init(_ program: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe Glibc.pipe($0.baseAddress!) }) == 0
    else { throw BenchError("pipe: \(Errno(rawValue: errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var argumentPointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for argument in [program] + arguments { unsafe argumentPointers.append(strdup(argument)) }
    unsafe argumentPointers.append(nil)
    var environmentPointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for (name, value) in ProcessControl.environment {
      unsafe environmentPointers.append(strdup("\(name)=\(value)"))
    }
    unsafe environmentPointers.append(nil)
    defer {
      let pointers = unsafe argumentPointers + environmentPointers
      let count = unsafe pointers.count
      for index in 0..<count { unsafe free(pointers[index]) }
    }
    var child: pid_t = 0
    let code = unsafe posix_spawn(
      &child, program, &actions, nil, argumentPointers, environmentPointers)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw BenchError("\(program): \(Errno(rawValue: code))")
    }
    identifier = child
    output = ends[0]
  }

  func firstLine() throws -> String {
    var bytes: [UInt8] = []
    while bytes.last != 0x0A {
      guard let part = try? FileDescriptor.read(from: output, upTo: 4096), !part.isEmpty else {
        throw BenchError("`keyhost serve` ended at once")
      }
      bytes += part
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func end() {
    kill(identifier, SIGTERM)
    var status: Int32 = 0
    unsafe waitpid(identifier, &status, 0)
    close(output)
  }
}
