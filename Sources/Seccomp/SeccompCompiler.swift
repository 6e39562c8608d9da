import CLinux
import CSeccomp
import ClassicBPF
import Glibc
import SandboxPolicy

/// Turns a resolved policy into the program the kernel runs, through libseccomp.
///
/// libseccomp does not compile everything rightly, so a program is proved equal to its policy
/// before it is used; compiling alone promises nothing.
public struct SeccompCompiler: Sendable {
  public init() {}

  /// Compiles a policy. libseccomp takes no bound: dozens of rules for one call that each compare
  /// several arguments can take it hours. Who reads policies of others bounds the process.
  ///
  /// - Parameter progress: hears the call whose rules are compiled next, and of the end of it.
  /// - Throws: naming the call and the rule's place when libseccomp refuses one.
  public func compile(
    _ policy: ResolvedSeccompPolicy, progress: (String) -> Void = { _ in }
  ) throws(SeccompError) -> BPFProgram {
    let context = try SeccompContext.make(policy)
    let rules = try policy.rulesForLibseccomp()
    try context.add(rules, progress: progress)
    progress("the writing of the program")
    let program = try context.export(
      isBigEndian: policy.architectures.contains(where: \.isBigEndian))
    guard let action = policy.unknownCallAction, action != policy.defaultAction else {
      return program
    }
    return try program.answering(unknownCallsOf: policy, with: action)
  }
}

/// An owned `scmp_filter_ctx`.
@safe struct SeccompContext: ~Copyable {
  /// `SCMP_FLTATR_CTL_OPTIMIZE`: a binary tree over the calls instead of a list.
  private static let binaryTree: UInt32 = 2

  private let filter: scmp_filter_ctx

  static func make(_ policy: ResolvedSeccompPolicy) throws(SeccompError) -> SeccompContext {
    guard let filter = unsafe seccomp_init(policy.defaultAction.returnValue) else {
      throw SeccompError("libseccomp refuses the default action \(policy.defaultAction)")
    }
    let context = unsafe SeccompContext(owning: filter)
    try context.setArchitectures(policy.architectures)
    try context.set(SCMP_FLTATR_ACT_BADARCH, policy.foreignArchitectureAction.returnValue)
    // The launcher sets no_new_privs itself, and reports it.
    try context.set(SCMP_FLTATR_CTL_NNP, 0)
    try context.set(SCMP_FLTATR_CTL_OPTIMIZE, Self.binaryTree)
    return context
  }

  private init(owning filter: scmp_filter_ctx) {
    unsafe self.filter = unsafe filter
  }

  deinit { unsafe seccomp_release(filter) }

  private func set(_ attribute: scmp_filter_attr, _ value: UInt32) throws(SeccompError) {
    let result = unsafe seccomp_attr_set(filter, attribute, value)
    guard result == 0 else {
      throw SeccompError(
        "libseccomp refuses attribute \(attribute.rawValue) with value \(value)",
        errorNumber: -result)
    }
  }

  /// A context begins with the native architecture; the policy says which it wants.
  private func setArchitectures(_ architectures: [SeccompArchitecture]) throws(SeccompError) {
    guard !architectures.isEmpty else {
      throw SeccompError("the policy names no architecture, so it would judge no call")
    }
    let native = seccomp_arch_native()
    // Architectures of two byte orders are never in one filter: the native one goes before others
    // of the other order come. Of one order it goes last, since a filter has to have one.
    let isForeignOrder = architectures.contains(where: \.isBigEndian)
    if isForeignOrder {
      let result = unsafe seccomp_arch_remove(filter, native)
      guard result == 0 else {
        throw SeccompError(
          "libseccomp cannot leave out the native architecture", errorNumber: -result)
      }
    }
    for architecture in architectures where architecture.libseccompToken != native {
      let result = unsafe seccomp_arch_add(filter, architecture.libseccompToken)
      guard result == 0 else {
        throw SeccompError(
          "libseccomp cannot filter \(architecture.rawValue) beside the others",
          errorNumber: -result)
      }
    }
    if !isForeignOrder, !architectures.contains(where: { $0.libseccompToken == native }) {
      let result = unsafe seccomp_arch_remove(filter, native)
      guard result == 0 else {
        throw SeccompError(
          "libseccomp cannot leave out the native architecture", errorNumber: -result)
      }
    }
  }

