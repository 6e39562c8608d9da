import AppProtocol

/// A text as the host has it, and what was done with it that the host has not confirmed. Offsets
/// are in Unicode scalars.
///
/// What the host does meanwhile is crossed with the app's edits: nobody's text is lost, and only
/// what somebody deleted is gone.
struct PendingText {
  /// What the host does not have yet.
  enum Step {
    case edit(PendingEdit)
    /// What the user did after such an edit.
    case input(AppInput, then: (Bool) -> Void)

    var edit: PendingEdit? {
      if case .edit(let edit) = self { edit } else { nil }
    }
  }

  /// The text as the host has it.
  private(set) var base: [Unicode.Scalar]
  /// In their order.
  private(set) var steps: [Step] = []
  /// What undoes the part of the first edit that the host has, the last made first.
  private var made: [PendingEdit] = []
  private var lastGroup: UInt64 = 0
  /// How many scalars of a text go into one message.
  private let chunk: Int

  init(_ text: String, chunk: Int = KeyboardClient.chunk) {
    base = Array(text.unicodeScalars)
    self.chunk = chunk
  }

  /// The text as the app shows it.
  var shown: [Unicode.Scalar] {
    var result = base
    for case .edit(let edit) in steps { edit.apply(to: &result) }
    return result
  }

  /// Whether something that the user did waits.
  var hasInputs: Bool { steps.contains { $0.edit == nil } }

  var lastEdit: PendingEdit? { steps.last { $0.edit != nil }?.edit }

  mutating func append(_ input: AppInput, then: @escaping (Bool) -> Void) {
    steps.append(.input(input, then: then))
  }

  /// Replaces a part of ``shown``, in pieces of at most ``chunk`` scalars.
  mutating func replace(_ range: Range<Int>, with text: String, selection: Range<Int>?) {
    lastGroup += 1
    let edit = PendingEdit(range: range, text: text, selection: selection, group: lastGroup)
    steps += edit.pieces(ofAtMost: chunk).map(Step.edit)
  }

  mutating func select(_ range: Range<Int>) {
    lastGroup += 1
    steps.append(
      .edit(PendingEdit(range: 0..<0, text: nil, selection: range, group: lastGroup)))
  }

  /// Takes an input away that no edit is before.
  mutating func nextInput() -> (AppInput, then: (Bool) -> Void)? {
    guard case .input(let input, let then)? = steps.first else { return nil }
    steps.removeFirst()
    return (input, then)
  }

  /// Nothing of it will be sent any more.
  /// - Returns: who waits for what the user did.
  mutating func end() -> [(Bool) -> Void] {
    defer { (steps, made) = ([], []) }
    return steps.compactMap { if case .input(_, let then) = $0 { then } else { nil } }
  }

  /// The host has made the first edit.
  mutating func confirmFirst() {
    guard let edit = steps.first?.edit else { return }
    steps.removeFirst()
    if edit.group != 0, steps.first?.edit?.group == edit.group {
      // More of the same edit follows, which may be refused.
      if let undoing = edit.undoing(in: base) { note(undoing) }
    } else {
      made = []
    }
    edit.apply(to: &base)
  }

  /// One change undoes pieces that stand one behind the other.
  private mutating func note(_ undoing: PendingEdit) {
    if let last = made.first?.range, undoing.text == "", undoing.range.lowerBound == last.upperBound
    {
      made[0].range = last.lowerBound..<undoing.range.upperBound
    } else {
      made.insert(undoing, at: 0)
    }
  }

  /// The host will not make the first edit: what is left of it goes, what the host has of it is undone,
  /// and the others stay, as they are without it.
  mutating func refuseFirst() {
    guard let first = steps.first?.edit else { return }
    var left: [RangeChange] = []
    repeat {
      if let change = steps.removeFirst().edit?.change { left.append(change) }
    } while first.group != 0 && steps.first?.edit?.group == first.group
    let pieces = made.flatMap { $0.pieces(ofAtMost: chunk) }
    made = []
    Self.cross(&steps, with: left.reversed().map(\.reversed) + pieces.compactMap(\.change))
    steps = pieces.map(Step.edit) + steps
  }

  /// The host has replaced a part of ``base``.
  mutating func take(_ range: Range<Int>, _ text: String) {
    base.replaceSubrange(range, with: text.unicodeScalars)
    let change = RangeChange(range: range, length: text.unicodeScalars.count)
    Self.cross(&steps, with: [change])
    var changes = [change]
    made = made.flatMap { $0.crossed(with: &changes) }
  }

  private static func cross(_ steps: inout [Step], with changes: [RangeChange]) {
    var changes = changes
    steps = steps.flatMap { step in
      guard let edit = step.edit else { return [step] }
      return edit.crossed(with: &changes).map(Step.edit)
    }
  }
}
