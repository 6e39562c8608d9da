import AppProtocol
import TextInput

/// A field of an app: its text, and what is done with it.
///
/// The app changes its text at once and does not wait for the host. When the host has changed it
/// meanwhile the app's edit is refused as stale: the host's change is taken in, the app's edits are
/// moved by it and sent again, so that neither is lost.
///
/// Offsets are in Unicode scalars.
public final class TextInputClient {
  public let name: String
  unowned let client: KeyboardClient
  /// The text as the app shows it.
  public private(set) var text = ""
  /// The selection, or the cursor as an empty range.
  public private(set) var selectedRange = 0..<0
  /// The part that is being composed by a keyboard; nil when none is.
  public private(set) var markedRange: Range<Int>?
  public internal(set) var isFirstResponder = false
  /// Whether it was closed: then nothing of it is sent any more, and its name may be another field's.
  public private(set) var isClosed = false
  private var isClosing = false
  /// Whether nothing of it is sent any more.
  var isEnding: Bool { isClosing || isClosed }
  /// The traits that the app gave the field.
  public private(set) var traits: TextInputTraits
  /// The views that the app shows for the field; the one of the phrases comes on top of them.
  public private(set) var inputViews: InputViews
  /// The app's own phrases, none to three: see ``shownPhrases``.
  public var phrases = SuggestionBar() {
    didSet { followPhrases() }
  }
  /// How high the view of the phrases is, in points.
  public var phrasesHeight = 44
  var toldPhrases: [String] = []
  /// Hears that ``shownPhrases`` are others.
  public var onPhrases: (TextInputClient) -> Void = { _ in }
  /// Hears that the look of the selection, or of what is typed next, is to be changed.
  public var onFormat: (TextInputClient, RichTextCommand) -> Void = { _, _ in }
  /// Hears that the text, the selection or the composing changed, and not by the app.
  public var onChange: (TextInputClient) -> Void = { _ in }
  /// Hears that the host refused an edit of the app: the text is without it.
  public var onRefusedEdit: (TextInputClient, KeyboardClientError) -> Void = { _, _ in }

  private var pending: PendingText
  private var revision: UInt64
  /// Whether the first that the host does not have, an edit, is on its way.
  private var isSent = false
  /// The revision that it was sent for.
  private var sentRevision: UInt64 = 0

  init(
    name: String, client: KeyboardClient, field: DocumentDescription, revision: UInt64
  ) {
    self.name = name
    self.client = client
    traits = field.traits
    inputViews = field.inputViews
    pending = PendingText(field.text)
    self.revision = revision
    showEnd()
  }

  /// Whether the host knows all that the app did.
  public var isConfirmed: Bool { pending.steps.isEmpty }

  public func becomeFirstResponder() throws(KeyboardClientError) {
    try checkOpen()
    try client.sendInputs()
    _ = try client.call(.becomeFirstResponder(name))
    for document in client.documents.values { document.isFirstResponder = document === self }
  }

  public func resignFirstResponder() throws(KeyboardClientError) {
    try checkOpen()
    try client.sendInputs()
    _ = try client.call(.resignFirstResponder)
    isFirstResponder = false
  }

  /// Closes the field, for good, once the host has all that was done before. Who waits for an input from
  /// while it closes hears that it was not handled.
  public func close() throws(KeyboardClientError) {
    if isClosed || isClosing { return }
    try settle { pending.steps.isEmpty }
    isClosing = true
    defer { end() }
    _ = try client.call(.closeDocument(name))
  }

  private func end() {
    isClosed = true
    isFirstResponder = false
    if client.documents[name] === self { client.documents[name] = nil }
    for then in pending.end() { then(false) }
  }

  /// Waits until the condition holds, which sending what waits leads to.
  private func settle(until condition: () -> Bool) throws(KeyboardClientError) {
    if isClosing { return }
    try sendNext()
    try client.wait(until: condition)
  }

  /// Whether nothing that the user did waits.
  var hasSentInputs: Bool { isClosing || !pending.hasInputs }

  private func checkOpen() throws(KeyboardClientError) {
    // Another field may have the name by now.
    if isClosed { throw .closed(field: name) }
  }

  /// All traits anew: what is left out is absent.
  public func setTraits(_ traits: TextInputTraits) throws(KeyboardClientError) {
    try checkOpen()
    try settle { hasSentInputs }
    self.traits = traits
    _ = try client.call(.setTraits(name, effectiveTraits))
  }

