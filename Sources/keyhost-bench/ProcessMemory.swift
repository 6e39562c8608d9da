import LinuxSystem

/// What a process holds in memory.
enum ProcessMemory {
  /// Resident bytes: the second number of /proc/PID/statm, in pages of 4 KiB.
  static func resident(_ process: Int32) throws -> Double {
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

  /// The most resident bytes it ever had: VmHWM of /proc/PID/status, in KiB.
  static func peak(_ process: Int32) throws -> Double {
    let path = "/proc/\(process)/status"
    do {
      let file = try FileDescriptor.open(path, [.read])
      let text = String(decoding: try file.read(upTo: 65_536), as: UTF8.self)
      guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let count = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
          .flatMap({ Double($0) })
      else { throw BenchError("\(path) has no VmHWM") }
      return count * 1024
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError("\(path): \(error)")
    }
  }

  /// The processes that this one started: /proc/PID/task/PID/children.
  static func children() throws -> [Int32] {
    let own = ProcessControl.identifier
    let path = "/proc/\(own)/task/\(own)/children"
    do {
      let file = try FileDescriptor.open(path, [.read])
      return String(decoding: try file.read(upTo: 65_536), as: UTF8.self)
        .split(separator: " ").compactMap { Int32($0) }
    } catch {
      throw BenchError("\(path): \(error)")
    }
  }
}
