import ClassicBPF
import SandboxPolicy
import Seccomp
import StrictJSON

/// Reads filters of every kind the audit knows, and compiles those that are policies.
public struct FilterReader: Sendable {
  /// Where and for whom a policy is resolved.
  public var situation: PolicySituation
  /// The grants for which a keyboard profile is resolved.
  public var grants: SandboxGrants
  /// Hears at which call the compiling is, which may take long; see `SeccompCompiler`.
  public var onCompiling: @Sendable (String) -> Void = { _ in }

  private let table = LibseccompTable()

  public init(situation: PolicySituation, grants: SandboxGrants = SandboxGrants()) {
    self.situation = situation
    self.grants = grants
  }

  /// Reads a filter: a policy in OCI form, a keyboard profile, a program as JSON
  /// (`[[code, jt, jf, k], …]`), or a program in binary form. Which it is shows in its beginning.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - name: the file's name, for messages.
  ///   - load: gives the files that a profile names, relative to its folder.
  public func read(
    _ bytes: [UInt8], name: String, load: (String) throws(PolicyError) -> [UInt8]
  ) throws(AuditError) -> FilterSubject {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
    switch bytes.first(where: { !spaces.contains($0) }) {
    case UInt8(ascii: "["):
      return FilterSubject(name: name, programs: [try program(json: bytes, name: name)])
    case UInt8(ascii: "{"):
      return try policy(bytes, name: name, load: load)
    case nil: throw AuditError("\(name): the file is empty")
    default:
      // Text that is no JSON gets the parser's message and place, not one about instructions.
      if bytes.prefix(64).allSatisfy({ $0 >= 0x20 && $0 < 0x7f || spaces.contains($0) })
        || bytes.starts(with: [0xef, 0xbb, 0xbf]) || bytes.starts(with: [0xff, 0xfe])
      {
        return try policy(bytes, name: name, load: load)
      }
      do throws(BPFError) {
        return FilterSubject(name: name, programs: [try BPFProgram(bytes: bytes)])
      } catch { throw AuditError("\(name): \(error)") }
    }
  }

  private func policy(
    _ bytes: [UInt8], name: String, load: (String) throws(PolicyError) -> [UInt8]
  ) throws(AuditError) -> FilterSubject {
    do throws(PolicyError) {
      if let root = try? JSONDocument(parsing: bytes).root, root["formatVersion"] != nil {
        let profile = try SandboxProfile(parsing: bytes, file: name, load: load)
        let policy = try profile.resolve(grants: grants, table: table).systemCalls
        return try subject(name, policy, profile.notes)
      }
      let policy = try SeccompPolicy(parsing: bytes, file: name)
      let (resolved, notes) = try policy.resolve(for: situation, table: table)
      return try subject(name, resolved, policy.notes + notes)
    } catch { throw AuditError("\(error)") }
  }

  private func subject(
    _ name: String, _ policy: ResolvedSeccompPolicy, _ notes: [PolicyNote]
  ) throws(PolicyError) -> FilterSubject {
    do throws(SeccompError) {
      let program = try SeccompCompiler().compile(policy, progress: onCompiling)
      return FilterSubject(name: name, programs: [program], policy: policy, notes: notes)
    } catch { throw PolicyError("\(error)") }
  }

  /// Reads `[[code, jt, jf, k], …]`.
  private func program(json bytes: [UInt8], name: String) throws(AuditError) -> BPFProgram {
    let document: JSONDocument
    do { document = try JSONDocument(parsing: bytes) } catch {
      throw AuditError("\(name):\(error.line):\(error.column): \(error.message)")
    }
    func fail(_ value: JSONValue, _ message: String) -> AuditError {
      let place = value.error(message)
      return AuditError("\(name):\(place.line):\(place.column): \(message)")
    }
    var instructions: [BPFInstruction] = []
    for (index, entry) in (document.root.elements ?? []).enumerated() {
      guard let fields = entry.elements, fields.count == 4 else {
        throw fail(
          entry,
          "instruction \(index) is not a list [code, jt, jf, k] (a list is read as a program; a "
            + "policy is an object)")
      }
      func number<Value: FixedWidthInteger & UnsignedInteger>(
        _ position: Int, _ field: String
      ) throws(AuditError) -> Value {
        guard let wide = fields[position].uint64, let value = Value(exactly: wide) else {
          throw fail(
            fields[position],
            "\(field) of instruction \(index) must be a whole number from 0 to \(Value.max)")
        }
        return value
      }
      instructions.append(
        BPFInstruction(
          code: try number(0, "code"), jumpTrue: try number(1, "jt"),
          jumpFalse: try number(2, "jf"), k: try number(3, "k")))
    }
    if instructions.isEmpty {
      throw fail(document.root, "a list is a program, and this one has no instruction")
    }
    return BPFProgram(instructions)
  }
}
