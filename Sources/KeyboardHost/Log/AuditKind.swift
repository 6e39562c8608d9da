/// What an audit line is about. The raw value stands in the line's `event`.
public enum AuditKind: String, CaseIterable, Sendable {
  /// Which keyboard serves a field, and why.
  case decision
  /// A keyboard was started, with the enforcement of each layer and the policy's digest.
  case launch
  case launchFailed
  /// Something was asked for and refused: by the user's settings, not by the kernel.
  case refusal
  /// The system keyboard handled an event a keyboard did not answer.
  case fallback
  /// A keyboard tried a call the sandbox refuses.
  case violation
  /// A keyboard with open access connected to an address, or failed to.
  case connection
  /// A keyboard with open access is about to have a name looked up, or has had it in vain.
  case lookup
  /// A service answered a keyboard that was granted it: which, and how much; never what.
  case service
  case grant
  case revoke
  case install
  case remove
  /// A keyboard's process ended.
  case exit
  case restart
  /// A keyboard is not started any more after too many failures.
  case disabled
  case freeze
  case resume
  case protocolError
  /// A layer of the sandbox was left out because the user said so.
  case weakened
  /// What keyboards are told and say is shown to the user or written to a file, field text included.
  case traced
  case lateAnswer
  case staleAnswer
  /// The keyboard list was changed by the user.
  case keyboards
  /// Lines about a keyboard, or of what apps cause, that were not written, since there were too many of
  /// them.
  case suppressed
  /// A torn last line, left by a crash or a full disk, was ended.
  case repair

  /// Kinds that may come in floods: repeats of one are counted into one line. All others are
  /// written each by itself.
  var isCoalesced: Bool {
    switch self {
    case .decision, .refusal, .fallback, .violation, .connection, .lookup, .protocolError,
      .lateAnswer, .staleAnswer, .launchFailed, .freeze, .resume, .service:
      true
    case .launch, .grant, .revoke, .install, .remove, .exit, .restart, .disabled, .weakened,
      .traced, .keyboards, .suppressed, .repair:
      false
    }
  }

  /// Kinds that record the user's consent: on the disk before the change takes effect.
  var isDurable: Bool {
    switch self {
    case .grant, .revoke, .install, .remove, .keyboards, .weakened, .traced: true
    default: false
    }
  }
}
