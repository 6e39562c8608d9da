/// The host's own keyboard: it serves every field that no other keyboard may, and every event that
/// another keyboard did not answer.
///
/// A key of it types exactly what the key shows. Capitals are a matter of the layout: shift and
/// automatic capitals change the keys, and the changed layout comes with the transaction.
public struct SystemKeyboard: Sendable {
  /// Which keys are shown.
  enum Plane: String, Sendable {
    case letters
    case numbers
    case symbols
  }

  /// What the letters look like.
  enum Shift: Sendable {
    case off
    case once
    case locked
  }

  var plane = Plane.letters
  var shift = Shift.off
  /// Shift tapped on another keyboard's layout, which cannot be changed here.
  private var foreignShift = false

  /// A keyboard that shows its letters.
  public init() {}

  /// The layout that a field with these traits has before anything is typed or shifted.
  public static func layout(for traits: TextInputTraits) -> KeyboardLayout {
    layout(for: traits, plane: firstPlane(for: traits), shift: .off)
  }

  /// The layout for a field that gets focus, with the capitals that its text and traits ask for.
  public mutating func currentLayout(
    in document: TextDocument, traits: TextInputTraits
  ) -> KeyboardLayout {
    plane = Self.firstPlane(for: traits)
    foreignShift = false
    shift = Self.automaticShift(after: document.context().beforeInput, traits)
    return Self.layout(for: traits, plane: plane, shift: shift)
  }

  /// What the keyboard does for an event. The layout is the one that was shown when the user did
  /// it, this keyboard's own or another's.
  public mutating func handle(
    _ event: InputEvent, in document: TextDocument, traits: TextInputTraits,
    layout: KeyboardLayout
  ) -> Transaction {
    switch event {
    case .tap(let id): return press(id, isLong: false, document, traits, layout)
    case .longPress(let id): return press(id, isLong: true, document, traits, layout)
    case .swipe(.left, let count): return typed([move(-count)], document, traits, layout)
    case .swipe(.right, let count): return typed([move(count)], document, traits, layout)
    case .swipe, .stroke: return .empty
    case .hardwareKey(let key): return typed(edits(for: key, document), document, traits, layout)
    case .suggestion(_, let text): return typed([.insertText(text)], document, traits, layout)
    }
  }

  private func move(_ count: Int) -> TextEdit { .adjustTextPosition(byCharacterOffset: count) }

  private mutating func press(
    _ id: String, isLong: Bool, _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout
  ) -> Transaction {
    guard let key = layout.key(id: id) else { return .empty }
    if layout.isSystem, let change = control(key, isLong: isLong) {
      change(&self)
      return Transaction(layout: Self.layout(for: traits, plane: plane, shift: shift))
    }
    if let text = key.insertText {
      let isCapital = foreignShift && !layout.isSystem && key.role == .character
      foreignShift = false
      return typed(
        [.insertText(isCapital ? Capitalization.titlecased(text) : text)], document, traits, layout)
    }
    switch key.role {
    case .delete: return typed([.deleteBackward], document, traits, layout)
    case .return: return typed([.insertText("\n")], document, traits, layout)
    case .space: return typed([.insertText(" ")], document, traits, layout)
    case .dismiss: return Transaction(actions: [.dismissKeyboard])
    case .nextKeyboard: return Transaction(actions: [.advanceToNextInputMode])
    case .shift: foreignShift.toggle()
    case .character, .custom: break
    }
    return .empty
  }

  /// What a key of this keyboard does to the keyboard itself, or nil if it types.
  private func control(_ key: Key, isLong: Bool) -> ((inout Self) -> Void)? {
    if key.role == .shift {
      return { $0.shift = isLong ? .locked : $0.shift == .off ? .once : .off }
    }
    for plane in [Plane.letters, .numbers, .symbols] where key.id == plane.keyIdentifier {
      return { $0.plane = plane }
    }
    return nil
  }

  /// A transaction with these edits, and with a new layout if they call for one.
  private mutating func typed(
    _ edits: [TextEdit], _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout
  ) -> Transaction {
    var transaction = Transaction(edits: edits)
    guard layout.isSystem, !edits.isEmpty, shift != .locked else { return transaction }
    // A window is enough to know, and is cheaper to copy than the text.
    var window = TextDocument(context: document.context())
    guard (try? window.apply(edits)) != nil else { return transaction }
    let next = Self.automaticShift(after: window.context().beforeInput, traits)
    if next != shift {
      shift = next
      transaction.layout = Self.layout(for: traits, plane: plane, shift: shift)
    }
    return transaction
  }

  private static func automaticShift(after text: String, _ traits: TextInputTraits) -> Shift {
    Capitalization.capitalizes(after: text, by: Capitalization.rule(for: traits)) ? .once : .off
  }

  private func edits(for key: HardwareKey, _ document: TextDocument) -> [TextEdit] {
    // Shortcuts are the app's.
    if !key.modifiers.isDisjoint(with: [.control, .alt, .superKey]) { return [] }
    switch key.name {
    case "Return", "KP_Enter": return [.insertText("\n")]
    case "Tab", "KP_Tab": return [.insertText("\t")]
    case "BackSpace": return [.deleteBackward]
    case "Left", "KP_Left": return [move(-1)]
    case "Right", "KP_Right": return [move(1)]
    case "Delete", "KP_Delete":
      if document.selectedText != nil { return [.deleteBackward] }
      if document.context().afterInput.isEmpty { return [] }
      return [move(1), .deleteBackward]
    case "Home", "KP_Home":
      return [move(-document.context().beforeInput.reversed().prefix { !$0.isNewline }.count)]
    case "End", "KP_End":
      return [move(document.context().afterInput.prefix { !$0.isNewline }.count)]
    default: break
    }
    // Tabs and line breaks are text too when they come as characters of an unnamed key.
    let typed = key.characters.unicodeScalars.filter {
      ($0.value >= 0x20 && $0.value != 0x7F) || $0 == "\t" || $0 == "\n" || $0 == "\r"
    }
    if typed.isEmpty { return [] }
    var text = ""
    text.unicodeScalars.append(contentsOf: typed)
    return [.insertText(text)]
  }
}
