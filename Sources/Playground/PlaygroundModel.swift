import KeyboardHost
import TextInput

/// The state of the playground: what is shown, what is picked out, and what a person's doings mean.
/// It does no I/O; a session feeds it and does what it wants.
public struct PlaygroundModel: Sendable {
  /// What stands before everything else.
  public enum Overlay: Sendable, Equatable { case none, help, keyboards, happenings }

  /// What a place of the screen stands for.
  public enum Target: Sendable, Equatable {
    case field(Int)
    case key(row: Int, index: Int)
    case suggestion(Int)
    case globe
    case list
    case eye(Int)
    case revoke
    case listed(Int)
    case overlay
    /// A key of the line at the bottom: F1 is 1.
    case function(Int)
  }

  /// How many lines of what happened are kept.
  public static let keptActivities = 200

  public private(set) var fields: [PlayField]
  public private(set) var focused = 0
  public internal(set) var overlay = Overlay.none
  /// What the host shows for the field that has focus.
  public private(set) var presentation: Presentation?
  /// The user's keyboards in their order, the host's own among them under the name `system`.
  public internal(set) var keyboards: [PlayKeyboard] = []
  /// From whom the network was taken here, last.
  var revoked: PlayKeyboard?
  /// What happened, the latest last.
  public private(set) var activities: [Activity] = []
  /// The key that the arrows have gone to; row -1 is the suggestion bar.
  public private(set) var highlight: (row: Int, index: Int)?
  var listedHighlight = 0
  /// How far the list of what happened is scrolled.
  var happeningsPassed = 0
  /// What the last drawing put where.
  var targets: [(span: CanvasSpan, target: Target)] = []
  /// How wide the keys of the last drawing were together, in columns; nil where none were drawn. The keys
  /// themselves may be others by now: what a keyboard shows can change between two inputs.
  var gridWidth: Int?

  public init(fields: [PlayField] = PlayField.all) { self.fields = fields }

  // MARK: What the session tells

  public mutating func present(_ new: Presentation) {
    presentation = new
    guard let (row, index) = highlight else { return }
    let rows = new.layout.rows
    if row < 0 {
      if index >= new.suggestions.count { highlight = nil }
    } else if row >= rows.count || index >= rows[row].count {
      highlight = nil
    }
  }

  public mutating func note(_ activity: Activity) {
    var new = activity
    // A keyboard that starts again tries the same again: that is no other line. News are told in
    // their order.
    let same =
      activity.outcome == nil
      ? activities.indices.last.flatMap { activities[$0].text == activity.text ? $0 : nil }
      : activities.lastIndex { $0.outcome == activity.outcome && $0.text == activity.text }
    if let same { new.count += activities.remove(at: same).count }
    activities.append(new)
    if activities.count > Self.keptActivities { activities.removeFirst() }
  }

  /// Takes over the list as it is now, and tells what was given or taken since.
  public mutating func adopt(_ new: [PlayKeyboard]) {
    for keyboard in new {
      let before = keyboards.first { $0.identifier == keyboard.identifier }
      guard let before, before.hasOpenAccess != keyboard.hasOpenAccess else { continue }
      note(
        keyboard.hasOpenAccess
          ? Activity("\(keyboard.shortName) was given open access: the Internet", .network)
          : Activity("open access was taken from \(keyboard.shortName)", .accent))
      revoked = keyboard.hasOpenAccess ? nil : keyboard
    }
    keyboards = new
  }

  /// The name of a keyboard.
  public func keyboardName(_ identifier: String) -> String {
    let known = keyboards.first { $0.identifier == identifier }
    return known?.shortName
      ?? PlayKeyboard(identifier: identifier, name: identifier, hasOpenAccess: false).shortName
  }

  /// The keyboard that serves the field that has focus, nil for the host's own.
  var serving: PlayKeyboard? {
    guard let identifier = presentation?.keyboard else { return nil }
    return keyboards.first { $0.identifier == identifier }
      ?? PlayKeyboard(identifier: identifier, name: identifier, hasOpenAccess: false)
  }

