import TextInput

/// The cursor stands between user-perceived characters whatever is done, refused edits change
/// nothing, and the windows that keyboards see are pieces of the text.
func checkDocument(_ bytes: [UInt8]) throws(FuzzFinding) {
  var input = FuzzInput(bytes)
  var document = TextDocument(text(&input))
  for _ in 0..<64 where !input.isAtEnd {
    let before = document
    switch input.below(6) {
    case 0: document.select(range(&input))
    case 1: document.replaceText(text(&input), selection: input.bool() ? range(&input) : nil)
    case 2: document.commitMarkedText()
    default:
      var edits: [TextEdit] = []
      for _ in 0...input.below(3) { edits.append(edit(&input)) }
      do throws(TextEditError) { try document.apply(edits) } catch {
        try demand(document == before, "edits that were refused changed the document")
      }
    }
    try check(document, after: before)
  }
}

func check(_ document: TextDocument, after before: TextDocument) throws(FuzzFinding) {
  let text = document.text
  try demand(text.utf8.count == document.utf8Count, "the length of the text is wrong")
  let isSame =
    text.utf8.elementsEqual(before.text.utf8) && document.selectedRange == before.selectedRange
    && document.markedText == before.markedText
  try demand(
    document.revision == before.revision || document.revision == before.revision + 1,
    "one change counts as \(document.revision - before.revision)")
  if !isSame { try demand(document.revision != before.revision, "a change was not counted") }
  let window = document.context()
  let limit = ContextWindow.maximumBytes
  try demand(window == window.bounded, "a window is longer than it may be")
  if !window.isTruncatedBefore, !window.isTruncatedAfter, !window.isTruncatedSelection {
    let shown =
      window.beforeInput + (window.markedText ?? window.selectedText ?? "") + window.afterInput
    try demand(shown.utf8.elementsEqual(text.utf8), "the windows together are not the text")
  }
  try demand(window.beforeInput.utf8.count <= limit, "a window is too long")
  if let marked = document.markedText {
    try demand(!marked.isEmpty, "nothing is composed, and counts as composed text")
    return
  }
  // Selecting what is selected changes nothing, exactly when both ends stand at boundaries.
  var same = document
  same.select(document.selectedRange)
  try demand(same == document, "the cursor stands inside a character")
}

private func text(_ input: inout FuzzInput) -> String {
  let pieces = [
    "a", " ", "\u{301}", "e\u{301}", "\u{1F1E9}", "\u{1F1EA}", "\u{1F468}", "\u{200D}", "\r", "\n",
    "\u{915}", "\u{94D}", "\u{1100}", "\u{1161}", "\u{FE0F}", "\u{1F3FD}", "\u{600}",
  ]
  var result = ""
  for _ in 0..<input.below(9) { result.unicodeScalars += input.pick(pieces).unicodeScalars }
  return result
}

private func range(_ input: inout FuzzInput) -> Range<Int> {
  let start = input.below(16)
  return start..<(start + input.below(8))
}

private func edit(_ input: inout FuzzInput) -> TextEdit {
  switch input.below(6) {
  case 0: return .deleteBackward
  case 1:
    return .adjustTextPosition(
      byCharacterOffset: input.pick([-1, 1, -2, 3, -1 << 20, 1 << 20, .min, .max]))
  case 2: return .setMarkedText(text(&input), selectedRange: range(&input))
  case 3: return .unmarkText
  default: return .insertText(text(&input))
  }
}
