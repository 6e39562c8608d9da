import LinuxSystem
import StrictJSON

/// What a host leaves word of while a keyboard runs: which process it is and what it was started
/// with. Whoever takes a right away finds by it who still has it.
///
/// The process stands in the name of the record's file and its rights in the content, so that a
/// record that a crash has damaged still says whom it is about.
struct RunningKeyboard: Sendable, Equatable {
  /// A process, of all that this machine ever ran.
  struct Process: Sendable, Equatable {
    /// Its number, as the host saw it.
    var number: Int32
    /// When it began, in clock ticks since the system did.
    var start: Int
    /// The system's own start (`random/boot_id` of proc_sys_kernel(5)).
    var boot: String
    /// The process namespace that the number is of (namespaces(7)).
    var namespace: String
  }

  /// Whether a process is there, by what can be found out.
  enum Standing: Equatable {
    case runs, gone
    /// With the reason.
    case unknown(String)
  }

  var process: Process
  /// Nil when the record cannot be read: then it counts as one with every right.
  var rights: Rights?

  struct Rights: Sendable, Equatable {
    var keyboard: String
    var openAccess: Bool
    /// With open access: what was opened to it beside the public addresses, each `ADDRESS:PORT`.
    var allowedHosts: Set<String>
  }

  /// Whether it has something that the settings do not give, or not any more.
  func exceeds(_ settings: HostSettings) -> Bool {
    guard let rights else { return true }
    if !settings.enabledKeyboards.contains(rights.keyboard) { return true }
    guard rights.openAccess else { return false }
    guard settings.openAccess.contains(rights.keyboard) else { return true }
    let opened = settings.allowedHosts[rights.keyboard] ?? []
    return !rights.allowedHosts.isSubset(of: opened.map(\.description))
  }

  func encodedRights() -> [UInt8] {
    guard let rights else { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("keyboard", rights.keyboard)
    writer.member("openAccess", rights.openAccess)
    writer.key("allowedHosts")
    writer.beginArray()
    for host in rights.allowedHosts.sorted() { writer.value(host) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}

extension RunningKeyboard.Rights {
  /// Nil for what is no record.
  init?(decoding bytes: [UInt8]) {
    guard let root = try? JSONDocument(parsing: bytes).root,
      let keyboard = root["keyboard"]?.string, let openAccess = root["openAccess"]?.boolean,
      let hosts = root["allowedHosts"]?.elements?.map(\.string),
      !hosts.contains(nil)
    else { return nil }
    self.init(
      keyboard: keyboard, openAccess: openAccess, allowedHosts: Set(hosts.compactMap(\.self)))
  }
}

extension RunningKeyboard.Process {
  /// Nil when the process, or what names it, cannot be found.
  init?(number: Int32) {
    guard let start = ProcessControl.startTime(of: number), let boot = Self.currentBoot,
      let namespace = Self.currentNamespace
    else { return nil }
    self.init(number: number, start: start, boot: boot, namespace: namespace)
  }

  /// Nil for a name that is no record's.
  init?(fileName: String) {
    let parts = fileName.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let number = Int32(parts[0]), number > 0, let start = Int(parts[1])
    else { return nil }
    self.init(number: number, start: start, boot: parts[2], namespace: parts[3])
  }

  var fileName: String { "\(number)_\(start)_\(boot)_\(namespace)" }

  /// Whether it runs. One that has ended and only waits for its parent to take note has not.
  var standing: RunningKeyboard.Standing {
    guard let current = Self.currentBoot, let own = Self.currentNamespace else {
      return .unknown("/proc does not say which processes there are")
    }
    guard boot == current else { return .gone }
    guard namespace == own else {
      return .unknown("it runs in another process namespace, such as a container")
    }
    do throws(Errno) {
      // The descriptor is of one process for good: it is looked whose it is after it was opened.
      return try hasEnded(ProcessHandle(number)) ? .gone : .runs
    } catch {
      return error == .noSuchProcess ? .gone : .unknown("\(error)")
    }
  }

  /// - Throws: `Errno.noSuchProcess` when the number is another's, or nobody's.
  func kill() throws(Errno) {
    let handle = try ProcessHandle(number)
    guard try !hasEnded(handle) else { return }
    // What it has not sent was taken from it with the rest.
    try? handle.send(Signals.stop)
    handle.dropUnsent(of: number)
    try handle.send(Signals.kill)
  }

  private func hasEnded(_ handle: borrowing ProcessHandle) throws(Errno) -> Bool {
    // Not by its state in /proc: a first thread that has ended says nothing about the others.
    var entries = [PollEntry(handle.rawValue, .input)]
    if try poll(&entries, milliseconds: 0) > 0 { return true }
    guard let found = ProcessControl.startTime(of: number) else {
      if try poll(&entries, milliseconds: 0) > 0 { return true }
      throw .permissionDenied
    }
    return found != start
  }

  private static let currentBoot: String? = {
    guard let file = try? FileDescriptor.open("/proc/sys/kernel/random/boot_id", .read),
      let bytes = try? file.read(upTo: 64)
    else { return nil }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }()

  private static let currentNamespace: String? = {
    // `pid:[4026531836]`.
    guard let link = RealPath.link(at: "/proc/self/ns/pid") else { return nil }
    let digits = link.filter(\.isNumber)
    return digits.isEmpty ? nil : digits
  }()
}
