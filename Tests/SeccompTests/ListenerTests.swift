import CSandboxTesting
import Glibc
import SandboxPolicy
import Seccomp
import Testing

/// The supervisor's end, with real callers.
@Suite struct ListenerTests {
  /// A child that runs a Python script under a filter that notifies `connect` and allows the rest.
  final class Child {
    let process: pid_t
    let listener: SeccompListener
    let output: Int32

    init(_ script: String) throws {
      let policy = ResolvedSeccompPolicy(
        defaultAction: .allow, architectures: [.x8664], foreignArchitectureAction: .killProcess,
        // The start of the program waits, so that the listener is taken over before it.
        rules: ["connect", "execve"].map {
          .init(
            systemCall: $0, action: .notify,
            source: PolicyLocation(file: "test", line: 1, column: 1))
        })
      let program = try SeccompCompiler().compile(policy)
      var ends: [Int32] = [0, 0]
      try #require(sandbox_testing_pipe(&ends) == 0)
      var child = sandbox_testing_child()
      let words = ["/usr/bin/python3", "-I", "-u", "-c", script]
      let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      let environment: [UnsafeMutablePointer<CChar>?] = [strdup("HOME=/tmp"), nil]
      let error = sandbox_testing_start(
        program.bytes, UInt32(program.instructions.count), arguments[0], arguments, environment,
        ends[1], &child)
      for text in arguments + environment { free(text) }
      close(ends[1])
      try #require(error == 0)
      process = child.process
      output = ends[0]
      listener = try SeccompListener(descriptor: child.listener)
      try listener.respond(to: try next().id, .continue)
    }

    deinit {
      close(output)
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    /// The next notification, waited for as the host's loop does: by polling.
    func next() throws -> SeccompNotification {
      for _ in 0..<200 {
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 100)
        if let notification = try listener.receive() { return notification }
      }
      throw FilteredProgram.Failure(message: "no notification within 20 seconds")
    }

    /// All that the child still prints.
    func text() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(output, &buffer, buffer.count)
        if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }
  }

  static let connect = """
    import ctypes, os
    libc = ctypes.CDLL(None, use_errno=True)
    def connect(fd):
      result = libc.connect(fd, None, 0)
      return result if result >= 0 else -ctypes.get_errno()

    """

  @Test("each answer reaches the caller, and an error of 0 never reports success")
  func answers() throws {
    let child = try Child(Self.connect + "print(connect(7), connect(8), connect(9), connect(-1))")
    let responses: [SeccompListener.Response] = [
      .error(EACCES), .success(5), .error(0), .continue,
    ]
    for (response, descriptor) in zip(responses, [7, 8, 9, -1] as [Int32]) {
      let notification = try child.next()
      #expect(notification.systemCall == "connect")
      #expect(notification.pid == child.process)
      #expect(notification.architecture == SeccompArchitecture.x8664.auditValue)
      #expect(Int32(truncatingIfNeeded: notification.arguments[0]) == descriptor)
      let isValid = child.listener.isValid(notification.id)
      let isAnswered = try child.listener.respond(to: notification.id, response)
      let isAnsweredAgain = try child.listener.respond(to: notification.id, response)
      #expect(isValid && isAnswered && !isAnsweredAgain)
    }
    let text = child.text()
    #expect(text == "\(-EACCES) 5 \(-EPERM) \(-EBADF)\n")
  }

  @Test("a descriptor of the supervisor takes the place of the caller's")
  func descriptors() throws {
    let child = try Child(
      Self.connect + """
        fd = os.open("/dev/null", os.O_WRONLY)
        print(connect(fd)); os.write(fd, b"through"); print(connect(fd))
        """)
    var ends: [Int32] = [0, 0]
    try #require(sandbox_testing_pipe(&ends) == 0)
    defer { close(ends[0]) }
    let first = try child.next()
    let target = Int32(truncatingIfNeeded: first.arguments[0])
    let replaced = try child.listener.addDescriptor(
      to: first.id, source: ends[1], replacing: target)
    #expect(replaced == target)
    close(ends[1])
    try child.listener.respond(to: first.id, .success(0))
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &buffer, buffer.count)
    #expect(String(decoding: buffer[..<max(count, 0)], as: UTF8.self) == "through")
    let second = try child.next()
    let added = try child.listener.addDescriptor(to: second.id, source: ends[0])
    #expect(added.map { $0 > 2 && $0 != target } == true)
    try child.listener.respond(to: second.id, .error(EPERM))
    let text = child.text()
    #expect(text == "0\n\(-EPERM)\n")
  }

  @Test("nothing waits, and a caller that is gone is no error")
  func goneCallers() throws {
    let child = try Child(Self.connect + "connect(7)")
    let notification = try child.next()
    let clock = ContinuousClock()
    let start = clock.now
    let none = try child.listener.receive()
    #expect(none == nil)
    #expect(clock.now - start < .seconds(1))
    kill(child.process, SIGKILL)
    let text = child.text()
    let isValid = child.listener.isValid(notification.id)
    let isAnswered = try child.listener.respond(to: notification.id, .error(EPERM))
    let added = try child.listener.addDescriptor(to: notification.id, source: 2)
    let nothing = try child.listener.receive()
    #expect(text == "" && !isValid && !isAnswered && added == nil && nothing == nil)
  }

  @Test("a descriptor that is no listener is an error with its reason")
  func wrongDescriptor() throws {
    // /dev/null is always readable, and knows no notifications.
    #expect(throws: SeccompError.self) {
      let listener = try SeccompListener(descriptor: open("/dev/null", O_RDONLY))
      _ = try listener.receive()
    }
    #expect(throws: SeccompError.self) {
      let listener = try SeccompListener(descriptor: open("/dev/null", O_RDONLY))
      try listener.respond(to: 1, .error(EPERM))
    }
  }
}