  public func reloadInputViews(_ views: InputViews) throws(KeyboardClientError) {
    try checkOpen()
    try settle { hasSentInputs }
    inputViews = views
    _ = try client.call(.reloadInputViews(name, effectiveViews))
  }

  /// A key of the field's own input view was pressed.
  /// - Returns: whether it is to be heard: only while that view shows, and if the user wants it.
  public func playInputClick() throws(KeyboardClientError) -> Bool {
    try checkOpen()
    return try client.call(.playInputClick(name)).handled ?? false
  }

  // MARK: What the user does with the keyboard

  /// Passes on what the user did. `then` hears whether the host did something with it; if not, such
  /// as with an arrow key, it is the app's own to act on.
  public func send(
    _ input: AppInput, then: @escaping (_ handled: Bool) -> Void = { _ in }
  ) throws(KeyboardClientError) {
    try checkOpen()
    pending.append(input, then: then)
    try sendNext()
  }

  /// The keyboards that the globe's long press lists.
  public func keyboards() throws(KeyboardClientError) -> [ListedChoice] {
    try checkOpen()
    return try client.call(.listKeyboards(name)).keyboards ?? []
  }

  // MARK: What the app does by itself

  /// Replaces a part of the text, with the cursor behind what is new or the selection given.
  public func replace(
    _ range: Range<Int>, with text: String, selection: Range<Int>? = nil
  ) throws(KeyboardClientError) {
    precondition(range.lowerBound >= 0 && range.upperBound <= self.text.unicodeScalars.count)
    try checkOpen()
    // A line has a bound; a long text goes in pieces.
    pending.replace(range, with: text, selection: selection)
    let end = range.lowerBound + text.unicodeScalars.count
    show(selection ?? end..<end)
    try sendNext()
  }

  /// Puts a text in the place of the selection.
  public func insertText(_ text: String) throws(KeyboardClientError) {
    try replace(selectedRange, with: text)
  }

  /// Moves the cursor or selection.
  public func select(_ range: Range<Int>) throws(KeyboardClientError) {
    try checkOpen()
    pending.select(range)
    show(range)
    try sendNext()
  }

  private func show(_ selection: Range<Int>) {
    let shown = pending.shown
    text = String(scalars: shown)
    selectedRange = selection.clamped(to: 0..<shown.count)
    if pending.lastEdit != nil { markedRange = nil }
    followPhrases()
  }

  private func showEnd() {
    let end = pending.base.count
    show(end..<end)
  }

  func sendNext() throws(KeyboardClientError) {
    if isSent || isClosing { return }
    while let (input, then) = pending.nextInput() {
      try client.request(.event(name, input)) { reply, _ in then(reply?.handled ?? false) }
    }
    guard let edit = pending.steps.first?.edit else { return }
    isSent = true
    sentRevision = revision
    let request: AppRequest =
      if let text = edit.text {
        .replaceText(
          name, baseRevision: revision, range: edit.range, text: text, selection: edit.selection)
      } else {
        .select(name, baseRevision: revision, selection: edit.selection ?? 0..<0)
      }
    try client.request(request) { [weak self] in self?.confirmed($0, $1) }
  }

  private func confirmed(_ reply: ServerReply?, _ error: KeyboardClientError?) {
    if isClosed { return }
    isSent = false
    if let reply {
      pending.confirmFirst()
      revision = reply.revision ?? revision
    } else if let error, case .refused(let code, _) = error,
      code != AppFault.stale.rawValue || revision == sentRevision
    {
      // A `stale` without a change that was told would be so for ever.
      pending.refuseFirst()
      if let last = pending.lastEdit { show(last.selectionAfter) } else { showEnd() }
      onRefusedEdit(self, error)
    }
    // When the connection has ended, the next call says so.
    try? sendNext()
  }

  /// The host changed the text.
  /// - Returns: false when the change is for a text that this is not.
  func take(_ change: TextChange) -> Bool {
    guard change.baseRevision == revision, change.range.upperBound <= pending.base.count else {
      return false
    }
    pending.take(change.range, change.text)
    revision = change.revision
    let last = pending.lastEdit
    show(last?.selectionAfter ?? change.selection)
    if last == nil { markedRange = change.markedRange }
    onChange(self)
    return true
  }
}
