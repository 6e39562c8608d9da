/// The host's own keyboard: it serves every field that no other keyboard may, and every event that
/// another keyboard did not answer.
///
/// A key of it types what the key shows, and what the user's settings and the field's traits make of
/// that: see `SystemKeyboard+Typing.swift`. Capitals are a matter of the layout: shift and automatic
/// capitals change the keys, and the changed layout comes with the transaction. Another keyboard's
/// keys, and a hardware keyboard's unless the user wants it otherwise, type what they say and no
/// more. It learns nothing: what it remembers is about the last keys of one field.
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

  /// Two taps of shift that are no further apart lock it, in milliseconds.
  static let doubleTap: UInt64 = 350

  /// The user's settings, language and lexicon.
  public var configuration: SystemKeyboardConfiguration { didSet { madeLayout = nil } }

  var plane = Plane.letters
  var shift = Shift.off
  /// The letter whose variants are shown above the keys, until the next thing that is done.
  private var variants: Character?
  /// Shift tapped on another keyboard's layout, which cannot be changed here.
  private var foreignShift = false
  /// When shift was tapped, if nothing was done since.
  private var lastShift: UInt64?
  /// What the last keys did. Gone when anybody else changes the text.
  var trail = TypingTrail()
  /// The text as this keyboard left it, to see that somebody else changed it.
  private var expectedRevision: UInt64?
  private var seenTraits: TextInputTraits?
  /// What was found out about the word that is being typed.
  var proposal: WordProposal?

  /// The layout that was made last: most keys change nothing of it.
  private var madeLayout: (of: LayoutMaterial, layout: KeyboardLayout)?

  /// All that a layout depends on besides the language.
  private struct LayoutMaterial: Sendable, Equatable {
    var type: Trait<KeyboardType>
    var returnKey: Trait<ReturnKeyType>
    var plane: Plane
    var shift: Shift
    var variants: Character?
  }

  /// A keyboard that shows its letters.
  public init(configuration: SystemKeyboardConfiguration = SystemKeyboardConfiguration()) {
    self.configuration = configuration
  }

  var settings: SystemKeyboardSettings { configuration.settings }

  func allows(_ feature: SystemKeyboardSettings.Feature, _ traits: TextInputTraits) -> Bool {
    settings[feature] && TypingRules.allow(feature, in: traits)
  }

  /// The layout that a field with these traits has before anything is typed or shifted.
  public static func layout(for traits: TextInputTraits) -> KeyboardLayout {
    layout(for: traits, plane: firstPlane(for: traits), shift: .off)
  }

  /// The layout as it is now, with the letters where the user's language has them.
  private mutating func shownLayout(for traits: TextInputTraits) -> KeyboardLayout {
    let material = LayoutMaterial(
      type: traits.keyboardType, returnKey: traits.returnKeyType, plane: plane, shift: shift,
      variants: variants)
    if let madeLayout, madeLayout.of == material { return madeLayout.layout }
    let layout = Self.layout(
      for: traits, plane: plane, shift: shift, letters: configuration.letters,
      variantsOf: variants)
    madeLayout = (material, layout)
    return layout
  }

  /// Begins anew, as when the field gets focus: with the first keys, and nothing remembered.
  public mutating func begin() {
    expectedRevision = nil
    seenTraits = nil
  }

  /// The layout for a field as it is now: the keys that the user chose last, with the capitals that
  /// its text and traits ask for.
  public mutating func currentLayout(
    in document: TextDocument, traits: TextInputTraits
  ) -> KeyboardLayout {
    follow(document, traits)
    return shownLayout(for: traits)
  }

  /// Sees what others did to the field meanwhile.
  mutating func follow(_ document: TextDocument, _ traits: TextInputTraits) {
    if seenTraits != traits {
      // Another rule for the same kind of field leaves the keys where the user has them.
      if seenTraits.map({ $0.keyboardType != traits.keyboardType }) ?? true {
        plane = Self.firstPlane(for: traits)
        shift = .off
        foreignShift = false
      }
      seenTraits = traits
      expectedRevision = nil
    }
    guard expectedRevision != document.revision else { return }
    expectedRevision = document.revision
    trail = TypingTrail()
    proposal = nil
    lastShift = nil
    variants = nil
    // Who locked the capitals wants them wherever the cursor goes.
    if shift != .locked {
      shift = automaticShift(after: document.context().beforeInput, traits)
    }
  }

  /// What the keyboard does for an event. The layout is the one that was shown when the user did
  /// it, this keyboard's own or another's.
  /// - Parameter time: when it happened, in milliseconds of any clock.
  public mutating func handle(
    _ event: InputEvent, in document: TextDocument, traits: TextInputTraits,
    layout: KeyboardLayout, at time: UInt64 = 0
  ) -> Transaction {
    follow(document, traits)
    let earlierShift = lastShift
    lastShift = nil
    let hadVariants = variants != nil
    variants = nil
    var transaction = act(on: event, document, traits, layout, at: time, earlierShift)
    // They go with whatever is done.
    if hadVariants, layout.isSystem, transaction.layout == nil {
      transaction.layout = shownLayout(for: traits)
    }
    return transaction
  }

  private mutating func act(
    on event: InputEvent, _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout, at time: UInt64, _ earlierShift: UInt64?
  ) -> Transaction {
    switch event {
    case .tap(let id):
      return press(id, isLong: false, document, traits, layout, at: time, earlierShift)
    case .longPress(let id):
      return press(id, isLong: true, document, traits, layout, at: time, nil)
    case .swipe(.left, let count):
      return moved([moveRight(-count, document)], document, traits, layout)
    case .swipe(.right, let count):
      return moved([moveRight(count, document)], document, traits, layout)
    case .swipe, .stroke: return .empty
    case .hardwareKey(let key): return press(key, document, traits, layout)
    case .suggestion(_, let text):
      if layout.isSystem, let edits = edits(picking: text, document, traits) {
        return typed(edits, document, traits, layout)
      }
      trail = TypingTrail()
      return typed([.insertText(text)], document, traits, layout)
    }
  }

  func move(_ count: Int) -> TextEdit { .adjustTextPosition(byCharacterOffset: count) }

  /// To the right as one sees it; the left is negative.
  private func moveRight(_ count: Int, _ document: TextDocument) -> TextEdit {
    move(count * WritingDirection(around: document.context()).stepToTheRight)
  }

  private mutating func press(
    _ id: String, isLong: Bool, _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout, at time: UInt64, _ earlierShift: UInt64?
  ) -> Transaction {
    guard let key = layout.key(id: id) else { return .empty }
    if layout.isSystem {
      if key.role == .shift {
        pressShift(isLong: isLong, at: time, earlierShift)
        return Transaction(layout: shownLayout(for: traits))
      }
      for plane in [Plane.letters, .numbers, .symbols] where key.id == plane.keyIdentifier {
        self.plane = plane
        return Transaction(layout: shownLayout(for: traits))
      }
      if isLong, let letter = Self.letterWithVariants(key, traits) {
        variants = letter
        return Transaction(layout: shownLayout(for: traits))
      }
    }
    // As on the phone, it waits for a text.
    if key.role == .return, traits.enablesReturnKeyAutomatically == .known(true), document.isEmpty {
      return .empty
    }
    if let text = key.insertText {
      if layout.isSystem {
        return typed(edits(typing: text, document, traits), document, traits, layout)
      }
      let isCapital = foreignShift && key.role == .character
      foreignShift = false
      trail = TypingTrail()
      return typed(
        [.insertText(isCapital ? Capitalization.titlecased(text) : text)], document, traits, layout)
    }
    switch key.role {
    case .delete:
      if layout.isSystem {
        return typed(deletion(document, traits), document, traits, layout)
      }
      return moved([.deleteBackward], document, traits, layout)
    case .return: return moved([.insertText("\n")], document, traits, layout)
    case .space: return moved([.insertText(" ")], document, traits, layout)
    case .dismiss: return Transaction(actions: [.dismissKeyboard])
    case .nextKeyboard: return Transaction(actions: [.advanceToNextInputMode])
    case .shift: foreignShift.toggle()
    case .character, .custom: break
    }
    return .empty
  }

  /// A tap is for one letter, or takes back what shift did; a second tap right behind it, or a long
  /// press, locks the capitals.
  private mutating func pressShift(isLong: Bool, at time: UInt64, _ earlier: UInt64?) {
    let isSecond = earlier.map { time >= $0 && time - $0 <= Self.doubleTap } ?? false
    if settings[.capsLock], shift != .locked, isLong || isSecond {
      shift = .locked
      return
    }
    shift = shift == .off ? .once : .off
    if !isLong { lastShift = time }
  }

  private mutating func press(
    _ key: HardwareKey, _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout
  ) -> Transaction {
    guard settings[.hardwareKeys] else {
      return moved(edits(for: key, document), document, traits, layout)
    }
    let edits = edits(for: key, document)
    if key.name == "BackSpace", edits == [.deleteBackward] {
      return typed(deletion(document, traits), document, traits, layout)
    }
    guard edits.count == 1, case .insertText(let text) = edits[0] else {
      return moved(edits, document, traits, layout)
    }
    let isCapital =
      shift == .once && key.modifiers.isDisjoint(with: [.shift, .capsLock])
      && text.first?.isLowercase == true
    let shown = isCapital ? Capitalization.titlecased(text) : text
    return typed(self.edits(typing: shown, document, traits), document, traits, layout)
  }

  /// A transaction of edits that are no typing: what was typed before them is finished.
  private mutating func moved(
    _ edits: [TextEdit], _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout
  ) -> Transaction {
    if !edits.isEmpty { trail = TypingTrail() }
    return typed(edits, document, traits, layout)
  }

  /// A transaction with these edits, and with a new layout if they call for one.
  private mutating func typed(
    _ edits: [TextEdit], _ document: TextDocument, _ traits: TextInputTraits,
    _ layout: KeyboardLayout
  ) -> Transaction {
    var transaction = Transaction(edits: edits)
    guard !edits.isEmpty else { return transaction }
    // A window is enough to know, and is cheaper to copy than the text.
    var window = TextDocument(context: document.context(), revision: document.revision)
    guard (try? window.apply(edits)) != nil else { return transaction }
    expectedRevision = window.revision
    guard shift != .locked else { return transaction }
    let next = automaticShift(after: window.context().beforeInput, traits)
    if next != shift {
      shift = next
      if layout.isSystem {
        transaction.layout = shownLayout(for: traits)
      }
    }
    return transaction
  }

  private func automaticShift(after text: String, _ traits: TextInputTraits) -> Shift {
    settings[.capitalization]
      && Capitalization.capitalizes(after: text, by: Capitalization.rule(for: traits))
      ? .once : .off
  }

  private func edits(for key: HardwareKey, _ document: TextDocument) -> [TextEdit] {
    // Shortcuts are the app's.
    if !key.modifiers.isDisjoint(with: [.control, .alt, .superKey]) { return [] }
    switch key.name {
    case "Return", "KP_Enter": return [.insertText("\n")]
    case "Tab", "KP_Tab": return [.insertText("\t")]
    case "BackSpace": return [.deleteBackward]
    case "Left", "KP_Left": return [moveRight(-1, document)]
    case "Right", "KP_Right": return [moveRight(1, document)]
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
