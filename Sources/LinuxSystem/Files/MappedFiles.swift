/// Files that a process has mapped, and need not have open.
enum MappedFiles {
  /// Bytes of a mapping's line beyond which nobody needs more, on an average over all of them: a
  /// line can be as long as the paths of folders below folders.
  private static let lineSize = 256

  /// Every mapping of a file that has no name any more, as /proc/PID/maps has it: "address perms
  /// offset device inode path", with " (deleted)" behind the path.
  ///
  /// The kernel takes its time for each line, so no more is read than is allowed, and what was not
  /// read to its end is a fault.
  ///
  /// - Parameters:
  ///   - most: mappings that the process may have.
  ///   - each: hears the inode, and the path from its first character on.
  static func eachNameless(
    of process: Int32, most: Int, _ each: (UInt64, ArraySlice<UInt8>) -> Void
  ) throws(HeldFiles.Fault) {
    let file: FileDescriptor
    do { file = try FileDescriptor.open("/proc/\(process)/maps", .read) } catch {
      throw .unreadable
    }
    var (lines, size) = (0, 0)
    var rest: [UInt8] = []
    while size <= most * lineSize {
      let more: [UInt8]
      do { more = try file.read(upTo: 65_536) } catch { throw .unreadable }
      if more.isEmpty { return }
      size += more.count
      rest += more
      var start = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        lines += 1
        guard lines <= most else { throw .tooManyMappings }
        if rest[..<end].hasSuffix(ending) { nameless(rest[start..<end], each) }
        start = end + 1
      }
      rest.removeFirst(start)
    }
    throw .tooManyMappings
  }

  private static let ending = Array(" (deleted)".utf8)

  private static func nameless(
    _ line: ArraySlice<UInt8>, _ each: (UInt64, ArraySlice<UInt8>) -> Void
  ) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count > 5, let inode = UInt64(String(decoding: fields[4], as: UTF8.self)),
      let slash = fields[5].firstIndex(of: UInt8(ascii: "/"))
    else { return }
    each(inode, fields[5][slash...])
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool {
    suffix(bytes.count).elementsEqual(bytes)
  }
}