  /// The one that is chosen for the field that has focus, whether or not it may serve it.
  var chosen: PlayKeyboard? {
    keyboards.first { $0.isChosen }
      ?? keyboards.first { $0.identifier == presentation?.keyboard ?? HostSettings.systemKeyboard }
  }

  /// Whose network can be taken away: the keyboard that serves, else the first that has any.
  var connected: PlayKeyboard? {
    if let serving, serving.hasOpenAccess { return serving }
    return keyboards.first { $0.hasOpenAccess }
  }

  // MARK: What the person does

  public mutating func handle(_ input: PlayInput) -> [PlayAction] {
    switch input {
    case .quit, .end: return [.quit]
    case .resize: return []
    case .press(let row, let column): return press(row, column, isLong: false)
    case .longPress(let row, let column): return press(row, column, isLong: true)
    case .character, .key: break
    }
    switch overlay {
    case .none: return type(input)
    case .help:
      if input == .key(.function(10)) { return [.quit] }
      overlay = .none
      return []
    case .keyboards: return choose(input)
    case .happenings: return scroll(input)
    }
  }

  private mutating func type(_ input: PlayInput) -> [PlayAction] {
    switch input {
    case .character(let text):
      highlight = nil
      return [.user(.character(text))]
    case .key(.enter):
      guard let (row, index) = highlight else { return [hardwareKey("Return")] }
      return row < 0 ? pick(index) : tap(row, index, isLong: false)
    case .key(.up): move(rows: -1)
    case .key(.down): move(rows: 1)
    case .key(.left): move(columns: -1)
    case .key(.right): move(columns: 1)
    case .key(.textLeft): return [hardwareKey("Left")]
    case .key(.textRight): return [hardwareKey("Right")]
    case .key(.home): return [hardwareKey("Home")]
    case .key(.end): return [hardwareKey("End")]
    case .key(.delete): return [hardwareKey("Delete")]
    case .key(.backspace): return [hardwareKey("BackSpace")]
    case .key(.tab): return focus((focused + 1) % fields.count)
    case .key(.backTab): return focus((focused + fields.count - 1) % fields.count)
    case .key(.escape): highlight = nil
    case .key(.function(1)): overlay = .help
    case .key(.function(2)): return next()
    case .key(.function(3)): openList()
    case .key(.function(4)): return toggleEye(focused)
    case .key(.function(5)):
      guard let (row, index) = highlight, row >= 0 else { return [] }
      return tap(row, index, isLong: true)
    case .key(.function(6)): return revoke()
    case .key(.function(7)):
      overlay = .happenings
      happeningsPassed = 0
    case .key(.function(10)): return [.quit]
    default: break
    }
    return []
  }

  private mutating func scroll(_ input: PlayInput) -> [PlayAction] {
    switch input {
    // The drawing knows how many lines there are.
    case .key(.down): happeningsPassed += 1
    case .key(.up): happeningsPassed = max(happeningsPassed - 1, 0)
    case .key(.function(10)): return [.quit]
    default: overlay = .none
    }
    return []
  }

  private mutating func choose(_ input: PlayInput) -> [PlayAction] {
    switch input {
    case .key(.up): listedHighlight = max(listedHighlight - 1, 0)
    case .key(.down): listedHighlight = min(listedHighlight + 1, max(keyboards.count - 1, 0))
    case .key(.enter): return select(listedHighlight)
    case .key(.function(10)): return [.quit]
    default: overlay = .none
    }
    return []
  }

  private mutating func press(_ row: Int, _ column: Int, isLong: Bool) -> [PlayAction] {
    let hit = targets.last { $0.span.contains(row: row, column: column) }?.target
    if overlay != .none {
      if case .listed(let index) = hit { return select(index) }
      if hit != .overlay { overlay = .none }
      return []
    }
    switch hit {
    case .field(let index): return focus(index)
    case .key(let row, let index): return tap(row, index, isLong: isLong)
    case .suggestion(let index): return pick(index)
    case .globe where isLong: openList()
    case .globe: return next()
    case .list: openList()
    case .eye(let index): return toggleEye(index)
    case .revoke: return revoke()
    case .function(let number): return type(.key(.function(number)))
    case .listed, .overlay, nil: break
    }
    return []
  }

