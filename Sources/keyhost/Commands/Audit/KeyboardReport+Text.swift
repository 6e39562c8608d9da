import CommandLineInterface
import KeyboardReport
import TerminalText

extension KeyboardReport {
  /// Of one kind of event so many different ones are shown.
  private static let shownRows = 8
  /// Of keyboards that only the log knows so many are shown.
  private static let shownRemoved = 20

  /// The report for a person at a terminal.
  func print(to console: Console) throws {
    try console.print(summary)
    for finding in findings { try console.print("FAULT: \(finding)") }
    if keyboards.isEmpty {
      try console.print("\nNo keyboard is installed, and none is in the log.")
    }
    for keyboard in keyboards where keyboard.isInstalled { try print(keyboard, to: console) }
    let removed = keyboards.filter { !$0.isInstalled }
    for keyboard in removed.prefix(Self.shownRemoved) { try print(keyboard, to: console) }
    if removed.count > Self.shownRemoved {
      try console.print(
        "\nAnd \(removed.count - Self.shownRemoved) more that are not installed any more.")
    }
    try printPromises(to: console)
    try printCalls(to: console)
  }

  private func print(_ keyboard: ReportedKeyboard, to console: Console) throws {
    let identifier = VisibleText.escape(keyboard.identifier)
    let name = keyboard.displayName.map { VisibleText.escape($0) + " (\(identifier))" }
    let version = keyboard.version.map { ", version " + VisibleText.escape($0) } ?? ""
    try console.print("\n\(name ?? identifier)\(version)")
    try console.print("  \(keyboard.placePhrase)\(keyboard.grantsPhrase)")
    for state in keyboard.isInstalled ? keyboard.possibleGrants : [] {
      guard let policy = policy(state) else { continue }
      try console.print("  \(keyboard.heading(of: state))")
      for ability in keyboard.abilities(under: policy) {
        try console.print("    \(VisibleText.escape(ability))")
      }
    }
    guard let period = keyboard.activity.period else {
      return try console.print("  it did nothing that is in the log")
    }
    try console.print(
      "  it did, from \(period.lowerBound.text) to \(period.upperBound.text)")
    for kind in keyboard.activity.kinds {
      let tally = keyboard.activity[kind]
      try console.print("    \(kind.title): \(tally.total)")
      let entries = tally.entries
      try console.printTable(
        entries.prefix(Self.shownRows).map { entry in
          let cells = zip(kind.columns, entry.cells).map { column, cell in
            VisibleText.escape(
              kind == .launches ? launchCell(column, cell) : cell, limit: 200)
          }
          return ["      \(entry.count)", cells.filter { !$0.isEmpty }.joined(separator: "  ")]
        })
      if entries.count > Self.shownRows {
        try console.print("      and \(entries.count - Self.shownRows) more, which --json lists")
      }
    }
  }

  private func printPromises(to console: Console) throws {
    try console.print("\na keyboard cannot")
    for evidence in PromiseEvidence.all {
      let state = evidence.state(trial)?.phrase ?? "not known here"
      try console.print("  \(evidence.promise.meaning)")
      try console.print("    \(evidence.promise.layersPhrase): \(state)")
      for phrase in evidence.phrases(in: policies) { try console.print("    \(phrase)") }
    }
  }

  private func printCalls(to console: Console) throws {
    for policy in policies {
      let proven = policy.claims.count { $0.isProven }
      try console.print(
        "\n\(policy.calls.count) system calls of \(policy.architecture) \(policy.grants.phrase), "
          + "\(proven) of \(policy.claims.count) claims proven")
      try console.printTable(
        CallTreatment.allCases.map { ["  \(policy.count($0))", $0.meaning] })
      for access in policy.fileAccess {
        try console.print("  files to \(access.use): \(access.places)")
      }
      try console.print(
        "  by \(policy.instructions) instructions, SHA-256 \(policy.digest)")
    }
    if !addedCalls.isEmpty {
      try console.print("\nopen access adds: \(addedCalls.joined(separator: ", "))")
    }
  }
}
