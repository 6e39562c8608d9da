/// A reader of foreign bytes, or a machine driven by them, with what must hold whatever they are.
///
/// The raw value names its corpus, `Fuzz/Corpus/NAME`. The fuzzer calls ``check(_:)`` with inputs
/// of its own making; the ordinary tests call it with the corpus.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// JSON texts.
  case json
  /// The cutting of a stream into lines.
  case lines
  /// A keyboard's messages.
  case pluginMessage = "plugin-message"
  /// The host's messages.
  case hostMessage = "host-message"
  /// Lines between an app and the host.
  case appMessage = "app-message"
  /// The server of apps, with two that do anything.
  case appServer = "app-server"
  /// Edits of a document.
  case document
  /// The host's state machine under faults of every kind.
  case session
  /// XML and binary property lists.
  case propertyList = "property-list"
  /// System-call policies in OCI form, and what they mean.
  case policy
  /// Everything the audit reads as a filter, compiled and followed.
  case filter
  /// Claims, and their proofs.
  case claim
  /// The launcher's plan and its answers.
  case launchPlan = "launch-plan"
  /// Questions for names and socket addresses.
  case network
  /// Text made safe to show.
  case visibleText = "visible-text"
  /// The settings file.
  case settings
  /// Lines of the audit log.
  case auditLog = "audit-log"
  /// Event scripts, fields and typed text.
  case script

  /// Inputs longer than this teach nothing new, in bytes.
  public var maximumLength: Int {
    switch self {
    case .session, .document, .appServer: 512
    case .filter, .network, .visibleText: 1_024
    default: 4_096
    }
  }

  /// - Throws: what does not hold for these bytes. A trap is a finding too.
  public func check(_ bytes: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .json: try checkJSON(bytes)
    case .lines: try checkLines(bytes)
    case .pluginMessage: try checkPluginMessage(bytes)
    case .hostMessage: try checkHostMessage(bytes)
    case .appMessage: try checkAppMessage(bytes)
    case .appServer: try checkAppServer(bytes)
    case .document: try checkDocument(bytes)
    case .session: try checkSession(bytes)
    case .propertyList: try checkPropertyList(bytes)
    case .policy: try checkPolicy(bytes)
    case .filter: try checkFilter(bytes)
    case .claim: try checkClaim(bytes)
    case .launchPlan: try checkLaunchPlan(bytes)
    case .network: try checkNetwork(bytes)
    case .visibleText: try checkVisibleText(bytes)
    case .settings: try checkSettings(bytes)
    case .auditLog: try checkAuditLog(bytes)
    case .script: try checkScript(bytes)
    }
  }
}
