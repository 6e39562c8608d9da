import KeyboardHost

/// Which keyboard serves the field, why that one, why not the others, and who has a network.
extension PlaygroundModel {
  /// - Returns: the row behind them.
  mutating func drawFacts(from first: Int, _ canvas: inout Canvas) -> Int {
    let size = canvas.size
    let most = size.rows < 32 ? 1 : 2
    let isWide = size.columns >= Self.wideColumns
    let isRefused = presentation.map { !$0.decision.isEligible } ?? false
    var number = fact(
      "Serves", serves(isWide: isWide), Style(serving == nil ? .plain : .allowed, isBold: true),
      at: first, &canvas)
    number = fact(
      "Why", why(isWide: isWide), Style(isRefused ? .refused : .plain), at: number, most: most,
      &canvas)
    for (index, text) in others(size).enumerated() {
      number = fact(index == 0 ? "Others" : "", text, .plain, at: number, &canvas)
    }
    let place = number
    number = fact(
      "Network", network, connected == nil ? .plain : Style(.network, isBold: true), at: number,
      most: most, &canvas)
    if connected != nil {
      for covered in place..<number { targets.append((row(covered, size), .revoke)) }
    }
    return number
  }

  /// - Returns: the row behind it.
  func fact(
    _ name: String, _ text: String, _ style: Style, at number: Int, most: Int = 1,
    _ canvas: inout Canvas
  ) -> Int {
    canvas.write(
      name, in: CanvasSpan(row: number, column: 2, width: Self.labelWidth - 2), style: .dim)
    let width = canvas.size.columns - Self.labelWidth - 3
    let lines = LineWrap.lines(text, width: width, most: most)
    for (offset, line) in lines.enumerated() {
      canvas.write(
        line, in: CanvasSpan(row: number + offset, column: Self.labelWidth + 2, width: width),
        style: style)
    }
    return number + lines.count
  }

  private func serves(isWide: Bool) -> String {
    guard let serving else {
      return "the system keyboard" + (isWide ? "; no other sees what you type here" : "")
    }
    let isIncognito = presentation?.decision.isIncognito ?? false
    if !isWide { return serving.shortName + ", in a sandbox of its own" }
    return serving.shortName
      + (isIncognito
        ? ", incognito: thrown away after; it sees what you type here"
        : ", in a sandbox of its own; it sees what you type here")
  }

  /// Why it is the one that serves.
  private func why(isWide: Bool) -> String {
    guard let presentation else { return "no field has focus" }
    let decision = presentation.decision
    if decision.fieldRefuses {
      return isWide
        ? decision.refusalWords + ": no other may serve it"
        : decision.shortRefusalWords + ": no other may serve"
    }
    if keyboards.count <= 1 {
      return "you have no other: `keyhost apps install`, `keyhost keyboards add`"
    }
    let choice =
      keyboards.first?.identifier == chosen?.identifier
      ? "first in your list (F3)" : "you switched to it (F2, F3)"
    guard let chosen, !chosen.isSystem else { return choice }
    guard decision.isEligible else {
      return "\(chosen.shortName) may not serve: \(decision.refusalWords)"
    }
    if presentation.keyboard == nil {
      return "\(chosen.shortName) is starting, or was stopped: see below (F7)"
    }
    if !isWide { return choice + (decision.isIncognito ? "; incognito" : "") }
    return decision.isIncognito
      ? "\(choice); incognito: \(decision.incognitoWords)"
      : "\(choice); the field and its app allow it"
  }

  /// Why not the others, a line each: where there are more of them than rows, the list has the rest.
  private func others(_ size: CanvasSize) -> [String] {
    let isWide = size.columns >= Self.wideColumns
    let serving = presentation?.keyboard ?? HostSettings.systemKeyboard
    let lines = keyboards.enumerated().filter { $0.element.identifier != serving }.map {
      let name =
        $0.element.isSystem ? (isWide ? "System keyboard" : "System") : $0.element.shortName
      return (isWide ? name : String(name.prefix(12))) + ": " + whyNot($0.offset, isWide: isWide)
    }
    let most = size.rows < 28 ? 2 : size.rows < 36 ? 3 : 6
    guard lines.count > most else { return lines }
    return lines.prefix(most - 1) + ["and \(lines.count - most + 1) more: F3 lists them"]
  }

  /// Why a keyboard does not serve the field that has focus.
  func whyNot(_ index: Int, isWide: Bool) -> String {
    let keyboard = keyboards[index]
    guard keyboard.decision.isEligible else {
      let decision = keyboard.decision
      return "refused: \(isWide ? decision.refusalWords : decision.shortRefusalWords)"
    }
    if keyboard.identifier == chosen?.identifier { return "starting, or stopped: see below (F7)" }
    // Before the one that serves in the list it is only where somebody chose that.
    let isPassedBy = keyboards.firstIndex { $0.identifier == chosen?.identifier }.map { index < $0 }
    let place = "\(Self.ordinal(index + 1)) in\(isWide ? " your" : "") list"
    guard isWide else { return "not chosen: \(place)" }
    let why = isPassedBy == true ? "you switched to another here" : "it is \(place)"
    return "not chosen: \(why)" + (index == next ? " (F2: next)" : "")
  }

  /// The place in the list of the keyboard that the globe key goes on to.
  private var next: Int? {
    guard let current = keyboards.firstIndex(where: { $0.identifier == chosen?.identifier }) else {
      return nil
    }
    return (1..<max(keyboards.count, 1)).map { (current + $0) % keyboards.count }
      .first { keyboards[$0].decision.isEligible }
  }

  private static func ordinal(_ number: Int) -> String {
    let ending =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }

  private var network: String {
    guard let connected else {
      if let revoked { return "none: taken from \(revoked.shortName); F1 says how to give it back" }
      return keyboards.count > 1 ? "none: no keyboard has open access" : "none"
    }
    let name = connected.shortName
    guard let serving else {
      return "none in this field; elsewhere \(name) has it (F6 takes it away)"
    }
    if serving.identifier != connected.identifier {
      return "\(name) has it (F6 takes it away); \(serving.shortName) has none"
    }
    return presentation?.decision.isIncognito == true
      ? "\(name) has it (F6 takes it away), but not here: incognito"
      : "OPEN: \(name) has it (F6 takes it away)"
  }
}
