import LinuxSystem
import StrictJSON

extension Row {
  /// How long `keyhost selftest` took, from what it printed with --json. The goal is a minute.
  init(selftest path: String) throws {
    let seconds: Double
    do {
      let file = try FileDescriptor.open(path, [.read])
      var bytes: [UInt8] = []
      while case let part = try file.read(upTo: 1 << 16), !part.isEmpty { bytes += part }
      guard let value = try JSONDocument(parsing: bytes).root["seconds"]?.double else {
        throw BenchError("\(path) has no seconds")
      }
      seconds = value
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError("\(path): \(error)")
    }
    self.init(
      name: "selftest", ratio: seconds / 60, goal: 1, unit: "s", measured: Summary([seconds]),
      comparison: nil)
  }
}
