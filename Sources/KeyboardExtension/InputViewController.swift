import PluginProtocol

/// A keyboard: subclass it, declare a ``layout``, override what the keyboard does on its own, and
/// call ``run()`` in `main.swift`.
///
/// The names are those of `UIInputViewController`. Everything happens on the one thread that calls
/// ``run()``. Without any override the keys type their `insertText` or do what their role says.
open class InputViewController {
  /// The field that the keyboard types into.
  public let textDocumentProxy = TextDocumentProxy()
  /// The user's contacts; each request needs the user's grant.
  public let contactStore = ContactStore()
  /// Where the machine is; each request needs the user's grant.
  public let locationManager = LocationManager()
  /// The keys that the host shows. Set at the latest in ``viewDidLoad()``; a change is sent with
  /// the answer to the current event, or by itself.
  public var layout = KeyboardLayout(rows: []) {
    didSet {
      if !layoutChanged { previousLayout = oldValue }
      layoutChanged = true
    }
  }
  /// The suggestions above the keys.
  public var suggestions = SuggestionBar() {
    didSet { suggestionsChanged = suggestionsChanged || suggestions != oldValue }
  }
  /// Whether the keyboard is offered the keys of a hardware keyboard; read after ``viewDidLoad()``.
  public var takesHardwareKeys = false
  /// Whether the user granted open access. It does not change while the keyboard runs.
  public internal(set) var hasFullAccess = false
  /// Whether the keyboard has to have a key that goes to the next one.
  public internal(set) var needsInputModeSwitchKey = false
  /// The language of the keyboard, from its manifest.
  public internal(set) var primaryLanguage: String?
  /// The keyboard's settings.
  public internal(set) var settings = KeyboardSettings()
  /// Where the keyboard is shown; its layout may differ with it.
  public internal(set) var environment = LayoutEnvironment()

  var previousLayout = KeyboardLayout(rows: [])
  var layoutChanged = false
  var suggestionsChanged = false
  var actions: [KeyboardAction] = []
  var lexiconRequests: [([LexiconEntry]) -> Void] = []
  var readHandlers: [(descriptor: Int32, handler: () -> Void)] = []

  /// Makes a keyboard; nothing is known yet of settings or access.
  public init() {}

  // MARK: What a keyboard asks of the host

  /// Hides the keyboard.
  public func dismissKeyboard() { request(.dismissKeyboard) }

  /// Goes to the next keyboard of the user's list.
  public func advanceToNextInputMode() { request(.advanceToNextInputMode) }

  /// Makes the sound of a key, if the user has that on and the keyboard shows; as
  /// `UIDevice.playInputClick()`.
  public func playInputClick() { request(.playInputClick) }

  private func request(_ action: KeyboardAction) {
    if !actions.contains(action) { actions.append(action) }
  }

  /// Asks for the supplementary lexicon; the completion is called with its entries, or with none
  /// when there is none for this keyboard.
  public func requestSupplementaryLexicon(completion: @escaping ([LexiconEntry]) -> Void) {
    lexiconRequests.append(completion)
  }

  /// Calls the handler whenever the descriptor can be read, until it is removed. Edits that the
  /// handler makes are sent when it returns, and ``editsWereRefused()`` tells when they came too
  /// late.
  public func addReadHandler(descriptor: Int32, _ handler: @escaping () -> Void) {
    removeReadHandler(descriptor: descriptor)
    readHandlers.append((descriptor, handler))
  }

  /// Stops watching the descriptor; it stays open.
  public func removeReadHandler(descriptor: Int32) {
    readHandlers.removeAll { $0.descriptor == descriptor }
  }

  // MARK: What the host tells a keyboard

  /// The settings, access and environment are known; nothing of any field is yet.
  open func viewDidLoad() {}
  /// A field got focus.
  open func viewWillAppear() {}
  /// The field lost focus; the proxy has none now.
  open func viewDidDisappear() {}
  /// The text is about to change: the proxy still has the old one.
  open func textWillChange(_ cause: ChangeCause) {}
  /// The text changed.
  open func textDidChange(_ cause: ChangeCause) {}
  /// The selection is about to change: the proxy still has the old one.
  open func selectionWillChange(_ cause: ChangeCause) {}
  /// The selection, or the cursor's place, changed.
  open func selectionDidChange(_ cause: ChangeCause) {}
  /// The traits of the field changed, or a field with traits got focus.
  open func traitsDidChange() {}
  /// The settings changed.
  open func settingsDidChange() {}
  /// The place where the keyboard is shown changed.
  open func environmentDidChange() {}
  /// Edits that were made outside an event came too late and were not applied; the proxy has the
  /// text as it is.
  open func editsWereRefused() {}

  /// A key was tapped. As it is, types the key's `insertText` or does what its role says.
  open func keyTapped(_ key: Key) {
    if let text = key.insertText {
      textDocumentProxy.insertText(text)
      return
    }
    switch key.role {
    case .delete: textDocumentProxy.deleteBackward()
    case .return: textDocumentProxy.insertText("\n")
    case .space: textDocumentProxy.insertText(" ")
    case .dismiss: dismissKeyboard()
    case .nextKeyboard: advanceToNextInputMode()
    case .character, .shift, .custom: break
    }
  }

  /// A key was pressed for long. As it is, does what a tap does.
  open func keyLongPressed(_ key: Key) { keyTapped(key) }

  /// A finger went over the keys, that many steps. As it is, does nothing.
  open func swiped(_ direction: SwipeDirection, count: Int) {}

  /// A key of a hardware keyboard was pressed; only with ``takesHardwareKeys``. Returns whether
  /// the keyboard took it: one that it does not take is the host's, and edits made for it are
  /// dropped.
  open func hardwareKeyPressed(_ key: HardwareKey) -> Bool { false }

  /// A suggestion was picked. As it is, inserts it.
  open func suggestionPicked(_ text: String, index: Int) { textDocumentProxy.insertText(text) }

  /// A stroke was drawn on the keyboard's canvas.
  open func strokeDrawn(_ points: [StrokePoint]) {}
}
