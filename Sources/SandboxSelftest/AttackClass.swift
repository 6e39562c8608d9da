/// A kind of attack; its raw value is the name on the command line.
public enum AttackClass: String, CaseIterable, Sendable {
  case architecture, widths, siblings, terminal, processes, namespaces, others, kernel, files
  case descriptors, microphone, network, consent, resources

  /// For people.
  public var title: String {
    switch self {
    case .architecture: "wrong architecture"
    case .widths: "width and masks"
    case .siblings: "sibling calls"
    case .terminal: "terminal"
    case .processes: "new-processes"
    case .namespaces: "namespaces"
    case .others: "other-processes"
    case .kernel: "kernel-surface"
    case .files: "files"
    case .descriptors: "descriptors"
    case .microphone: "microphone"
    case .network: "network and local services"
    case .consent: "what consent does not cover"
    case .resources: "resources"
    }
  }
}
