import SandboxLaunch
import TerminalText

extension StartCheck.Finding {
  /// Why a keyboard is not started, and what to do; nil if nothing is in the way.
  func refusal(of keyboard: String) -> String? {
    let shown = VisibleText.escape(keyboard)
    if let excess {
      return "\(excess), and is not started until that is emptied: "
        + "`keyhost keyboards empty \(shown)` does it"
    }
    return sharedExcess.map {
      "\($0), and is not started with open access: `keyhost revoke \(shown) open-access` takes that "
        + "away, and to remove the app removes the container"
    }
  }
}
