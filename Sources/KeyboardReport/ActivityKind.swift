/// The parts in which a report tells what a keyboard did.
public enum ActivityKind: String, Sendable, CaseIterable {
  /// Starts, by grant and program.
  case launches
  /// Layers of the sandbox that were not whole at a start.
  case weakLayers
  case launchFailures
  /// Calls that were refused, as the kernel told the host.
  case violations
  /// What was asked for and refused by the user's settings: addresses first of all.
  case refusals
  /// Connections through the host.
  case connections
  /// Names that the host's resolver was asked for.
  case lookups
  /// What the user's contacts and the location told it.
  case services
  /// Inputs that the system keyboard handled in its place.
  case fallbacks
  case endings
  case protocolErrors
  /// Lines about it that were not written, since there were too many.
  case suppressed
  /// What the user decided about it.
  case consent
  /// All other events.
  case others

  /// A heading for people.
  public var title: String {
    switch self {
    case .launches: "Launches"
    case .weakLayers: "Layers that were not whole at a launch"
    case .launchFailures: "Launches that failed"
    case .violations: "Violations: calls it tried"
    case .refusals: "Refusals by the user's settings"
    case .connections: "Connections"
    case .lookups: "Names it had looked up"
    case .services: "Answers from the user's contacts and location"
    case .fallbacks: "Fallbacks to the system keyboard"
    case .endings: "Ends of its process"
    case .protocolErrors: "Breaches of the protocol"
    case .suppressed: "Lines that were not written, since there were too many"
    case .consent: "The user's decisions"
    case .others: "Other events"
    }
  }

  /// The names of what is told of each event. In JSON they are the members.
  public var columns: [String] {
    switch self {
    case .launches: ["grants", "policy", "allowWeaker"]
    case .weakLayers: ["layer", "state"]
    case .launchFailures, .fallbacks, .endings: ["reason"]
    case .violations: ["systemCall", "detail", "outcome"]
    case .refusals: ["what", "name", "address", "port", "reason"]
    case .connections: ["name", "address", "port", "outcome"]
    case .lookups: ["name", "outcome"]
    case .services: ["service", "answers"]
    case .protocolErrors: ["message"]
    case .suppressed: ["what"]
    case .consent: ["change", "what", "detail"]
    case .others: ["event", "detail"]
    }
  }

  /// The same for people, one of them.
  func heading(of column: String) -> String {
    switch column {
    case "systemCall": "call"
    case "allowWeaker": "could do without"
    case "policy": "program"
    default: column
    }
  }
}
