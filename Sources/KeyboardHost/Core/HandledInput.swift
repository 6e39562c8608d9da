import TextInput

/// How one input of the person was handled: who did it, why, and what came of it.
public struct HandledInput: Sendable, Equatable {
  public enum Handler: Sendable, Equatable {
    case system
    case keyboard(String)
  }

  /// Why the system keyboard handled an input, or that the keyboard did.
  public enum Reason: Sendable, Equatable {
    case keyboardAnswered
    case keyboardSelected
    case systemKeyboardSelected
    case refused([DecisionReason])
    case hardwareKeyNotTaken
    case starting
    case launchFailed(String)
    case disabled
    case tooLate
    case unresponsive
    case died(String)
    case protocolError(String)
    case editRefused(String)
    case declined
    case keyboardReportedError(code: Int)
    case stale
    case staleTwice
    case documentClosed
    case frozen
    case incognitoOver
    case grantChanged
    case removedFromList
    case shutDown
    case auditUnavailable
    case editingCommand
    case outdated
    case notPossible
  }

  public var document: DocumentID
  public var input: UserInput
  public var handler: Handler
  public var reason: Reason
  public var transaction: Transaction
  /// Of the document, after the input was handled.
  public var revision: UInt64
  /// What the input was marked with.
  public var ticket: UInt64?
}

extension HandledInput.Reason: CustomStringConvertible {
  /// A word that stays the same from version to version.
  public var code: String {
    switch self {
    case .keyboardAnswered: "keyboard"
    case .keyboardSelected: "keyboard-selected"
    case .systemKeyboardSelected: "system-keyboard-selected"
    case .refused: "refused"
    case .hardwareKeyNotTaken: "hardware-key-not-taken"
    case .starting: "start-too-slow"
    case .launchFailed: "launch-failed"
    case .disabled: "disabled"
    case .tooLate: "too-late"
    case .unresponsive: "unresponsive"
    case .died: "died"
    case .protocolError: "protocol-error"
    case .editRefused: "edit-refused"
    case .declined: "declined"
    case .keyboardReportedError: "keyboard-error"
    case .stale: "stale"
    case .staleTwice: "stale-twice"
    case .documentClosed: "document-closed"
    case .frozen: "frozen"
    case .incognitoOver: "incognito-over"
    case .grantChanged: "grant-changed"
    case .removedFromList: "removed-from-list"
    case .shutDown: "shut-down"
    case .auditUnavailable: "audit-unavailable"
    case .editingCommand: "editing-command"
    case .outdated: "outdated"
    case .notPossible: "not-possible"
    }
  }

  public var description: String {
    switch self {
    case .keyboardAnswered: "the keyboard answered"
    case .keyboardSelected: "the keyboard was switched"
    case .systemKeyboardSelected: "the system keyboard is selected"
    case .refused(let reasons): reasons.map(\.description).joined(separator: "; ")
    case .hardwareKeyNotTaken: "the keyboard takes no hardware keys"
    case .starting: "the keyboard did not start in time; it types once it runs"
    // The message says that the keyboard was not started, and why.
    case .launchFailed(let message): message
    case .disabled:
      "the keyboard failed \(HostDeadlines().maximumFailures) times within a minute: it is not "
        + "started again before `keyhost` is, its app or its grants change"
    case .tooLate: "the keyboard did not answer in time"
    case .unresponsive: "the keyboard has not answered an earlier event yet"
    case .died(let how): "the keyboard ended before it answered: \(how)"
    case .protocolError(let message): "the keyboard broke the protocol: \(message)"
    case .editRefused(let message): "the keyboard's edit cannot be applied: \(message)"
    case .declined: "the keyboard left it to the system keyboard"
    case .keyboardReportedError(let code): "the keyboard answered with error \(code)"
    case .stale: "the app changed the text, and the keyboard may not be asked again"
    case .documentClosed: "the document was closed before the keyboard answered"
    case .staleTwice: "the app changed the text twice while the keyboard answered"
    case .frozen: "the keyboard was frozen before it answered"
    case .incognitoOver: "the focus for which it was started is over"
    case .removedFromList: "the keyboard was taken from the list"
    case .shutDown: "the host is ending"
    case .grantChanged: "the keyboard is started again with other rights"
    case .auditUnavailable: "the audit log cannot be written, so no keyboard may run"
    case .editingCommand: "the host itself does that"
    case .outdated: "the text is no longer the one that this was offered for"
    case .notPossible: "there is nothing to do, or the field or the settings do not allow it"
    }
  }
}
