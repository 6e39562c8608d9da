import ClassicBPF
import Glibc
import KeyboardHost
import LinuxSystem
import SandboxPolicy

/// The process that measures allowed calls: it makes so many of them for each line on fd 0, and
/// answers on fd 3 with a line.
enum FilteredCalls {
  /// How many calls are made for one line.
  static let count = 100_000

  /// Calls that every keyboard makes: one that the filter allows whatever its arguments, one that
  /// it allows for what is in an argument, and one that reads.
  enum Kind: String, CaseIterable {
    case plain, checked, read

    var name: String {
      switch self {
      case .plain: "getppid"
      case .checked: "fcntl"
      case .read: "pread"
      }
    }
  }

  /// The base policy's program, as keyboards get it.
  private static func program() throws -> BPFProgram {
    try PreparedPolicy(try InstalledResources().profile(), grants: SandboxGrants()).program
  }

  static func run(_ kind: Kind, isFiltered: Bool) throws -> Never {
    let file = try FileDescriptor.open("/proc/self/exe", .read)
    let descriptor = file.rawValue
    if isFiltered {
      try ProcessControl.setNoNewPrivileges()
      _ = try SystemCallFilter.load(try program().bytes, [])
    }
    var byte: UInt8 = 0
    while unsafe read(0, &byte, 1) == 1 {
      guard byte == 0x0A else { continue }
      switch kind {
      case .plain: for _ in 0..<count { _ = getppid() }
      case .checked: for _ in 0..<count { _ = fcntl(descriptor, F_GETFD) }
      case .read: for _ in 0..<count { _ = unsafe pread(descriptor, &byte, 1, 0) }
      }
      byte = 0x0A
      guard unsafe write(3, &byte, 1) == 1 else { break }
    }
    exit(0)
  }
}
