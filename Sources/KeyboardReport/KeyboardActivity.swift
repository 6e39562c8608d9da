import KeyboardHost
import StrictJSON

/// What a keyboard did, as far as the audit log goes back.
public struct KeyboardActivity: Sendable, Equatable {
  private var tallies: [ActivityKind: Tally] = [:]
  /// The times of its first and its last line.
  public private(set) var period: ClosedRange<AuditTime>?

  public init() {}

  public subscript(_ kind: ActivityKind) -> Tally { tallies[kind] ?? Tally() }

  /// The kinds of which there is anything, in the order of a report.
  public var kinds: [ActivityKind] { ActivityKind.allCases.filter { !self[$0].isEmpty } }

  /// Takes a line of the log in.
  mutating func add(_ record: AuditRecord) {
    let earliest = min(period?.lowerBound ?? record.time, record.time)
    period = earliest...max(period?.upperBound ?? record.time, record.time)
    let (kind, cells) = Self.cells(of: record)
    tallies[kind, default: Tally()].add(cells, count: record.count, at: record.time)
    guard kind == .launches else { return }
    for (layer, state) in record[value: "layers"]?.members ?? [] {
      guard let state = state.string, state != "enforced", state != "not requested" else {
        continue
      }
      tallies[.weakLayers, default: Tally()].add(
        [layer, state], count: record.count, at: record.time)
    }
  }

  private static func cells(of record: AuditRecord) -> (ActivityKind, [String]) {
    func text(_ name: String) -> String { record[value: name]?.plainText ?? "" }
    switch AuditKind(rawValue: record.event) {
    case .launch:
      let hasAccess = record[value: "openAccess"]?.boolean
      let grants = hasAccess.map { $0 ? "openAccess" : "base" } ?? ""
      return (.launches, [grants, text("policy"), text("allowWeaker")])
    case .launchFailed: return (.launchFailures, [text("reason")])
    case .violation:
      // Waking while it is stopped is no call: the reason says it.
      let detail = text("detail")
      return (
        .violations,
        [text("systemCall"), detail.isEmpty ? text("reason") : detail, text("outcome")]
      )
    case .refusal:
      let what = ["capability", "what", "action"].map(text).first { !$0.isEmpty } ?? ""
      return (.refusals, [what, text("name"), text("address"), text("port"), text("reason")])
    case .connection:
      return (.connections, [text("name"), text("address"), text("port"), text("outcome")])
    case .lookup: return (.lookups, [text("name"), text("outcome")])
    case .service: return (.services, [text("service"), text("answers")])
    case .fallback: return (.fallbacks, [text("reason")])
    case .exit: return (.endings, [text("reason")])
    case .protocolError: return (.protocolErrors, [text("message")])
    case .suppressed: return (.suppressed, [text("what")])
    case .grant, .revoke, .keyboards, .install, .remove:
      let what = ["capability", "change", "version"].map(text).first { !$0.isEmpty } ?? ""
      let detail = ["container", "allowedHosts", "position", "by", "outcome"].compactMap { name in
        let value = text(name)
        return value.isEmpty ? nil : "\(name) \(value)"
      }
      return (.consent, [record.event, what, detail.joined(separator: ", ")])
    case .decision: return (.others, [record.event, text("verdict")])
    default: return (.others, [record.event, ""])
    }
  }
}

extension AuditRecord {
  subscript(value name: String) -> JSONValue? { fields.first { $0.key == name }?.value }
}

extension JSONValue {
  /// A value as people read it.
  fileprivate var plainText: String {
    if let string { return string }
    if let elements { return elements.map(\.plainText).joined(separator: ", ") }
    return String(decoding: source, as: UTF8.self)
  }
}
