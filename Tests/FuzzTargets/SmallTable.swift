import ClassicBPF
import SandboxPolicy

/// A few system calls with their numbers on x86-64, the same on every architecture: names stay
/// cheap to look up, and short inputs can name them all.
struct SmallTable: SystemCallTable {
  private static let calls: [(name: String, number: UInt32)] = [
    ("read", 0), ("write", 1), ("open", 2), ("mmap", 9), ("ioctl", 16), ("socket", 41),
    ("connect", 42), ("clone", 56), ("execve", 59), ("ptrace", 101), ("socketpair", 53),
    ("io_uring_setup", 425),
  ]
  static let numbers = calls.map(\.number)

  func number(of name: String, on architecture: SeccompArchitecture) -> UInt32? {
    let number = Self.calls.first { $0.name == name }?.number
    return architecture == .x32 ? number.map { $0 | SeccompArchitecture.x32Bit } : number
  }

  func name(of number: UInt32, on architecture: SeccompArchitecture) -> String? {
    let isX32 = architecture == .x32
    guard !isX32 || number & SeccompArchitecture.x32Bit != 0 else { return nil }
    let plain = isX32 ? number & ~SeccompArchitecture.x32Bit : number
    return Self.calls.first { $0.number == plain }?.name
  }

  func isKnown(_ name: String) -> Bool { Self.calls.contains { $0.name == name } }

  func names(on architecture: SeccompArchitecture) -> [String] { Self.calls.map(\.name) }

  /// On x86-64 allows read and write, socket of the family 1, ioctl but for the request 0x5412 as
  /// the kernel reads it; answers ENOSYS to all else, and kills what is foreign.
  static let filter = BPFProgram(
    [
      (0x20, 0, 0, 4), (0x15, 1, 0, 0xc000_003e), (0x06, 0, 0, 0x8000_0000), (0x20, 0, 0, 0),
      (0x15, 10, 0, 0), (0x15, 9, 0, 1), (0x15, 2, 0, 41), (0x15, 4, 0, 16),
      (0x06, 0, 0, 0x0005_0026), (0x20, 0, 0, 16), (0x15, 4, 0, 1), (0x06, 0, 0, 0x0005_0061),
      (0x20, 0, 0, 24), (0x15, 0, 1, 0x5412), (0x06, 0, 0, 0x0005_0001), (0x06, 0, 0, 0x7fff_0000),
    ].map { BPFInstruction(code: $0.0, jumpTrue: $0.1, jumpFalse: $0.2, k: $0.3) })
}
