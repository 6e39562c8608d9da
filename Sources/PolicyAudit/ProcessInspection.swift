import ClassicBPF
import LinuxSystem
import SandboxPolicy

/// What is in force around a running process, as far as it may be seen. What may not be seen is
/// never taken for what is not there.
public struct ProcessInspection: Sendable {
  /// Something that was read, or why it was not.
  public enum Reading<Value: Sendable>: Sendable {
    case read(Value)
    /// It may well be there. With what it takes to see it.
    case notPermitted(String)
    /// The kernel does not tell, or tells nonsense.
    case unknown(String)

    public var value: Value? {
      if case .read(let value) = self { value } else { nil }
    }
  }

  /// seccomp(2)'s modes.
  public enum FilterMode: Sendable, Hashable {
    case none
    /// Only read, write, exit and returning from a signal; without a program.
    case strict
    case filter
  }

  public struct CapabilitySet: Sendable, Hashable {
    /// `effective`, `permitted`, `inheritable`, `bounding` or `ambient`.
    public var name: String
    /// Names of capabilities, by number.
    public var capabilities: [String]
  }

  public struct Namespace: Sendable {
    /// The kernel's name: `user`, `net`.
    public var kind: String
    /// The kernel's identification, such as `user:[4026531837]`.
    public var identity: Reading<String>
    /// Whether this process is in it as well.
    public var isShared: Bool?
  }

  public struct Descriptor: Sendable, Hashable {
    public var number: Int32
    /// What it leads to, as the kernel names it: text from outside.
    public var target: String
    /// `r`, `w` or `rw`; nil if the kernel does not tell.
    public var access: String?
  }

  public struct Limit: Sendable, Hashable {
    /// In the kernel's words: `Max open files`.
    public var name: String
    /// Numbers or `unlimited`.
    public var soft: String
    public var hard: String
    /// Empty where there is none.
    public var unit: String
  }

  /// A thread whose filters are not the first thread's.
  public struct OtherThread: Sendable, Hashable {
    public var thread: Int32
    /// How many filters it has; nil if the kernel does not tell.
    public var filterCount: Int?
    public var mode: FilterMode
  }

  public var process: Int32
  /// The process that this is a thread of, when it is not its first.
  public var threadOf: Int32?
  /// What `ps` shows: text from outside.
  public var name: String
  /// In the kernel's words: `S (sleeping)`.
  public var state: String
  public var parent: Int32?
  public var tracer: Int32?
  /// Real, effective, saved and file-system ids.
  public var users: [UInt32]
  public var groups: [UInt32]
  public var threadCount: Int?
  /// When it began, in clock ticks since the system did: with the number, it names the process.
  public var start: Int

  public var mode: Reading<FilterMode>
  /// How many filters the kernel says there are; nil before Linux 5.9.
  public var filterCount: Int?
  /// The programs, the oldest first.
  public var filters: Reading<[BPFProgram]>
  public var otherThreads: Reading<[OtherThread]>
  public var hasNoNewPrivileges: Reading<Bool>
  public var capabilities: [CapabilitySet]
  public var namespaces: [Namespace]
  public var descriptors: Reading<[Descriptor]>
  public var limits: Reading<[Limit]>

  /// Whether all of it was read.
  public var isComplete: Bool {
    func isRead<Value>(_ reading: Reading<Value>) -> Bool {
      if case .read = reading { true } else { false }
    }
    return isRead(mode) && isRead(filters) && isRead(otherThreads) && isRead(hasNoNewPrivileges)
      && isRead(descriptors) && isRead(limits) && namespaces.allSatisfy { isRead($0.identity) }
  }

  /// Looks at a process. It stands still for a moment while its filters are read.
  ///
  /// - Throws: when there is none, it ends meanwhile, or nothing of it can be seen.
  public init(of process: Int32) throws(AuditError) {
    let folder = try ProcessFolder(process)
    do throws(ProcessFolder.Refusal) {
      try self.init(folder)
    } catch {
      switch error {
      case .ended: throw AuditError("process \(process) ended while it was looked at")
      case .notPermitted:
        throw AuditError("process \(process) is there, but this user may not look at it")
      case .other(let message): throw AuditError(message)
      }
    }
    try check((try? folder.bytes("stat")).flatMap(ProcessStat.init))
  }

