import LaunchPlanFormat
import LinuxSystem

/// Fetches the plan, and refuses everything that the host would not have made.
enum PlanReader {
  static func read() throws(LayerFailure) -> LaunchPlan {
    let isSealed: Bool
    do {
      isSealed = try SealedMemory.isSealed(LaunchDescriptors.plan)
    } catch {
      if error == .badFileDescriptor { throw LayerFailure("there is no launch plan") }
      throw LayerFailure("the launch plan is not sealed memory", error)
    }
    guard isSealed else {
      throw LayerFailure("the launch plan is not sealed: somebody could still change it")
    }
    guard hasStatusPipe else { throw LayerFailure("there is no status pipe") }
    let bytes = try attempt("reading the launch plan") { () throws(Errno) in
      try SealedMemory.contents(of: LaunchDescriptors.plan, maximum: LaunchPlan.maximumSize)
    }
    do {
      return try LaunchPlan(decoding: bytes)
    } catch {
      throw LayerFailure("the launch plan is refused: \(error)")
    }
  }

  /// Whether descriptor 5 can be written to as the host's status pipe can.
  static var hasStatusPipe: Bool {
    var entries = [PollEntry(LaunchDescriptors.status, .output)]
    guard (try? poll(&entries, milliseconds: 0)) == 1 else { return false }
    return entries[0].returned == .output
  }
}
