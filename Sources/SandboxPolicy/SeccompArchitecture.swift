/// An architecture a policy can name; raw values are the OCI names.
public enum SeccompArchitecture: String, Sendable, Hashable, CaseIterable {
  case x86 = "SCMP_ARCH_X86"
  case x8664 = "SCMP_ARCH_X86_64"
  case x32 = "SCMP_ARCH_X32"
  case arm = "SCMP_ARCH_ARM"
  case aarch64 = "SCMP_ARCH_AARCH64"
  case loongarch64 = "SCMP_ARCH_LOONGARCH64"
  case m68k = "SCMP_ARCH_M68K"
  case mips = "SCMP_ARCH_MIPS"
  case mips64 = "SCMP_ARCH_MIPS64"
  case mips64n32 = "SCMP_ARCH_MIPS64N32"
  case mipsel = "SCMP_ARCH_MIPSEL"
  case mipsel64 = "SCMP_ARCH_MIPSEL64"
  case mipsel64n32 = "SCMP_ARCH_MIPSEL64N32"
  case parisc = "SCMP_ARCH_PARISC"
  case parisc64 = "SCMP_ARCH_PARISC64"
  case ppc = "SCMP_ARCH_PPC"
  case ppc64 = "SCMP_ARCH_PPC64"
  case ppc64le = "SCMP_ARCH_PPC64LE"
  case riscv64 = "SCMP_ARCH_RISCV64"
  case s390 = "SCMP_ARCH_S390"
  case s390x = "SCMP_ARCH_S390X"
  case sh = "SCMP_ARCH_SH"
  case sheb = "SCMP_ARCH_SHEB"

  /// The bit that marks a call of the x32 table; the architecture it reports is x86-64.
  public static let x32Bit: UInt32 = 0x4000_0000

  /// A number that stands for no call: tracers set it to have a call skipped.
  public static let skippedCall = UInt32.max

  /// Whether a call that reports x86-64 is judged as one of x32: all numbers from the x32 bit on,
  /// as libseccomp compares them, but for that of a skipped call.
  public static func isX32(number: UInt32) -> Bool { number >= x32Bit && number != skippedCall }

  /// The architecture this code was built for, where it is one that Linux filters know.
  public static var native: SeccompArchitecture? {
    #if arch(x86_64)
      .x8664
    #elseif arch(arm64)
      .aarch64
    #else
      nil
    #endif
  }

  /// The value a filter sees (`AUDIT_ARCH_…` of `linux/audit.h`). x32 shares that of x86-64.
  public var auditValue: UInt32 {
    switch self {
    case .x86: 0x4000_0003
    case .x8664, .x32: 0xc000_003e
    case .arm: 0x4000_0028
    case .aarch64: 0xc000_00b7
    case .loongarch64: 0xc000_0102
    case .m68k: 0x0000_0004
    case .mips: 0x0000_0008
    case .mips64: 0x8000_0008
    case .mips64n32: 0xa000_0008
    case .mipsel: 0x4000_0008
    case .mipsel64: 0xc000_0008
    case .mipsel64n32: 0xe000_0008
    case .parisc: 0x0000_000f
    case .parisc64: 0x8000_000f
    case .ppc: 0x0000_0014
    case .ppc64: 0x8000_0015
    case .ppc64le: 0xc000_0015
    case .riscv64: 0xc000_00f3
    case .s390: 0x0000_0016
    case .s390x: 0x8000_0016
    case .sh: 0x4000_002a
    case .sheb: 0x0000_002a
    }
  }

  /// Whether its kernels have the more significant byte, and half of an argument, first.
  public var isBigEndian: Bool {
    switch self {
    case .m68k, .mips, .mips64, .mips64n32, .parisc, .parisc64, .ppc, .ppc64, .s390, .s390x, .sheb:
      true
    default: false
    }
  }

  /// Whether conditions compare 64 bits of an argument. On 32-bit architectures and x32, libseccomp
  /// compares the lower halves only, of the argument and of what the policy writes. The kernel
  /// fills the upper halves of 32-bit calls with zeros; x32 programs could set them.
  public var has64BitArguments: Bool { self != .x32 && auditValue & 0x8000_0000 != 0 }

  /// The name that `includes.arches` and `archMap` consumers use (Go's `GOARCH` or much
  /// like it), where the container tools have one.
  public var goName: String? {
    switch self {
    case .x86: "x86"
    case .x8664: "amd64"
    case .x32: "x32"
    case .arm: "arm"
    case .aarch64: "arm64"
    case .loongarch64: "loong64"
    case .mips: "mips"
    case .mips64: "mips64"
    case .mips64n32: "mips64n32"
    case .mipsel: "mipsel"
    case .mipsel64: "mipsel64"
    case .mipsel64n32: "mipsel64n32"
    case .ppc: "ppc"
    case .ppc64: "ppc64"
    case .ppc64le: "ppc64le"
    case .riscv64: "riscv64"
    case .s390: "s390"
    case .s390x: "s390x"
    case .m68k, .parisc, .parisc64, .sh, .sheb: nil
    }
  }
}