  private mutating func focus(_ index: Int) -> [PlayAction] {
    focused = index
    highlight = nil
    return [.focus(fields[index].document)]
  }

  private func tap(_ row: Int, _ index: Int, isLong: Bool) -> [PlayAction] {
    guard let rows = presentation?.layout.rows, row < rows.count, index < rows[row].count else {
      return []
    }
    let key = rows[row][index].id
    return [.user(.event(isLong ? .longPress(key: key) : .tap(key: key)))]
  }

  private func pick(_ index: Int) -> [PlayAction] {
    guard let suggestions = presentation?.suggestions, index < suggestions.count else { return [] }
    return [.user(.event(.suggestion(index: index, text: suggestions[index])))]
  }

  private func hardwareKey(_ name: String) -> PlayAction {
    .user(.event(.hardwareKey(HardwareKey(characters: "", name: name))))
  }

  private mutating func openList() {
    overlay = .keyboards
    let current = presentation?.keyboard ?? HostSettings.systemKeyboard
    listedHighlight = keyboards.firstIndex { $0.identifier == current } ?? 0
  }

  private mutating func select(_ index: Int) -> [PlayAction] {
    overlay = .none
    guard index < keyboards.count else { return [] }
    let keyboard = keyboards[index]
    guard keyboard.decision.isEligible else {
      note(
        Activity(
          "\(keyboard.shortName) may not serve \(fields[focused].name): "
            + keyboard.decision.refusalWords, .accent))
      return []
    }
    return [.user(.selectKeyboard(keyboard.identifier))]
  }

  /// The next keyboard that may serve the field, where there is one.
  private mutating func next() -> [PlayAction] {
    if presentation?.keyboard == nil,
      !keyboards.contains(where: { !$0.isSystem && $0.decision.isEligible })
    {
      note(
        Activity(
          keyboards.count > 1
            ? "no other keyboard may serve \(fields[focused].name)"
            : "there is no other keyboard in your list", .accent))
      return []
    }
    return [.user(.nextKeyboard)]
  }

  private mutating func toggleEye(_ index: Int) -> [PlayAction] {
    guard fields[index].hasEye else { return [] }
    fields[index].traits.isSecureTextEntry = .known(!fields[index].isHidden)
    return [.traits(fields[index])]
  }

  private func revoke() -> [PlayAction] {
    connected.map { [.revoke(keyboard: $0.identifier)] } ?? []
  }

  // MARK: The arrows

  private mutating func move(rows step: Int) {
    guard let gridWidth, let layout = presentation?.layout, !layout.rows.isEmpty else { return }
    let grid = KeyGrid(layout, width: gridWidth)
    let hasSuggestions = !(presentation?.suggestions ?? []).isEmpty
    guard let (row, index) = highlight else {
      highlight = (step > 0 ? 0 : layout.rows.count - 1, 0)
      return
    }
    let next = row + step
    if next < 0 {
      if hasSuggestions { highlight = (-1, 0) }
    } else if next < grid.rows.count {
      let middle = row < 0 ? 0 : grid.middle(row, index)
      highlight = (next, grid.index(in: next, at: middle))
    }
  }

  private mutating func move(columns step: Int) {
    guard let presentation, let first = presentation.layout.rows.first, !first.isEmpty else {
      return
    }
    guard let (row, index) = highlight else {
      highlight = (0, step > 0 ? 0 : first.count - 1)
      return
    }
    let count = row < 0 ? presentation.suggestions.count : presentation.layout.rows[row].count
    highlight = (row, min(max(index + step, 0), count - 1))
  }
}
