/// Files that a process has mapped, and need not have open.
enum MappedFiles {
  /// The inodes of those of a file system that have no name any more, as /proc/PID/maps has them:
  /// "address perms offset major:minor inode path", with " (deleted)" behind the path.
  static func nameless(of process: Int32, on device: UInt64) -> Set<UInt64> {
    guard let file = try? FileDescriptor.open("/proc/\(process)/maps", .read) else { return [] }
    var bytes: [UInt8] = []
    // As many as the kernel lets a process have, some 65,000, are a few megabytes.
    while bytes.count < 16 << 20, let more = try? file.read(upTo: 65_536), !more.isEmpty {
      bytes += more
    }
    let ending = Array("(deleted)".utf8)
    let wanted = name(of: device)
    var found: Set<UInt64> = []
    for line in bytes.split(separator: UInt8(ascii: "\n"))
    where line.suffix(ending.count).elementsEqual(ending) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 4, String(decoding: fields[3], as: UTF8.self) == wanted,
        let inode = UInt64(String(decoding: fields[4], as: UTF8.self))
      else { continue }
      found.insert(inode)
    }
    return found
  }

  /// A device as the kernel writes it: two hexadecimal numbers of two digits at least.
  private static func name(of device: UInt64) -> String {
    // gnu_dev_major(3) and gnu_dev_minor(3) are macros.
    let major = (device >> 8) & 0xfff | (device >> 32) & ~0xfff
    let minor = device & 0xff | (device >> 12) & ~0xff
    return [major, minor].map { number in
      let digits = String(number, radix: 16)
      return digits.utf8.count < 2 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }
}
