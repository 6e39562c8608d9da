import CSeccomp
import Glibc
import SandboxPolicy

/// The system calls that the installed libseccomp knows.
public struct LibseccompTable: SystemCallTable {
  /// libseccomp's mark for "no such call anywhere" (`__NR_SCMP_ERROR`). Smaller numbers are calls
  /// that exist, but not on the architecture asked about.
  static let unknown: Int32 = -1

  public init() {}

  public func number(of name: String, on architecture: SeccompArchitecture) -> UInt32? {
    let number = unsafe seccomp_syscall_resolve_name_arch(architecture.libseccompToken, name)
    if number >= 0 { return UInt32(number) }
    return number == Self.unknown ? nil : Self.direct[architecture]?[name]
  }

  /// Where a call can be made directly and through `socketcall` or `ipc`, libseccomp resolves its
  /// name to a pseudo number; these are the direct ones.
  private static let direct: [SeccompArchitecture: [String: UInt32]] = {
    var result: [SeccompArchitecture: [String: UInt32]] = [:]
    for architecture in [
      SeccompArchitecture.x86, .s390, .s390x, .ppc, .ppc64, .ppc64le, .sh, .sheb,
    ] {
      for number in UInt32(0)..<512 {
        guard let name = LibseccompTable().name(of: number, on: architecture) else { continue }
        result[architecture, default: [:]][name] = number
      }
    }
    return result
  }()

  public func name(of number: UInt32, on architecture: SeccompArchitecture) -> String? {
    guard number <= UInt32(Int32.max) else { return nil }
    let token = architecture.libseccompToken
    guard let name = unsafe seccomp_syscall_resolve_num_arch(token, Int32(number)) else {
      return nil
    }
    defer { unsafe free(name) }
    return unsafe String(cString: name)
  }

  public func isKnown(_ name: String) -> Bool {
    unsafe seccomp_syscall_resolve_name(name) != Self.unknown
  }

  public func names(on architecture: SeccompArchitecture) -> [String] {
    let first = architecture == .x32 ? SeccompArchitecture.x32Bit : 0
    // No table of Linux reaches further, but for those of MIPS and ARM's private calls.
    // libseccomp names a call of MIPS by its number with the table's base and without.
    var seen: Set<String> = []
    return (first..<first + 8192).compactMap { name(of: $0, on: architecture) }
      .filter { seen.insert($0).inserted }
  }
}

extension SeccompArchitecture {
  /// libseccomp's token: the kernel's value, but for x32, which it tells apart by a bit.
  var libseccompToken: UInt32 { self == .x32 ? 0x4000_003e : auditValue }
}

/// The name of a system call as a filter or a notification shows it.
///
/// - Parameters:
///   - number: the number with its x32 bit, if it has one.
///   - auditArchitecture: an `AUDIT_ARCH` value.
/// - Returns: nil when libseccomp knows no such call.
public func systemCallName(_ number: UInt32, auditArchitecture: UInt32) -> String? {
  let isX32 =
    auditArchitecture == SeccompArchitecture.x32.auditValue
    && SeccompArchitecture.isX32(number: number)
  let architecture = SeccompArchitecture.allCases.first {
    $0.auditValue == auditArchitecture && ($0 == .x32) == isX32
  }
  guard let architecture else { return nil }
  return LibseccompTable().name(of: number, on: architecture)
}
