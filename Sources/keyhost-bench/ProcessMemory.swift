import LinuxSystem

/// What a process holds in memory.
enum ProcessMemory {
  /// Resident bytes: the second number of /proc/PID/statm, in pages of 4 KiB.
  static func resident(_ process: Int32) throws(BenchError) -> Double {
    let path = "/proc/\(process)/statm"
    do {
      let file = try FileDescriptor.open(path, [.read])
      let fields = String(decoding: try file.read(upTo: 4096), as: UTF8.self)
        .split(separator: " ")
      guard fields.count > 1, let pages = Double(fields[1]) else {
        throw BenchError("\(path) has no second number")
      }
      return pages * 4096
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError("\(path): \(error)")
    }
  }
}
