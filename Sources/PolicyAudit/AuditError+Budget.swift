import ClassicBPF
import SandboxPolicy

extension AuditError {
  /// Why a question was given up. It is no answer: nothing is proven, equal or the same by it.
  ///
  /// - Parameters:
  ///   - name: what was to be followed.
  ///   - place: the call, rule or instruction at which it was, as a person finds it.
  static func exhausted(_ sets: InputSets, _ name: String, at place: String) -> AuditError {
    switch sets.exhaustion {
    case .budget:
      AuditError(
        "\(name): gave up at \(place): following every input takes more than the budget of "
          + "\(sets.budget) steps, so nothing is known of the whole. Fewer conditions in the rules of "
          + "one call take fewer steps; `--budget` allows more")
    case .nodes, nil:
      AuditError(
        "\(name): gave up at \(place): following every input takes more memory than is allowed, so "
          + "nothing is known of the whole. Fewer conditions in the rules of one call take less")
    }
  }

  /// A call for such a message: `x86_64 socket`.
  static func call(_ name: String?, _ number: UInt32, on architecture: SeccompArchitecture)
    -> String
  {
    "\(CallSpace.shortName(architecture)) \(name ?? "call \(number)")"
  }
}
