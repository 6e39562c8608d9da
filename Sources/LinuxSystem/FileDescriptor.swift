import CLinux
import Glibc

/// An open file descriptor that is closed when its owner lets go of it.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for as long as this value lives.
  public let rawValue: Int32

  /// Takes over a descriptor that nobody else will close.
  public init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = Glibc.close(rawValue) }

  /// Gives the number to a caller who will close it.
  public consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }

  /// Reads what is there, up to `count` bytes. Empty means end of file.
  ///
  /// - Throws: `Errno.wouldBlock` on a non-blocking descriptor with nothing to read.
  public borrowing func read(upTo count: Int) throws(Errno) -> [UInt8] {
    try Self.read(from: rawValue, upTo: count)
  }

  /// Writes as much as is taken, and says how much that was.
  ///
  /// - Throws: `Errno.wouldBlock` on a non-blocking descriptor that takes nothing,
  ///   `Errno.brokenPipe` when nobody will read (SIGPIPE must be ignored: `Signals.ignorePipe()`).
  public borrowing func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    try Self.write(bytes, to: rawValue)
  }

  /// Reads up to `count` bytes from the beginning of a file, whatever was read before.
  public borrowing func readFromStart(upTo count: Int) throws(Errno) -> [UInt8] {
    guard lseek(rawValue, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    return try Self.read(from: rawValue, upTo: count)
  }

  /// A second descriptor for the same open file, closed on exec, at `minimum` or above.
  public borrowing func duplicate(minimum: Int32 = 0) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      owning: Int32(
        try Errno.check(clinux_fcntl(rawValue, F_DUPFD_CLOEXEC, Int(minimum)))))
  }

  /// The same open file at `minimum` or above, closed on exec.
  public consuming func lifted(to minimum: Int32) throws(Errno) -> FileDescriptor {
    if rawValue >= minimum { return self }
    return try duplicate(minimum: minimum)
  }

  /// Opens a file, always closed on exec.
  public static func open(
    _ path: String, _ options: OpenOptions, permissions: UInt32 = 0
  ) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      owning: Int32(try Errno.check(unsafe clinux_open(path, options.rawValue, permissions))))
  }

  /// What fstat(2) says about the open file.
  public borrowing func status() throws(Errno) -> DescriptorStatus {
    var found = clinux_file_status()
    _ = try Errno.check(unsafe clinux_fstat(rawValue, &found))
    return DescriptorStatus(found)
  }

  /// `read` for a descriptor that somebody else owns.
  public static func read(from descriptor: Int32, upTo count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = -1
      repeat {
        got = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
      } while got < 0
        && errno == EINTR
      if got < 0 { failure = Errno(rawValue: errno) }
      filled = max(0, got)
    }
    if let failure { throw failure }
    return bytes
  }

  /// `write` for a descriptor that somebody else owns.
  public static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32
  ) throws(Errno) -> Int {
    var failure: Errno?
    let written = unsafe bytes.withUnsafeBytes { buffer in
      var put = -1
      repeat {
        put = unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      } while put
        < 0 && errno == EINTR
      if put < 0 { failure = Errno(rawValue: errno) }
      return put
    }
    if let failure { throw failure }
    return written
  }

  /// Makes reads and writes of this open file return at once.
  public borrowing func setNonBlocking() throws(Errno) {
    let flags = try Errno.check(clinux_fcntl(rawValue, F_GETFL, 0))
    _ = try Errno.check(clinux_fcntl(rawValue, F_SETFL, flags | Int(O_NONBLOCK)))
  }

  /// Sets or clears close-on-exec of a descriptor that somebody else owns.
  public static func setCloseOnExec(_ descriptor: Int32, _ closes: Bool) throws(Errno) {
    _ = try Errno.check(clinux_fcntl(descriptor, F_SETFD, closes ? 1 : 0))
  }

  /// The number that the kernel will give to the next descriptor opened.
  public static func lowestFree() throws(Errno) -> Int32 {
    let probe = FileDescriptor(
      owning: Int32(try Errno.check(clinux_fcntl(0, F_DUPFD_CLOEXEC, 0))))
    return probe.rawValue
  }

  /// Closes every descriptor from `first` to `last`, whatever it is.
  ///
  /// - Throws: `Errno.notImplemented` before Linux 5.9.
  public static func closeRange(_ first: Int32, through last: Int32 = .max) throws(Errno) {
    _ = try Errno.check(
      clinux_close_range(UInt32(first), last == .max ? UInt32.max : UInt32(last), 0))
  }

  /// The numbers of this process's open descriptors, by /proc.
  public static func listOpen() throws(Errno) -> [Int32] {
    guard let folder = unsafe opendir("/proc/self/fd") else { throw Errno(rawValue: errno) }
    defer { unsafe closedir(folder) }
    var numbers: [Int32] = []
    while let entry = unsafe readdir(folder) {
      // An entry is as long as its name; the 256 bytes of `d_name` are not all there.
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let start = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      let name = unsafe String(cString: start)
      if let number = Int32(name), unsafe dirfd(folder) != number { numbers.append(number) }
    }
    return numbers
  }

  /// Closes one descriptor by number; one that is not open is no error.
  public static func close(_ number: Int32) { _ = Glibc.close(number) }
}
