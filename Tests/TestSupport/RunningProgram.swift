import Glibc

/// A program in a conversation with a test. Used by one task at a time.
public final class RunningProgram {
  public let identifier: pid_t
  private var input: Int32
  private let output: Int32
  private let errors: Int32
  private let deadline: Double
  private let started = RunningProgram.now()
  private var outputBytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var consumed = 0
  private var outputEnded = false
  private var errorsEnded = false
  private var end: ProgramResult.End?

  init(identifier: pid_t, input: Int32, output: Int32, errors: Int32, deadline: Double) {
    self.identifier = identifier
    self.input = input
    self.output = output
    self.errors = errors
    self.deadline = deadline
    // Writing to a program that has gone is an outcome to look at, not the end of the test run.
    Glibc.signal(SIGPIPE, SIG_IGN)
    for descriptor in [input, output, errors] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    if end == nil {
      kill(-identifier, SIGKILL)
      var status: Int32 = 0
      waitpid(identifier, &status, 0)
    }
    closeInput()
    close(output)
    close(errors)
  }

  /// Monotonic seconds.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Writes all of it, collecting output meanwhile. Stops early if the program stopped reading.
  public func send(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count, input >= 0, !isPastDeadline {
      let written = bytes[offset...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if written > 0 {
        offset += written
      } else if errno == EAGAIN {
        collect(waiting: 0.05, forInput: true)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Writes a line.
  public func send(line: String) {
    send(Array(line.utf8) + [0x0A])
  }

  /// Ends standard input.
  public func closeInput() {
    if input >= 0 {
      close(input)
      input = -1
    }
  }

  /// The next line of standard output without its newline, or nil when there is none within
  /// `seconds` or the output has ended.
  public func readLine(within seconds: Double = 30) -> String? {
    let limit = Self.now() + seconds
    while true {
      if let newline = outputBytes[consumed...].firstIndex(of: 0x0A) {
        defer { consumed = newline + 1 }
        return String(decoding: outputBytes[consumed..<newline], as: UTF8.self)
      }
      if outputEnded || Self.now() > limit { return nil }
      collect(waiting: 0.05)
    }
  }

  /// Sends a signal to the program alone.
  public func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool {
    checkForEnd()
    return end == nil
  }

  /// Collects everything and waits for the end.
  public func finish() -> ProgramResult {
    while end == nil {
      collect(waiting: 0.02)
      checkForEnd()
      if end == nil, isPastDeadline {
        kill(-identifier, SIGKILL)
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        end = .timedOut
      }
    }
    // What was written before the end is in the pipes; a straggler that holds them is not waited
    // for.
    let limit = Self.now() + 1
    while !(outputEnded && errorsEnded), Self.now() < limit, collect(waiting: 0.02) {}
    return ProgramResult(
      end: end ?? .timedOut, standardOutputBytes: outputBytes, standardErrorBytes: errorBytes,
      duration: Self.now() - started)
  }

  private var isPastDeadline: Bool { Self.now() - started > deadline }

  private func checkForEnd() {
    guard end == nil else { return }
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else { return }
    let signalNumber = status & 0x7F
    end = signalNumber == 0 ? .exited((status >> 8) & 0xFF) : .signaled(signalNumber)
  }

  /// Whether anything came.
  @discardableResult
  private func collect(waiting seconds: Double, forInput: Bool = false) -> Bool {
    var polled = [
      pollfd(fd: outputEnded ? -1 : output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorsEnded ? -1 : errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forInput ? input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    guard poll(&polled, 3, Int32(seconds * 1000)) > 0 else { return false }
    if polled[0].revents != 0 { outputEnded = Self.drain(output, into: &outputBytes) }
    if polled[1].revents != 0 { errorsEnded = Self.drain(errors, into: &errorBytes) }
    return true
  }

  /// Reads what is there; true at the end of the stream.
  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return true
      } else if errno != EINTR {
        return errno != EAGAIN
      }
    }
  }
}
