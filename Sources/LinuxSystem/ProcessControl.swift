import CLinux
import Glibc

/// What a process says about itself to the kernel: prctl(2) and its neighbours.
public enum ProcessControl {
  /// PR_SET_NO_NEW_PRIVS: no exec gives more rights, for ever.
  public static func setNoNewPrivileges() throws(Errno) {
    _ = try Errno.check(clinux_prctl(38, 1, 0, 0, 0))
  }

  /// PR_GET_NO_NEW_PRIVS.
  public static var hasNoNewPrivileges: Bool { clinux_prctl(39, 0, 0, 0, 0) == 1 }

  /// PR_SET_PDEATHSIG. It follows the thread that made this process, and a later change of
  /// credentials clears it.
  public static func setParentDeathSignal(_ signal: Int32) throws(Errno) {
    _ = try Errno.check(clinux_prctl(1, UInt(signal), 0, 0, 0))
  }

  /// PR_SET_DUMPABLE: whether another process of the same user may look inside.
  public static func setDumpable(_ isDumpable: Bool) throws(Errno) {
    _ = try Errno.check(clinux_prctl(4, isDumpable ? 1 : 0, 0, 0, 0))
  }

  /// PR_SET_SECUREBITS: root has no privileges, ids and capabilities are not tied, nothing can be
  /// kept or raised, and all of it is locked (SECURE_ALL_BITS and SECURE_ALL_LOCKS).
  public static func lockSecureBits() throws(Errno) {
    // NOROOT 0, NO_SETUID_FIXUP 2, NO_CAP_AMBIENT_RAISE 6, with each one's lock; KEEP_CAPS only
    // its lock (5).
    _ = try Errno.check(clinux_prctl(28, 0b1110_1111, 0, 0, 0))
  }

  /// PR_GET_SECUREBITS: whether they are as `lockSecureBits()` sets them.
  public static var secureBitsAreLocked: Bool {
    clinux_prctl(27, 0, 0, 0, 0) == 0b1110_1111
  }

  /// PR_SET_NAME: what `ps` shows, 15 bytes at most.
  public static func setName(_ name: String) {
    _ = unsafe name.withCString { pointer in
      clinux_prctl(15, UInt(bitPattern: pointer), 0, 0, 0)
    }
  }

  /// setsid(2): a session of its own, without a terminal. Leading one already is no error.
  public static func beginSession() throws(Errno) {
    if setsid() < 0, getsid(0) != getpid() { throw Errno(rawValue: errno) }
  }

  /// umask(2): what the files that this process makes are not.
  public static func setFileCreationMask(_ mask: UInt32) { _ = umask(mask) }

  /// chdir(2).
  public static func changeDirectory(_ path: String) throws(Errno) {
    if unsafe chdir(path) < 0 { throw Errno(rawValue: errno) }
  }

  /// This process's number, as its own namespace counts.
  public static var identifier: Int32 { getpid() }

  /// When a process began, in clock ticks since the system did (field 22 of proc(5)'s stat); nil if
  /// there is none.
  public static func startTime(of process: Int32) -> Int? {
    guard let file = try? FileDescriptor.open("/proc/\(process)/stat", .read),
      let bytes = try? file.read(upTo: 4096)
    else { return nil }
    return ProcessStat(bytes)?.startTime
  }

  /// The effective user id.
  public static var user: UInt32 { geteuid() }

  /// The effective group id.
  public static var group: UInt32 { getegid() }

  /// Ends the process at once, without running anything more.
  public static func exit(_ code: Int32) -> Never { clinux_exit(code) }

  /// clone(2) of a single-threaded program: returns 0 in the new process, and its number in the
  /// calling one.
  ///
  /// - Parameters:
  ///   - namespaces: made for the new process.
  ///   - isSibling: the new process is a child of this process's parent (CLONE_PARENT).
  public static func clone(
    _ namespaces: Namespaces, isSibling: Bool
  ) throws(Errno) -> Int32 {
    // The exit signal is SIGCHLD, 17; CLONE_PARENT is 0x8000.
    let flags = namespaces.rawValue | 17 | (isSibling ? 0x8000 : 0)
    return Int32(try Errno.check(clinux_clone(flags)))
  }

  /// posix_spawn(3) with every signal at its default and none blocked. Descriptor `from` of each
  /// pair becomes `to`; every `from` must lie above every `to`.
  ///
  /// - Parameter beginsSession: whether it leads a session, and with it a process group, of its own,
  ///   so that ``reapGroup(_:)`` finds what it leaves behind.
  public static func spawn(
    _ path: String, arguments: [String], environment: [String],
    descriptors: [(from: Int32, to: Int32)], beginsSession: Bool = false
  ) throws(Errno) -> Int32 {
    let argumentStrings = CStringArray(arguments)
    let environmentStrings = CStringArray(environment)
    var process: Int32 = 0
    _ = try Errno.check(
      unsafe clinux_spawn(
        path, argumentStrings.pointers, environmentStrings.pointers, descriptors.map(\.from),
        descriptors.map(\.to), descriptors.count, beginsSession ? 1 : 0, &process))
    return process
  }

  /// Takes the status of every child of this process that is in a group: with CLONE_PARENT a
  /// program makes its parent children that it never started. Waits for their ends, 100 ms at most.
  public static func reapGroup(_ group: Int32) {
    for _ in 0..<100 where clinux_reap_group(group) == 0 { usleep(1_000) }
  }

  /// Up to `count` bytes at an address of another process: process_vm_readv(2).
  public static func readMemory(
    of process: Int32, at address: UInt64, count: Int
  ) throws(Errno) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    let got = try Errno.check(unsafe clinux_read_memory(process, address, &result, count))
    return Array(result.prefix(got))
  }
}

extension ProcessControl {
  /// The variables of this process's environment.
  public static var environment: [String: String] {
    var found: [String: String] = [:]
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      let text = unsafe String(cString: entry)
      // By bytes: a value that begins with a combining mark is joined to the sign among characters.
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        found[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
      }
      unsafe position += 1
    }
    return found
  }
}
