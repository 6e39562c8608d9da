import ClassicBPF
import SandboxPolicy

/// The calls a machine's kernel can be asked for, by architecture: what a report goes through.
public struct CallSpace: Sendable {
  /// The architectures, the machine's own first. A kernel may be built without the others.
  public let architectures: [SeccompArchitecture]
  /// Names calls.
  public let table: any SystemCallTable

  /// The architectures that a kernel for `native` runs programs of.
  public init(native: SeccompArchitecture, table: some SystemCallTable) {
    self.table = table
    architectures =
      switch native {
      case .x8664: [.x8664, .x32, .x86]
      case .aarch64: [.aarch64, .arm]
      case .s390x: [.s390x, .s390]
      case .ppc64: [.ppc64, .ppc]
      default: [native]
      }
  }

  /// All inputs of an architecture.
  public func inputs(
    of architecture: SeccompArchitecture, in sets: InputSets
  ) -> InputSet {
    let here = sets.word(SeccompData.architectureOffset / 4, equals: architecture.auditValue)
    guard architecture.auditValue == SeccompArchitecture.x32.auditValue else { return here }
    return sets.intersection(
      here, architecture == .x32 ? x32(in: sets) : sets.complement(x32(in: sets)))
  }

  /// The numbers that are judged as ones of x32.
  private func x32(in sets: InputSets) -> InputSet {
    sets.switching(
      on: SeccompData.numberOffset / 4,
      [
        (SeccompArchitecture.x32Bit - 1, .none), (SeccompArchitecture.skippedCall - 1, .all),
        (.max, .none),
      ])
  }

  /// All inputs of one call.
  public func inputs(
    of number: UInt32, on architecture: SeccompArchitecture, in sets: InputSets
  ) -> InputSet {
    sets.intersection(
      sets.word(SeccompData.architectureOffset / 4, equals: architecture.auditValue),
      sets.word(SeccompData.numberOffset / 4, equals: number))
  }

  /// The known calls of an architecture, by number.
  public func calls(on architecture: SeccompArchitecture) -> [(number: UInt32, name: String)] {
    table.names(on: architecture).compactMap { name in
      table.number(of: name, on: architecture).map { (number: $0, name: name) }
    }
  }

  /// `x86_64`, `i386`, `x32`: as people write them.
  public static func shortName(_ architecture: SeccompArchitecture) -> String {
    architecture == .x86
      ? "i386" : String(architecture.rawValue.dropFirst("SCMP_ARCH_".count)).lowercased()
  }
}
