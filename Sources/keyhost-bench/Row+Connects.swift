import LinuxSystem
import StrictJSON

extension Row {
  /// A connect by the broker against a plain one, from the samples in a file.
  init(connects path: String) throws {
    let root: JSONValue
    do {
      let file = try FileDescriptor.open(path, [.read])
      var bytes: [UInt8] = []
      while case let more = try file.read(upTo: 65_536), !more.isEmpty { bytes += more }
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw BenchError("\(path): \(error)")
    }
    let samples = ["brokered", "plain"].map { root[$0]?.elements?.compactMap(\.double) ?? [] }
    guard samples.allSatisfy({ !$0.isEmpty }) else {
      throw BenchError("\(path) has no samples of brokered and of plain connects")
    }
    let (brokered, plain) = (Summary(samples[0]), Summary(samples[1]))
    self.init(
      name: "connect/free", ratio: brokered.median / plain.median, goal: nil, unit: "us",
      measured: brokered, comparison: ("plain connect", plain))
  }
}