  private init(_ folder: borrowing ProcessFolder) throws(ProcessFolder.Refusal) {
    process = folder.process
    let status = KeyedLines(try folder.bytes("status"))
    let stat = ProcessStat(try folder.bytes("stat"))
    func number(_ key: String) -> Int? { status[key].flatMap { Int($0) } }
    func numbers(_ key: String) -> [UInt32] {
      (status[key] ?? "").split(separator: "\t").compactMap { UInt32($0) }
    }
    name = status["Name"] ?? "?"
    state = status["State"] ?? "?"
    parent = number("PPid").flatMap(Int32.init(exactly:))
    tracer = number("TracerPid").flatMap(Int32.init(exactly:)).flatMap { $0 == 0 ? nil : $0 }
    users = numbers("Uid")
    groups = numbers("Gid")
    threadCount = number("Threads")
    threadOf = number("Tgid").flatMap(Int32.init(exactly:)).flatMap {
      $0 == folder.process ? nil : $0
    }
    start = stat?.startTime ?? 0
    isKernelThread = status["Kthread"].map { $0 == "1" } ?? stat?.isKernelThread ?? false
    filterCount = number("Seccomp_filters")
    hasNoNewPrivileges =
      switch status["NoNewPrivs"] {
      case "0"?: .read(false)
      case "1"?: .read(true)
      default: .unknown("this kernel does not tell (Linux 4.10 does)")
      }
    capabilities = [
      ("effective", "CapEff"), ("permitted", "CapPrm"), ("inheritable", "CapInh"),
      ("bounding", "CapBnd"), ("ambient", "CapAmb"),
    ].compactMap { name, key in
      status[key].flatMap { UInt64($0, radix: 16) }
        .map { CapabilitySet(name: name, capabilities: Capability.names(in: $0)) }
    }
    mode = Self.mode(status)
    // What ended by now has no filters to read, and is told of at the end.
    filters = .read([])
    otherThreads = .read([])
    namespaces = []
    descriptors = .read([])
    limits = .read([])
    guard !isKernelThread, !state.hasPrefix("Z"), !state.hasPrefix("X") else { return }
    filters = try Self.filters(folder, mode, tracer)
    otherThreads = Self.otherThreads(folder, mode, filterCount)
    namespaces = try Self.namespaces(folder)
    descriptors = try Self.descriptors(folder)
    limits = try Self.limits(folder)
  }

  private var isKernelThread: Bool

  /// Says of a process that cannot be inspected why.
  ///
  /// - Parameter stat: what its folder says at the end; nil if it is gone.
  private func check(_ stat: ProcessStat?) throws(AuditError) {
    if isKernelThread {
      throw AuditError(
        "process \(process) is a kernel thread (\(name)): it makes no system calls, and nothing of "
          + "a sandbox applies to it")
    }
    if state.hasPrefix("Z") || state.hasPrefix("X") {
      throw AuditError(
        "process \(process) (\(name)) has ended, and only waits for its parent to take note: "
          + "nothing is left to look at")
    }
    guard let stat, stat.startTime == start, !stat.hasEnded else {
      throw AuditError("process \(process) ended while it was looked at")
    }
  }

  // MARK: Reading

  private static func mode(_ status: KeyedLines) -> Reading<FilterMode> {
    switch status["Seccomp"] {
    case "0"?: .read(.none)
    case "1"?: .read(.strict)
    case "2"?: .read(.filter)
    default: .unknown("this kernel does not tell: it was built without seccomp")
    }
  }

  private static func filters(
    _ folder: borrowing ProcessFolder, _ mode: Reading<FilterMode>, _ tracer: Int32?
  ) throws(ProcessFolder.Refusal) -> Reading<[BPFProgram]> {
    switch mode {
    case .read(.filter): break
    case .read(.none), .read(.strict): return .read([])
    case .notPermitted(let reason): return .notPermitted(reason)
    case .unknown(let reason): return .unknown(reason)
    }
    do throws(ProcessFilters.Failure) {
      var programs: [BPFProgram] = []
      for bytes in try ProcessFilters.read(thread: folder.process) {
        guard let program = try? BPFProgram(bytes: bytes) else {
          return .unknown("the kernel gave a program that is none")
        }
        programs.append(program)
      }
      // Between the status and now it may have begun to filter, but never to have none.
      return programs.isEmpty ? .unknown("the kernel gave no program") : .read(programs)
    } catch {
      switch error {
      case .noProcess: throw .ended
      case .busy: return .unknown("the process did not stand still for a second; try again")
      case .attach(let errno):
        if let tracer {
          return .notPermitted("it is traced by process \(tracer), and only one may trace it")
        }
        return .notPermitted("attaching to it failed (\(errno.name)): run this as root")
      case .filter(let errno):
        if errno == .permissionDenied, isFiltered {
          return .notPermitted("this program is under a filter itself: run it outside of that")
        }
        return errno == .permissionDenied
          ? .notPermitted("it takes CAP_SYS_ADMIN: run this as root")
          : .unknown(
            "the kernel does not hand filters out (\(errno.name)): it was built without "
              + "CONFIG_CHECKPOINT_RESTORE")
      }
    }
  }

