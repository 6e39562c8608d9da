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
  private var lastGroup: UInt64 = 0

  init(_ text: String) { base = Array(text.unicodeScalars) }

  /// The text as the app shows it.
  var shown: [Unicode.Scalar] {
    var result = base
    for case .edit(let edit) in steps { edit.apply(to: &result) }
    return result
  }

  var lastEdit: PendingEdit? { steps.last { $0.edit != nil }?.edit }

  mutating func append(_ input: AppInput, then: @escaping (Bool) -> Void) {
    steps.append(.input(input, then: then))
  }

  /// Replaces a part of ``shown``, in pieces of at most so many scalars.
  mutating func replace(
    _ range: Range<Int>, with text: String, selection: Range<Int>?, chunk: Int
  ) {
    lastGroup += 1
    let scalars = Array(text.unicodeScalars)
    var range = range
    var start = 0
    repeat {
      let end = min(start + chunk, scalars.count)
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<end])
      steps.append(
        .edit(
          PendingEdit(
            range: range, text: String(piece), selection: end == scalars.count ? selection : nil,
            group: lastGroup)))
      range = (range.lowerBound + piece.count)..<(range.lowerBound + piece.count)
      start = end
    } while start < scalars.count
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

  /// The host has made the first edit.
  mutating func confirmFirst() {
    guard let edit = steps.first?.edit else { return }
    steps.removeFirst()
    edit.apply(to: &base)
  }

  /// The host will not make the first edit: what is left of it goes, and the others stay, as they are
  /// without it.
  mutating func refuseFirst() {
    guard let group = steps.first?.edit?.group else { return }
    var undoing: [RangeChange] = []
    while let edit = steps.first?.edit, edit.group == group {
      steps.removeFirst()
      guard let change = edit.change else { continue }
      let start = change.range.lowerBound
      undoing.append(
        RangeChange(range: start..<(start + change.length), length: change.range.count))
    }
    cross(with: undoing.reversed())
  }

  /// The host has replaced a part of ``base``.
  mutating func take(_ range: Range<Int>, _ text: String) {
    base.replaceSubrange(range, with: text.unicodeScalars)
    cross(with: [RangeChange(range: range, length: text.unicodeScalars.count)])
  }

  private mutating func cross(with changes: [RangeChange]) {
    var changes = changes
    steps = steps.flatMap { step in
      guard let edit = step.edit else { return [step] }
      return edit.crossed(with: &changes).map(Step.edit)
    }
  }
}