  /// Adds rules in their order, which matters: of two unconditional ones the first stays.
  func add(
    _ rules: [ResolvedSeccompPolicy.Rule], progress: (String) -> Void = { _ in }
  ) throws(SeccompError) {
    var call = ""
    for rule in rules {
      if rule.systemCall != call {
        call = rule.systemCall
        progress(call)
      }
      let number = unsafe seccomp_syscall_resolve_name(rule.systemCall)
      guard number != LibseccompTable.unknown else {
        throw SeccompError(
          "\(rule.source): this libseccomp knows no system call named \(rule.systemCall)",
          systemCall: rule.systemCall)
      }
      let arguments = rule.conditions.map(\.libseccompComparison)
      let result = unsafe arguments.withUnsafeBufferPointer { buffer in
        unsafe seccomp_rule_add_array(
          filter, rule.action.returnValue, number, UInt32(buffer.count), buffer.baseAddress)
      }
      guard result == 0 else {
        let conditions = rule.conditions.map(\.description).joined(separator: " and ")
        throw SeccompError(
          "\(rule.source): libseccomp refuses the rule for \(rule.systemCall) "
            + "(\(rule.action)\(conditions.isEmpty ? "" : " if \(conditions)"))",
          systemCall: rule.systemCall, errorNumber: -result)
      }
    }
  }

  /// The program, through a memory file: libseccomp 2.5 exports to descriptors only.
  ///
  /// - Parameter isBigEndian: whether it is for kernels of that byte order. It comes out in this
  ///   one's: with the bytes turned, and with the halves of arguments where they are here.
  func export(isBigEndian: Bool) throws(SeccompError) -> BPFProgram {
    let file = keyhost_seccomp_memory_file()
    guard file >= 0 else {
      throw SeccompError("cannot make a memory file for the program", errorNumber: -file)
    }
    defer { close(file) }
    let result = unsafe seccomp_export_bpf(filter, file)
    guard result == 0 else {
      throw SeccompError("libseccomp cannot export the program", errorNumber: -result)
    }
    let size = lseek(file, 0, SEEK_END)
    guard size > 0 else { throw SeccompError("libseccomp exported an empty program") }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe pread(file, buffer.baseAddress, size, 0)
    }
    guard count == size else {
      throw SeccompError("cannot read the exported program back", errorNumber: errno)
    }
    do throws(BPFError) {
      let program =
        isBigEndian ? try BPFProgram(bigEndian: bytes) : try BPFProgram(bytes: bytes)
      try program.validate()
      return program
    } catch {
      throw SeccompError("libseccomp exported a program that the kernel would refuse: \(error)")
    }
  }
}

extension ArgumentCondition {
  /// The comparison as `seccomp_rule_add_array` takes it.
  var libseccompComparison: scmp_arg_cmp {
    let (operation, first, second): (scmp_compare, UInt64, UInt64) =
      switch test {
      case .notEqual(let datum): (SCMP_CMP_NE, datum, 0)
      case .less(let datum): (SCMP_CMP_LT, datum, 0)
      case .lessOrEqual(let datum): (SCMP_CMP_LE, datum, 0)
      case .equal(let datum): (SCMP_CMP_EQ, datum, 0)
      case .greaterOrEqual(let datum): (SCMP_CMP_GE, datum, 0)
      case .greater(let datum): (SCMP_CMP_GT, datum, 0)
      case .maskedEqual(let mask, let datum): (SCMP_CMP_MASKED_EQ, mask, datum)
      }
    return scmp_arg_cmp(arg: UInt32(index), op: operation, datum_a: first, datum_b: second)
  }
}
