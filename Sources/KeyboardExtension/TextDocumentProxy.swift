import PluginProtocol

/// The field that the keyboard types into, with the names of `UITextDocumentProxy`.
///
/// An edit is in force when its call returns: the context, the selection and the marked text are
/// those after it. What is known of the text is a window around the cursor, at most 1024 bytes on
/// each side; where it is cut, an edit that leaves it shows less than there is until the host's
/// next message. All offsets are in grapheme clusters.
public final class TextDocumentProxy {
  /// The most bytes that the edits of one transaction take in its message.
  static let maximumEditBytes = 40_000

  private(set) var document: TextDocument?
  private var window = ContextWindow()
  private(set) var edits: [TextEdit] = []
  private var editBytes = 0
  /// The host's count of changes that edits outside an event are meant for.
  var hostRevision: UInt64 = 0
  /// The traits of the field as the app gave them: absent is told apart from false.
  public internal(set) var traits = TextInputTraits()
  /// Names the field as long as it is there; nil when none has focus. It says nothing of the app.
  public private(set) var documentIdentifier: String?

  init() {}

  // MARK: What is there

  /// The text before the cursor as far as it is known; nil when no field has focus.
  public var documentContextBeforeInput: String? { document?.context().beforeInput }

  /// The text after the cursor as far as it is known; nil when no field has focus.
  public var documentContextAfterInput: String? { document?.context().afterInput }

  /// The selected text, as far as it is known. A keyboard cannot select.
  public var selectedText: String? { document?.selectedText }

  /// The text being composed.
  public var markedText: String? { document?.markedText }

  /// Whether the field has any text.
  public var hasText: Bool {
    guard let document else { return false }
    return !document.isEmpty || window.isTruncatedBefore || window.isTruncatedAfter
  }

  /// Whether there was more text before the window when the host last told.
  public var isContextTruncatedBefore: Bool { window.isTruncatedBefore }

  /// Whether there was more text after the window when the host last told.
  public var isContextTruncatedAfter: Bool { window.isTruncatedAfter }

  /// Whether ``selectedText`` is only the beginning of what is selected.
  public var isSelectionTruncated: Bool {
    window.isTruncatedSelection && document?.selectedText == window.selectedText
  }

  // MARK: Edits. Each returns whether it is in force: not without a field, and not beyond a limit.

  /// Replaces the marked text or the selection, or inserts at the cursor.
  ///
  /// Control characters other than tab and line breaks are refused.
  @discardableResult public func insertText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy(\.isTypeable) && record(.insertText(text), text)
  }

  /// Removes the selection, or one grapheme cluster before the cursor.
  @discardableResult public func deleteBackward() -> Bool { record(.deleteBackward) }

  /// Moves the cursor.
  @discardableResult public func adjustTextPosition(byCharacterOffset offset: Int) -> Bool {
    let bound = Int(ProtocolLimits.offset)
    return record(.adjustTextPosition(byCharacterOffset: min(max(offset, -bound), bound)))
  }

  /// Shows text that is being composed; the range is in clusters of that text.
  @discardableResult public func setMarkedText(_ text: String, selectedRange: Range<Int>) -> Bool {
    text.unicodeScalars.allSatisfy(\.isTypeable)
      && record(.setMarkedText(text, selectedRange: selectedRange), text)
  }

  /// Makes the marked text ordinary text.
  @discardableResult public func unmarkText() -> Bool { record(.unmarkText) }

  private func record(_ edit: TextEdit, _ text: String = "") -> Bool {
    // Each byte may have to be escaped in the message, and each edit has its name there.
    let bytes =
      text.utf8.reduce(48) { sum, byte in
        sum + (byte < 0x20 || byte == 0x22 || byte == 0x5C ? 2 : 1)
      }
    guard document != nil, edits.count < ProtocolLimits.edits,
      edit == .deleteBackward || editBytes + bytes <= Self.maximumEditBytes,
      (try? document?.apply([edit])) != nil
    else { return false }
    edits.append(edit)
    editBytes += edit == .deleteBackward ? 0 : bytes
    return true
  }

  // MARK: For the session

  func show(_ state: FieldState) {
    documentIdentifier = state.documentIdentifier
    window = state.context
    hostRevision = state.revision
    document = TextDocument(context: state.context, revision: state.revision)
    if let traits = state.traits { self.traits = traits }
  }

  func hide() {
    documentIdentifier = nil
    document = nil
    window = ContextWindow()
    traits = TextInputTraits()
    _ = takeEdits()
  }

  func takeEdits() -> [TextEdit] {
    editBytes = 0
    let result = edits
    edits = []
    return result
  }

  func apply(_ edits: [TextEdit]) { try? document?.apply(edits) }
}

extension TextDocumentProxy {
  /// The kind of keyboard; nil when absent or unknown.
  public var keyboardType: KeyboardType? { traits.keyboardType.value }
  /// The look of the keyboard; nil when absent or unknown.
  public var keyboardAppearance: KeyboardAppearance? { traits.keyboardAppearance.value }
  /// What the return key does; nil when absent or unknown.
  public var returnKeyType: ReturnKeyType? { traits.returnKeyType.value }
  /// Whether the return key is off while the field is empty; nil when absent.
  public var enablesReturnKeyAutomatically: Bool? { traits.enablesReturnKeyAutomatically.value }
  /// Whether the look of the text can be changed; nil when absent.
  public var allowsEditingTextAttributes: Bool? { traits.allowsEditingTextAttributes.value }
  /// Whether nothing that is typed may be remembered.
  public var isPrivate: Bool? { traits.isPrivate.value }
  /// Whether the field is a terminal.
  public var isTerminal: Bool? { traits.isTerminal.value }
  /// When to capitalise; nil when absent or unknown.
  public var autocapitalizationType: AutocapitalizationType? { traits.autocapitalizationType.value }
  /// Whether to correct; nil when absent or unknown.
  public var autocorrectionType: AutocorrectionType? { traits.autocorrectionType.value }
  /// Whether to check the spelling; nil when absent or unknown.
  public var spellCheckingType: SpellCheckingType? { traits.spellCheckingType.value }
  /// Whether to make quotes typographic; nil when absent or unknown.
  public var smartQuotesType: SmartQuotesType? { traits.smartQuotesType.value }
  /// Whether to make dashes of hyphens; nil when absent or unknown.
  public var smartDashesType: SmartDashesType? { traits.smartDashesType.value }
  /// Whether to fit spaces around edits; nil when absent or unknown.
  public var smartInsertDeleteType: SmartInsertDeleteType? { traits.smartInsertDeleteType.value }
  /// What the text means; nil when absent or unknown.
  public var textContentType: TextContentType? { traits.textContentType.value }
}
