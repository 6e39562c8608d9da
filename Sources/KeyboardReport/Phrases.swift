import KeyboardHost
import SandboxLaunch
import SandboxPolicy

extension SandboxGrants {
  /// For people, at the end of a sentence.
  public var phrase: String { openAccess ? "with open access" : "without open access" }
}

extension PromiseState {
  /// For people.
  public var phrase: String {
    switch self {
    case .kept: "kept"
    case .keptByOne: "kept by one layer"
    case .notKept: "NOT KEPT"
    }
  }
}

extension SandboxPromise {
  /// The layers behind it: the first, then those that keep it without the first.
  public var layersPhrase: String {
    func names(_ layers: Set<SandboxLayer>) -> String {
      SandboxLayer.allCases.filter(layers.contains).map(\.rawValue).joined(separator: " and ")
    }
    return second.isEmpty ? names(first) : "\(names(first)); \(names(second))"
  }
}

extension PromiseEvidence {
  /// What the programs prove of the promise in one state of the grants, for people.
  public func phrase(in policy: ProvenPolicy) -> String {
    let claims = claims(in: policy)
    let broken = claims.filter { !$0.isProven }.map(\.name)
    if !broken.isEmpty { return "NOT PROVEN: " + broken.joined(separator: ", ") }
    if claims.isEmpty { return "not a matter of calls" }
    let proven = "proven: " + claims.map(\.name).joined(separator: ", ")
    return isLiftedByOpenAccess && policy.grants.openAccess
      ? "granted, only TCP through the host; \(proven)" : proven
  }
}

extension ReportedKeyboard {
  /// What the user granted, for people.
  public var grantsPhrase: String {
    if !isInstalled { return "not installed any more" }
    if hasOpenAccess { return "open access granted" }
    return requestsOpenAccess
      ? "open access not granted, though it asks for it" : "asks for no open access"
  }

  /// The states of the grants that it can be in: with what it has now, and with what it asks for.
  public var possibleGrants: [SandboxGrants] {
    SandboxGrants.allStates.filter { !$0.openAccess || requestsOpenAccess }
  }

  /// A heading for what it may do in one state of its grants.
  public func heading(of state: SandboxGrants) -> String {
    state == grants ? "it may, now" : "it could, \(state.phrase)"
  }

  /// What it may do, a sentence a line, as the policy of a state of its grants proves it.
  public func abilities(under policy: ProvenPolicy) -> [String] {
    var lines: [String] = []
    func isProven(_ names: String...) -> Bool {
      names.allSatisfy { name in policy.claims.contains { $0.name == name && $0.isProven } }
    }
    if isProven("no-network") {
      lines.append("Network: none. No socket of any kind can be made.")
    } else if isProven("tcp-only", "no-connection-around-the-broker") {
      lines.append(
        "Network: TCP connections to public addresses, each made by the host after its own check."
      )
      if !allowedHosts.isEmpty {
        lines.append("The user also opened: " + allowedHosts.joined(separator: ", ") + ".")
      }
    } else {
      lines.append("Network: NOT PROVEN to be closed.")
    }
    lines.append(
      isProven("no-microphone-route")
        ? "Microphone: none. No call leads to one." : "Microphone: NOT PROVEN to be closed.")
    lines.append(
      isProven("no-new-process", "no-new-program")
        ? "Programs: none but its own." : "Programs: NOT PROVEN to be its own alone.")
    for access in policy.fileAccess where access.use == "change" {
      lines.append("Files to change: \(access.places).")
    }
    if !allowWeaker.isEmpty {
      lines.append(
        "The user agreed to start it without: " + allowWeaker.joined(separator: ", ") + ".")
    }
    return lines
  }
}

extension ProvenPolicy {
  /// How files may be used, and which, in words: `change`, `read`, `run`.
  public var fileAccess: [(use: String, places: String)] {
    let uses: [(String, Set<FileRight>)] = [
      ("change", [.writeFile, .makeRegularFile, .removeFile]), ("read", [.readFile]),
      ("run", [.execute]),
    ]
    var told: Set<FileRule.Place> = []
    return uses.compactMap { use, rights in
      // What may be changed may be read as well: it is not said twice. What may be run is.
      let places = files.filter { rule in
        !rights.isDisjoint(with: rule.rights) && (use == "run" || !told.contains(rule.place))
      }.map(\.place)
      told.formUnion(places)
      return places.isEmpty ? nil : (use, places.map(\.phrase).joined(separator: ", "))
    }
  }
}

extension FileRule.Place {
  /// For people.
  var phrase: String {
    switch self {
    case .bundle: "its own bundle"
    case .container: "its own container"
    case .sharedContainer: "what its app shares with it"
    case .temporary: "a temporary folder of its own"
    case .interpreter: "its interpreter"
    case .path(let path): path
    }
  }
}

extension PromiseEvidence {
  /// What the programs prove of the promise in every state, a phrase each, or one for all.
  public func phrases(in policies: [ProvenPolicy]) -> [String] {
    let phrases = policies.map { phrase(in: $0) }
    if Set(phrases).count == 1 { return [phrases[0]] }
    return zip(policies, phrases).map { "\($0.grants.phrase): \($1)" }
  }
}

extension ReportedKeyboard {
  /// Its place in the list, with the words after it.
  public var placePhrase: String {
    if !isInstalled { return "" }
    return position.map { "number \($0) in the list; " } ?? "not in the list; "
  }
}

extension KeyboardReport {
  static let proofNote =
    "What a keyboard may do is proven of the very programs that the host puts around it, for every "
    + "call with every argument; what it did is told by the kernel and the host, never by the "
    + "keyboard."

  /// When, where, and how far the log goes back.
  public var summary: String {
    let log =
      history.period.map {
        "\(history.lines) lines of the log, from \($0.lowerBound.text) to \($0.upperBound.text)"
      } ?? "there is no line in the log yet"
    return "Made at \(made.text) by Keyhost \(HostVersion.current) on Linux \(kernel); \(log)."
  }

  /// The calls that open access allows, wholly or for some arguments; by name.
  public var addedCalls: [String] {
    var seen: Set<String> = []
    return changes.filter { $0.kind == .newlyAllowed }.compactMap(\.systemCall)
      .filter { seen.insert($0).inserted }
  }

  /// A cell of the launches: a program is named by whether it is proven here.
  public func launchCell(_ column: String, _ cell: String) -> String {
    if column == "grants" {
      return SandboxGrants.allStates.first { $0.stateName == cell }?.phrase ?? cell
    }
    guard column == "policy" else { return cell }
    return "\(cell.prefix(12)) "
      + (knowsProgram(cell) ? "(proven here)" : "(another program than now)")
  }
}
