import LinuxSystem
import PolicyAudit
import SandboxPolicy
import Seccomp

/// A policy in OCI form, as container tools have them.
struct ContainerPolicy {
  var name = "made"
  var text: [UInt8]

  let space = CallSpace(native: SeccompArchitecture.native ?? .x8664, table: LibseccompTable())

  /// A published one, or one made here for as many architectures.
  static func subject(_ path: String?) throws -> ContainerPolicy {
    guard let path else { return ContainerPolicy(text: text(rules: 420, isContainers: true)) }
    do {
      let file = try FileDescriptor.open(path, [.read])
      var bytes: [UInt8] = []
      while case let more = try file.read(upTo: 65_536), !more.isEmpty { bytes += more }
      return ContainerPolicy(name: path, text: bytes)
    } catch { throw BenchError("\(path): \(error)") }
  }

  /// Reads and compiles it.
  func read() throws -> FilterSubject {
    let reader = FilterReader(
      situation: PolicySituation(
        architecture: space.architectures[0], kernel: KernelVersion(major: 6, minor: 1)))
    return try reader.read(text, name: name) { (_) throws(PolicyError) in
      throw PolicyError("a policy names no files")
    }
  }

  /// A policy that allows that many calls, some of them under the conditions that published ones
  /// have: equalities, masks and ranges.
  ///
  /// - Parameter isContainers: for all three architectures of an x86-64 machine, with ranges;
  ///   otherwise for the native one alone, with masks in place of them, every sixth rule.
  static func text(rules: Int, isContainers: Bool) -> [UInt8] {
    let architecture = SeccompArchitecture.native ?? .x8664
    let names = LibseccompTable().names(on: architecture).sorted().prefix(rules)
    var entries: [String] = []
    for (index, name) in names.enumerated() {
      func rule(_ conditions: String) -> String {
        #"{"names": ["\#(name)"], "action": "SCMP_ACT_ALLOW", "args": [\#(conditions)]}"#
      }
      switch (index % (isContainers ? 40 : 6), isContainers) {
      case (3, false):
        let mask = 0xffff_ffff
        entries.append(
          rule(
            #"{"index": 1, "value": \#(mask), "valueTwo": \#(index), "op": "SCMP_CMP_MASKED_EQ"}"#))
      case (3, true):
        entries.append(rule(#"{"index": 0, "value": \#(index), "op": "SCMP_CMP_EQ"}"#))
        entries.append(rule(#"{"index": 0, "value": \#(index + 8), "op": "SCMP_CMP_EQ"}"#))
      case (13, true):
        entries.append(rule(#"{"index": 0, "value": 38, "op": "SCMP_CMP_LT"}"#))
        entries.append(rule(#"{"index": 0, "value": 40, "op": "SCMP_CMP_GT"}"#))
      case (23, true):
        entries.append(
          rule(#"{"index": 0, "value": 2114060288, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}"#))
      default: entries.append(rule(""))
      }
    }
    if isContainers {
      // As published ones do: libseccomp opens these ways of i386 for the calls that go through them.
      entries.append(#"{"names": ["ipc", "socketcall"], "action": "SCMP_ACT_ALLOW"}"#)
    }
    let map =
      isContainers && architecture == .x8664
      ? #""archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"]}], "#
      : ""
    return Array(
      #"{"defaultAction": "SCMP_ACT_ERRNO", \#(map)"syscalls": [\#(entries.joined(separator: ", "))]}"#
        .utf8)
  }
}
