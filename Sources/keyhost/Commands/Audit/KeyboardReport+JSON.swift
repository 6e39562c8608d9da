import KeyboardHost
import KeyboardReport
import PolicyAudit
import SandboxLaunch
import SandboxPolicy
import StrictJSON

extension KeyboardReport {
  /// As docs/json-output.md says.
  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("made", made.text)
    writer.member("kernel", kernel)
    writer.member("findings", strings: findings)
    writer.array("keyboards", keyboards) { $0.encode(into: &$1) }
    writer.array("policies", policies) { $0.encode(into: &$1) }
    writer.member("openAccessAdds", strings: addedCalls)
    writer.array("promises", PromiseEvidence.all) { evidence, writer in
      writer.beginObject()
      writer.member("name", evidence.promise.name)
      writer.member("meaning", evidence.promise.meaning)
      writer.member("first", strings: evidence.promise.first.map(\.rawValue).sorted())
      writer.member("second", strings: evidence.promise.second.map(\.rawValue).sorted())
      writer.member("state", orNull: evidence.state(trial)?.rawValue)
      writer.member("claims", strings: evidence.claimNames)
      writer.endObject()
    }
    writer.array("layers", trial.report?.layers ?? []) { entry, writer in
      writer.beginObject()
      writer.member("name", entry.layer.rawValue)
      writer.member("state", entry.state.description)
      writer.endObject()
    }
    writer.array("faults", faults) { fault, writer in
      writer.beginObject()
      writer.member("app", fault.app)
      writer.member("message", fault.message)
      writer.endObject()
    }
    writer.key("log")
    history.encode(into: &writer)
    writer.endObject()
  }
}

extension ReportedKeyboard {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("identifier", identifier)
    writer.member("displayName", orNull: displayName)
    writer.member("app", orNull: app)
    writer.member("version", orNull: version)
    writer.member("isInstalled", isInstalled)
    writer.key("position")
    if let position { writer.value(position) } else { writer.null() }
    writer.member("requestsOpenAccess", requestsOpenAccess)
    writer.member("hasOpenAccess", hasOpenAccess)
    writer.member("allowedHosts", strings: allowedHosts)
    writer.member("allowWeaker", strings: allowWeaker)
    writer.member("grants", orNull: isInstalled ? grants.stateName : nil)
    writer.key("activity")
    activity.encode(into: &writer)
    writer.endObject()
  }
}

extension KeyboardActivity {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("first", orNull: period?.lowerBound.text)
    writer.member("last", orNull: period?.upperBound.text)
    for kind in ActivityKind.allCases {
      writer.array(kind.rawValue, self[kind].entries) { entry, writer in
        writer.beginObject()
        for (column, cell) in zip(kind.columns, entry.cells) { writer.member(column, cell) }
        writer.member("count", entry.count)
        writer.member("last", entry.last.text)
        writer.endObject()
      }
    }
    writer.endObject()
  }
}

extension ProvenPolicy {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("grants", grants.stateName)
    writer.member("digest", digest)
    writer.member("instructions", instructions)
    writer.member("architecture", architecture)
    writer.key("calls")
    writer.beginObject()
    for treatment in CallTreatment.allCases {
      writer.member(
        treatment.rawValue, strings: calls.filter { $0.treatment == treatment }.map(\.name))
    }
    writer.endObject()
    writer.array("claims", claims) { claim, writer in
      writer.beginObject()
      writer.member("name", claim.name)
      writer.member("title", claim.title)
      writer.member("proven", claim.isProven)
      if let witness = claim.witness {
        writer.member("witness", witness)
      } else {
        writer.member("witness", orNull: nil)
      }
      writer.endObject()
    }
    writer.array("files", files) { rule, writer in
      writer.beginObject()
      writer.member("place", rule.place.name)
      writer.member("rights", strings: rule.rights.map(\.rawValue).sorted())
      writer.member("isOptional", rule.isOptional)
      writer.endObject()
    }
    writer.key("limits")
    writer.beginObject()
    writer.member("residentMemory", limits.residentMemory)
    writer.member("dataSegment", limits.dataSegment)
    writer.member("addressSpace", limits.addressSpace)
    writer.member("fileSize", limits.fileSize)
    writer.member("coreSize", limits.coreSize)
    writer.member("openFiles", limits.openFiles)
    writer.member("processes", limits.processes)
    writer.member("containerQuota", limits.containerQuota)
    writer.endObject()
    writer.endObject()
  }
}

extension AuditHistory {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("lines", lines)
    writer.member("first", orNull: period?.lowerBound.text)
    writer.member("last", orNull: period?.upperBound.text)
    writer.member("problem", orNull: problem)
    writer.member("damagedCount", damagedCount)
    writer.array("damaged", damaged) { place, writer in
      writer.beginObject()
      writer.member("file", place.file)
      writer.member("line", place.line)
      writer.endObject()
    }
    writer.key("others")
    others.encode(into: &writer)
    writer.endObject()
  }
}

extension FileRule.Place {
  /// As the policy's file names it.
  fileprivate var name: String {
    switch self {
    case .bundle: "bundle"
    case .container: "container"
    case .sharedContainer: "sharedContainer"
    case .temporary: "temporary"
    case .interpreter: "interpreter"
    case .path(let path): path
    }
  }
}

extension JSONWriter {
  fileprivate mutating func array<Element>(
    _ key: String, _ elements: some Sequence<Element>,
    _ encode: (Element, inout JSONWriter) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { encode(element, &self) }
    endArray()
  }
}
