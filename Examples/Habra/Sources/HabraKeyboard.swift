import KeyboardExtension

/// A keyboard for comments with tags: a tag key types an opening and a closing tag and leaves the
/// cursor between them. Swipes move the cursor, and a long press on delete deletes all.
final class HabraKeyboard: InputViewController {
  private var shift = HabraLayout.Shift.off
  private var plane = HabraLayout.Plane.latin
  private var letters = HabraLayout.Plane.latin
  private var tags: [Tag] = []
  /// While all is being deleted: one transaction has room for some thousand characters only.
  private var isDeletingAll = false

  override func viewDidLoad() {
    takesHardwareKeys = true
    readTags()
    show()
  }

  override func settingsDidChange() {
    readTags()
    show()
  }

  private func readTags() {
    tags = Tag.fixed
    for (key, preset) in [("firstTag", "h2"), ("secondTag", "spoiler")] {
      tags.append(Tag(id: key, name: settings.string(forKey: key) ?? "") ?? Tag(key, preset))
    }
  }

  private func show() {
    layout = HabraLayout.layout(tags: tags, plane: plane, shift: shift)
  }

  // MARK: Keys

  override func keyTapped(_ key: Key) {
    isDeletingAll = false
    if let tag = tags.first(where: { $0.keyIdentifier == key.id }) { return type(tag) }
    switch key.id {
    case HabraLayout.shiftKey: setShift(shift == .off ? .once : .off)
    case HabraLayout.symbolsKey: setPlane(.symbols)
    case HabraLayout.lettersKey: setPlane(letters)
    case HabraLayout.languageKey:
      letters = letters == .latin ? .cyrillic : .latin
      setPlane(letters)
    default:
      super.keyTapped(key)
      if shift == .once && key.role == .character { setShift(.off) }
    }
  }

  override func keyLongPressed(_ key: Key) {
    switch key.role {
    case .delete:
      isDeletingAll = true
      deleteAll()
    case .shift: setShift(.locked)
    default: keyTapped(key)
    }
  }

  private func setShift(_ new: HabraLayout.Shift) {
    shift = new
    show()
  }

  private func setPlane(_ new: HabraLayout.Plane) {
    plane = new
    show()
  }

  private func type(_ tag: Tag) {
    // A selection that is known whole goes between the tags. Of a longer one a part is not known,
    // and inserting would lose it: the tags come behind it.
    var content = textDocumentProxy.selectedText ?? ""
    if textDocumentProxy.isSelectionTruncated {
      content = ""
      textDocumentProxy.adjustTextPosition(byCharacterOffset: 0)
    }
    textDocumentProxy.insertText(tag.opening + content + tag.closing)
    textDocumentProxy.adjustTextPosition(byCharacterOffset: -tag.closing.count)
  }

  private func deleteAll() {
    let known = [
      textDocumentProxy.documentContextBeforeInput, textDocumentProxy.documentContextAfterInput,
    ].reduce(0) { $0 + ($1?.count ?? 0) }
    let isCut =
      textDocumentProxy.isContextTruncatedBefore || textDocumentProxy.isContextTruncatedAfter
    textDocumentProxy.unmarkText()
    if textDocumentProxy.selectedText != nil { textDocumentProxy.deleteBackward() }
    textDocumentProxy.adjustTextPosition(byCharacterOffset: Int.max)
    // The cursor may join clusters on its way; deleting once more at the start does nothing.
    for _ in 0..<(isCut ? 4000 : known + 1) { textDocumentProxy.deleteBackward() }
  }

  override func textDidChange(_ cause: ChangeCause) {
    guard isDeletingAll else { return }
    isDeletingAll = cause == .keyboard && textDocumentProxy.hasText
    if isDeletingAll { deleteAll() }
  }

  override func editsWereRefused() { isDeletingAll = false }

  override func viewDidDisappear() { isDeletingAll = false }

  // MARK: Swipes and hardware keys

  override func swiped(_ direction: SwipeDirection, count: Int) {
    isDeletingAll = false
    switch direction {
    case .left: textDocumentProxy.adjustTextPosition(byCharacterOffset: -count)
    case .right: textDocumentProxy.adjustTextPosition(byCharacterOffset: count)
    case .up:
      let before = textDocumentProxy.documentContextBeforeInput ?? ""
      let line = before.reversed().prefix { !$0.isNewline }.count
      textDocumentProxy.adjustTextPosition(byCharacterOffset: -line)
    case .down:
      let line = (textDocumentProxy.documentContextAfterInput ?? "").prefix { !$0.isNewline }.count
      textDocumentProxy.adjustTextPosition(byCharacterOffset: line)
    }
  }

  override func hardwareKeyPressed(_ key: HardwareKey) -> Bool {
    isDeletingAll = false
    guard key.modifiers.isDisjoint(with: [.control, .alt, .superKey]) else { return false }
    switch key.name {
    case "BackSpace": return textDocumentProxy.deleteBackward()
    case "Return", "KP_Enter": return textDocumentProxy.insertText("\n")
    case "Left": return textDocumentProxy.adjustTextPosition(byCharacterOffset: -1)
    case "Right": return textDocumentProxy.adjustTextPosition(byCharacterOffset: 1)
    default: return !key.characters.isEmpty && textDocumentProxy.insertText(key.characters)
    }
  }
}