  /// Whether this process is under a filter.
  private static var isFiltered: Bool {
    guard let own = try? ProcessFolder(ProcessControl.identifier),
      let status = try? own.bytes("status")
    else { return false }
    return KeyedLines(status)["Seccomp"] != "0"
  }

  private static func otherThreads(
    _ folder: borrowing ProcessFolder, _ mode: Reading<FilterMode>, _ count: Int?
  ) -> Reading<[OtherThread]> {
    guard case .read(let first) = mode else { return .unknown("this kernel does not tell") }
    guard let threads = try? folder.numbers(in: "task") else {
      return .notPermitted("the list of threads")
    }
    var others: [OtherThread] = []
    for thread in threads where thread != folder.process {
      // A thread that has ended has no filters.
      guard let bytes = try? folder.bytes("status", in: "task/\(thread)") else { continue }
      let status = KeyedLines(bytes)
      guard case .read(let mode) = Self.mode(status) else { continue }
      let filters = status["Seccomp_filters"].flatMap { Int($0) }
      if mode != first || filters != count {
        others.append(OtherThread(thread: thread, filterCount: filters, mode: mode))
      }
    }
    return .read(others)
  }

  private static let namespaceKinds = [
    "user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time",
  ]

  private static func namespaces(
    _ folder: borrowing ProcessFolder
  ) throws(ProcessFolder.Refusal) -> [Namespace] {
    var result: [Namespace] = []
    for kind in namespaceKinds {
      // Kinds that this kernel does not have.
      guard let own = RealPath.link(at: "/proc/self/ns/\(kind)") else { continue }
      do throws(ProcessFolder.Refusal) {
        let identity = try folder.link(kind, in: "ns")
        result.append(
          Namespace(kind: kind, identity: .read(identity), isShared: identity == own))
      } catch {
        switch error {
        case .ended: throw error
        case .notPermitted:
          result.append(
            Namespace(
              kind: kind, identity: .notPermitted("it takes the right to trace the process")))
        case .other(let message):
          result.append(Namespace(kind: kind, identity: .unknown(message)))
        }
      }
    }
    return result
  }

  private static func descriptors(
    _ folder: borrowing ProcessFolder
  ) throws(ProcessFolder.Refusal) -> Reading<[Descriptor]> {
    do throws(ProcessFolder.Refusal) {
      var result: [Descriptor] = []
      for number in try folder.numbers(in: "fd") {
        // One that was closed meanwhile.
        guard let target = try? folder.link("\(number)", in: "fd") else { continue }
        let info = (try? folder.bytes("\(number)", in: "fdinfo")).map(KeyedLines.init)
        let flags = info?["flags"].flatMap { Int($0, radix: 8) }
        result.append(
          Descriptor(
            number: number, target: target,
            access: flags.map { ["r", "w", "rw", "rw"][$0 & 3] }))
      }
      return .read(result)
    } catch {
      switch error {
      case .ended: throw error
      case .notPermitted: return .notPermitted("it takes the right to trace the process")
      case .other(let message): return .unknown(message)
      }
    }
  }

  private static func limits(
    _ folder: borrowing ProcessFolder
  ) throws(ProcessFolder.Refusal) -> Reading<[Limit]> {
    do throws(ProcessFolder.Refusal) {
      // Columns of 26, 21, 21 and 10 characters (fs/proc/base.c), which names may contain spaces in.
      let rows = try folder.bytes("limits").split(separator: UInt8(ascii: "\n")).dropFirst()
      func cell(_ row: ArraySlice<UInt8>, _ range: Range<Int>) -> String {
        var text = row.dropFirst(range.lowerBound).prefix(range.count)
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
      }
      return .read(
        rows.map { row in
          Limit(
            name: cell(row, 0..<26), soft: cell(row, 26..<47), hard: cell(row, 47..<68),
            unit: cell(row, 68..<200))
        })
    } catch {
      switch error {
      case .ended: throw error
      case .notPermitted: return .notPermitted("it takes the right to trace the process")
      case .other(let message): return .unknown(message)
      }
    }
  }
}
