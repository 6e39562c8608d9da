import PolicyAudit
import SandboxLaunch
import SandboxPolicy

/// What becomes of a system call that a keyboard makes: the filter's answer, and the host's where
/// the filter leaves it to the host.
public enum CallTreatment: String, Sendable, CaseIterable {
  /// Runs, whatever its arguments.
  case allowed
  /// Runs for some arguments, and is refused for all others.
  case someArguments
  /// Made by the host in the keyboard's place, if the host's own check allows it.
  case byHost
  /// Fails with an error.
  case refused
  /// Ends the keyboard: nobody makes it in good faith.
  case ends

  /// - Parameter call: as the filter answers it for every argument there is.
  init(of call: Explanation.Call, grants: SandboxGrants) {
    let actions = call.rows.map(\.action)
    if actions.allSatisfy(\.permits) {
      self = .allowed
    } else if actions.contains(where: \.permits) {
      self = .someArguments
    } else if actions.contains(.notify) {
      // Only a keyboard with open access has a broker behind its connect.
      if call.name == "connect", grants.openAccess {
        self = .byHost
      } else {
        self = SandboxedChild.isEnded(byNotified: call.name) ? .ends : .refused
      }
    } else {
      let isDeadly = actions.contains {
        switch $0 {
        case .killProcess, .killThread, .trap: true
        default: false
        }
      }
      self = isDeadly ? .ends : .refused
    }
  }

  /// For people, after "N calls".
  public var meaning: String {
    switch self {
    case .allowed: "allowed"
    case .someArguments: "allowed for some arguments"
    case .byHost: "made by the host, after its own check"
    case .refused: "refused"
    case .ends: "end the keyboard"
    }
  }
}
