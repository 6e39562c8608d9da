import KeyboardHost
import LinuxSystem
import SandboxLaunch

/// What an observer saw of one attacker.
public struct Observation: Sendable {
  /// Whether the attack's evidence was there.
  public var succeeded: Bool
  /// How the attacker ended, when it ended by itself or was killed for what it did.
  public var end: ProcessStatus?
  /// The calls the host was told of.
  public var violations: [Violation]
  /// What the attacker said, for people: it is believed in nothing.
  public var words: [String]

  /// In a few words: what happened to it.
  public var remark: String {
    if let violation = violations.last { return "the host refused \(violation.detail)" }
    if let end { return "it \(end)" }
    return words.last { $0.hasPrefix("result ") }.map { String($0.dropFirst(7)) } ?? "nothing"
  }
}

/// One attacker, outside or inside, and the loop that looks after it.
final class Attacker {
  enum Body {
    case outside(Outside)
    case inside(SandboxedChild)
  }

  /// A plain child, started as any program is.
  final class Outside {
    let process: Int32
    let handle: ProcessHandle
    let input: FileDescriptor
    let output: FileDescriptor
    let error: FileDescriptor
    private(set) var status: ProcessStatus?

    init(
      _ path: String, arguments: [String], environment: [String]
    ) throws(Errno) {
      let lowest: Int32 = 60
      let input = try Pipe(minimum: lowest)
      let output = try Pipe(minimum: lowest)
      let error = try Pipe(minimum: lowest)
      try output.readEnd.setNonBlocking()
      try error.readEnd.setNonBlocking()
      process = try ProcessControl.spawn(
        path, arguments: [path] + arguments, environment: environment,
        descriptors: [
          (input.readEnd.rawValue, 0), (error.writeEnd.rawValue, 1), (error.writeEnd.rawValue, 2),
          (output.writeEnd.rawValue, 3),
        ], beginsSession: true)
      handle = try ProcessHandle(process)
      self.input = input.closeReadEnd()
      self.output = output.closeWriteEnd()
      self.error = error.closeWriteEnd()
    }

    func reap() -> ProcessStatus? {
      if status == nil { status = (try? handle.status(.exited)) ?? nil }
      return status
    }

    deinit {
      try? handle.send(Signals.kill)
      var entries = [PollEntry(handle.rawValue, .input)]
      _ = try? poll(&entries, milliseconds: 500)
      if reap() == nil { handle.reapInBackground() }
      // Some attacks make children of this process.
      ProcessControl.reapGroup(process)
    }
  }

  let body: Body
  /// Connects in its place, when it has open access.
  private let broker: LoneBroker?
  private(set) var output: [UInt8] = []
  private(set) var violations: [Violation] = []
  private(set) var report: EnforcementReport?
  private var captured = 0

  init(_ body: Body, hasOpenAccess: Bool = false) {
    self.body = body
    switch body {
    case .inside(let child) where hasOpenAccess:
      broker = LoneBroker(child, keyboard: "org.keyhost.selftest", access: NetworkAccess())
    default: broker = nil
    }
  }

  deinit { broker?.close() }

  var process: Int32 {
    switch body {
    case .outside(let child): child.process
    case .inside(let child): child.processIdentifier
    }
  }

  var status: ProcessStatus? {
    switch body {
    case .outside(let child): child.reap()
    case .inside(let child): child.reap()
    }
  }

  /// Waits until it runs.
  func launch() throws(SelftestError) {
    guard case .inside(let child) = body else { return }
    let deadline = MonotonicClock.nanoseconds + 10_000_000_000
    while report == nil {
      do {
        switch try child.advance() {
        case .pending: break
        case .standing: try child.proceed()
        case .running(let report): self.report = report
        }
      } catch {
        throw SelftestError("\(error)")
      }
      guard report == nil else { return }
      guard MonotonicClock.nanoseconds < deadline else {
        throw SelftestError("the launch took longer than 10 seconds")
      }
      turn(20)
    }
  }

  /// One turn of the loop.
  func turn(_ milliseconds: Int32) {
    switch body {
    case .outside(let child):
      var entries = [
        PollEntry(child.output.rawValue, .input), PollEntry(child.handle.rawValue, .input),
      ]
      _ = try? poll(&entries, milliseconds: milliseconds)
      take(child.output.rawValue)
      capture([child.error.rawValue])
    case .inside(let child):
      var entries = [
        PollEntry(child.outputDescriptor, .input), PollEntry(child.pidDescriptor, .input),
        PollEntry(child.statusDescriptor ?? -1, .input),
        PollEntry(child.listenerDescriptor ?? -1, .input),
        PollEntry(child.standardOutputDescriptor, .input),
        PollEntry(child.standardErrorDescriptor, .input),
      ]
      if report != nil, status != nil { entries.removeLast(5) }
      let isBusy = broker?.isBusy == true
      _ = try? poll(&entries, milliseconds: isBusy ? min(milliseconds, 5) : milliseconds)
      violations += child.handleNotifications()
      broker?.turn()
      take(child.outputDescriptor)
      capture([child.standardOutputDescriptor, child.standardErrorDescriptor])
    }
  }

  private func take(_ descriptor: Int32) {
    guard output.count < 4 << 20 else { return }
    output += (try? FileDescriptor.read(from: descriptor, upTo: 65_536)) ?? []
  }

  private func capture(_ descriptors: [Int32]) {
    for descriptor in descriptors {
      captured += (try? FileDescriptor.read(from: descriptor, upTo: 65_536))?.count ?? 0
    }
  }

  /// Whether it has said a line.
  func hasSaid(_ line: String) -> Bool {
    Machine.contains(output, Array("\(line)\n".utf8))
  }

  /// - Returns: false when it ended, or did not say so in time.
  func wait(for line: String, milliseconds: UInt64) -> Bool {
    let deadline = MonotonicClock.nanoseconds + milliseconds * 1_000_000
    while !hasSaid(line) {
      if status != nil {
        turn(0)
        return hasSaid(line)
      }
      guard MonotonicClock.nanoseconds < deadline else { return false }
      turn(20)
    }
    return true
  }

  func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)[...]
    switch body {
    case .outside(let child): _ = try? child.input.write(bytes)
    case .inside(let child): _ = try? FileDescriptor.write(bytes, to: child.inputDescriptor)
    }
  }

  func end() {
    switch body {
    case .outside(let child): try? child.handle.send(Signals.kill)
    case .inside(let child): child.kill()
    }
    for _ in 0..<50 where status == nil { turn(10) }
  }

  var words: [String] {
    String(decoding: output.suffix(65_536), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
