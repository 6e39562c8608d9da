import TextInput

/// An input that waits for its turn.
struct QueuedInput {
  var input: UserInput
  /// The layout that was shown when the input was made: a key means what was drawn on it then.
  var layout: KeyboardLayout?
  /// Of the document, when the input was made.
  var revision: UInt64
  /// Comes back when the input was handled.
  var ticket: UInt64?
}

/// A document and all that the host keeps about it.
final class HostedDocument {
  let id: DocumentID
  let app: String?
  /// The order of opening, so that walks over all documents are the same in every run.
  let ordinal: Int
  private(set) var traits: TextInputTraits
  var appAnswer: AppAnswer { didSet { fieldChanged() } }
  private(set) var wasSecure: Bool
  private(set) var wasIncognito: Bool
  var hasInputView = false { didSet { fieldChanged() } }
  /// The revision that the driver was last told of.
  var reportedRevision: UInt64 = 0
  var text: TextDocument
  var queue = Queue<QueuedInput>()
  /// The keyboard that handles an event of this document just now.
  var busyInstance: InstanceID?
  /// The keyboard the user switched to; nil for the first of the list, which may change.
  var chosenKeyboard: String? { didSet { choice = nil } }
  /// What follows from the user's choice and list, and from the field; nil until it is asked for.
  var choice: KeyboardChoice?
  private var knownKeepsAway: Bool?
  /// What the document is for, if its app says so.
  var inputContext: RememberedKeyboards.Context?
  /// The random name under which each keyboard knows this document.
  var identifiers: [String: String] = [:]
  var systemKeyboard: SystemKeyboard
  /// The revision whose word was asked about last.
  var askedRevision: UInt64?
  /// Whether the answer to that is still to come.
  var awaitsWord = false
  /// The question that a shake led to.
  var undoPrompt: UndoPrompt?
  /// The finger that moves the cursor.
  var trackpad = TrackpadCursor()
  /// The decision of the last audit line, so that only changes are logged.
  var loggedDecision: LoggedDecision?

  struct LoggedDecision: Equatable {
    var keyboard: String?
    var decision: Decision
  }

  init(
    id: DocumentID, app: String?, ordinal: Int, traits: TextInputTraits, appAnswer: AppAnswer,
    text: String, systemKeyboard: SystemKeyboard
  ) {
    self.id = id
    self.app = app
    self.ordinal = ordinal
    self.traits = traits
    self.appAnswer = appAnswer
    self.text = TextDocument(text)
    self.text.keepHistory()
    self.systemKeyboard = systemKeyboard
    wasSecure = Eligibility.isSecure(traits)
    wasIncognito = !traits.incognitoCauses.isEmpty
  }

  /// The traits that the system keyboard goes by: what was secure or incognito once is treated so for
  /// good.
  var typingTraits: TextInputTraits {
    guard wasSecure || wasIncognito else { return traits }
    var kept = traits
    if wasSecure { kept.isSecureTextEntry = .known(true) }
    if wasIncognito { kept.isPrivate = .known(true) }
    return kept
  }

  /// Takes new traits. What was secure or incognito once stays so.
  func adopt(_ new: TextInputTraits) {
    traits = new
    wasSecure = wasSecure || Eligibility.isSecure(new)
    wasIncognito = wasIncognito || !new.incognitoCauses.isEmpty
    fieldChanged()
  }

  private func fieldChanged() {
    choice = nil
    knownKeepsAway = nil
  }

  /// Whether every keyboard that remembers is kept away from it.
  var keepsAway: Bool {
    if let knownKeepsAway { return knownKeepsAway }
    let keepsAway = Eligibility.keepsAway(field)
    knownKeepsAway = keepsAway
    return keepsAway
  }

  var field: FieldDescription {
    FieldDescription(
      traits: traits, wasSecure: wasSecure, wasIncognito: wasIncognito, appAnswer: appAnswer,
      hasInputView: hasInputView)
  }
}
