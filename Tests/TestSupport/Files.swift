import Glibc

/// Small file helpers for tests, without Foundation.
public enum Files {
  public struct FileError: Error, CustomStringConvertible {
    public var description: String
    init(_ path: String) { description = "\(path): \(String(cString: strerror(errno)))" }
  }

  public static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw FileError(path) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  public static func text(_ path: String) throws -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  public static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  /// Creates or replaces; the mode is exact, whatever the umask. A program can be started once this
  /// returns.
  public static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws {
    try create(path, with: bytes, mode: mode)
    if mode & 0o111 != 0 { try waitUntilNobodyWrites(path) }
  }

  /// A process that another test makes at this moment holds a copy of the descriptor until it has
  /// started its own program, and so long the kernel starts none from the file (ETXTBSY). A lease for
  /// reading is to be had from when nobody has the file open for writing.
  private static func waitUntilNobodyWrites(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { close(descriptor) }
    let setLease: Int32 = 1024  // F_SETLEASE of <fcntl.h>, which shows it to GNU's programs only.
    for _ in 0..<10_000 where fcntl(descriptor, setLease, F_RDLCK) != 0 {
      guard errno == EAGAIN else { throw FileError(path) }
      usleep(1_000)
    }
    guard fcntl(descriptor, setLease, F_UNLCK) == 0 else { throw FileError(path) }
  }

  private static func create(_ path: String, with bytes: [UInt8], mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw FileError(path) }
      offset += count
    }
    guard fchmod(descriptor, mode) == 0 else { throw FileError(path) }
  }

  /// Creates the folder and those above it; the mode of the last is exact.
  public static func makeDirectory(_ path: String, mode: mode_t = 0o755) throws {
    var built = ""
    for component in path.split(separator: "/") {
      built += "/\(component)"
      if mkdir(built, 0o755) != 0, errno != EEXIST { throw FileError(built) }
    }
    guard chmod(path, mode) == 0 else { throw FileError(path) }
  }

  public static func exists(_ path: String) -> Bool {
    var information = stat()
    return lstat(path, &information) == 0
  }

  /// Permission bits, or nil if there is no such file.
  public static func mode(_ path: String) -> mode_t? {
    var information = stat()
    return lstat(path, &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  /// Names in a folder, sorted, without `.` and `..`.
  public static func list(_ path: String) throws -> [String] {
    guard let stream = opendir(path) else { throw FileError(path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = Glibc.readdir(stream) {
      let name = String(decoding: Self.name(of: entry).map(UInt8.init(bitPattern:)), as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// An entry is as long as its name: taking `d_name` whole would read 256 bytes, past the end of
  /// the buffer for the last one.
  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [CChar] {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name)!
    let start = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
    return Array(UnsafeBufferPointer(start: start, count: strlen(start)))
  }

  /// Every path below a folder, relative to it, sorted. Links are listed, not followed.
  public static func tree(_ path: String) throws -> [String] {
    var found: [String] = []
    for name in try list(path) {
      found.append(name)
      var information = stat()
      if lstat("\(path)/\(name)", &information) == 0, information.st_mode & S_IFMT == S_IFDIR {
        found += try tree("\(path)/\(name)").map { "\(name)/\($0)" }
      }
    }
    return found
  }

  /// Removes a file or a whole folder; links are removed, not followed.
  public static func remove(_ path: String) { remove(path.utf8CString.dropLast()) }

  /// By bytes: a test may have made names that are no UTF-8.
  private static func remove(_ path: some Collection<CChar>) {
    let pointer = Array(path) + [0]
    var information = stat()
    guard lstat(pointer, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      unlink(pointer)
      return
    }
    chmod(pointer, 0o700)
    var names: [[CChar]] = []
    if let stream = opendir(pointer) {
      while let entry = Glibc.readdir(stream) {
        let name = Self.name(of: entry)
        if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
      }
      closedir(stream)
    }
    for name in names { remove(Array(path) + [0x2F] + name) }
    rmdir(pointer)
  }

  /// A new empty folder under /tmp.
  public static func temporaryDirectory(mode: mode_t = 0o700) throws -> String {
    var template = Array("/tmp/keyhost-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError("/tmp") }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard chmod(path, mode) == 0 else { throw FileError(path) }
    return path
  }
}
