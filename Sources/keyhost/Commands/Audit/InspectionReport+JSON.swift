import KeyboardHost
import PolicyAudit
import StrictJSON

extension InspectionReport {
  /// Writes it as docs/json-output.md says.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("complete", isComplete)
    writer.member("process", process.process)
    writer.member("threadOf", orNull: process.threadOf)
    writer.member("name", process.name)
    writer.member("state", process.state)
    writer.member("parent", orNull: process.parent)
    writer.member("tracer", orNull: process.tracer)
    writer.member("users", numbers: process.users)
    writer.member("groups", numbers: process.groups)
    writer.member("threads", orNull: process.threadCount)
    writer.member("start", process.start)
    writeFilters(to: &writer)
    Self.write("otherThreads", process.otherThreads, to: &writer) { thread, writer in
      writer.member("thread", thread.thread)
      writer.member("mode", Self.word(thread.mode))
      writer.member("count", orNull: thread.filterCount)
    }
    writer.key("noNewPrivileges")
    writer.beginObject()
    writer.key("value")
    if let value = process.hasNoNewPrivileges.value { writer.value(value) } else { writer.null() }
    Self.write(reasonOf: process.hasNoNewPrivileges, to: &writer)
    writer.endObject()
    writer.key("capabilities")
    writer.beginObject()
    for set in process.capabilities { writer.member(set.name, strings: set.capabilities) }
    writer.endObject()
    writer.key("namespaces")
    writer.beginArray()
    for namespace in process.namespaces {
      writer.beginObject()
      writer.member("kind", namespace.kind)
      writer.member("identity", orNull: namespace.identity.value)
      writer.key("shared")
      if let isShared = namespace.isShared { writer.value(isShared) } else { writer.null() }
      Self.write(reasonOf: namespace.identity, to: &writer)
      writer.endObject()
    }
    writer.endArray()
    Self.write("descriptors", process.descriptors, to: &writer) { descriptor, writer in
      writer.member("number", descriptor.number)
      writer.member("target", descriptor.target)
      writer.member("access", orNull: descriptor.access)
    }
    Self.write("limits", process.limits, to: &writer) { limit, writer in
      writer.member("name", limit.name)
      writer.member("soft", limit.soft)
      writer.member("hard", limit.hard)
      writer.member("unit", limit.unit)
    }
    writeLaunch(to: &writer)
    writer.endObject()
  }

  private static func word(_ mode: ProcessInspection.FilterMode) -> String {
    switch mode {
    case .none: "none"
    case .strict: "strict"
    case .filter: "filter"
    }
  }

  private func writeFilters(to writer: inout JSONWriter) {
    writer.key("filters")
    writer.beginObject()
    writer.member("mode", orNull: process.mode.value.map(Self.word))
    writer.member("count", orNull: process.filterCount)
    writer.key("values")
    if process.filters.value == nil {
      writer.null()
    } else {
      writer.beginArray()
      for filter in filters {
        writer.beginObject()
        writer.member("instructions", filter.instructions)
        writer.member("digest", filter.digest)
        writer.member("policy", orNull: filter.policy)
        writer.member("sameProgram", filter.isSameProgram)
        writer.endObject()
      }
      writer.endArray()
    }
    Self.write(reasonOf: process.filters, to: &writer)
    writer.endObject()
  }

  private func writeLaunch(to writer: inout JSONWriter) {
    writer.key("launch")
    writer.beginObject()
    writer.member("log", log)
    writer.key("record")
    if case .read(let record?) = launch {
      writer.beginObject()
      writer.member("time", record.time.text)
      writer.member("keyboard", orNull: record.keyboard)
      writer.member("app", orNull: record.app)
      writer.member("openAccess", record.hasOpenAccess)
      writer.member("incognito", record.isIncognito)
      writer.member("policy", record.policy)
      writer.key("policyInForce")
      if let isInForce = launchPolicyIsInForce { writer.value(isInForce) } else { writer.null() }
      writer.member("landlockABI", record.landlockABI)
      writer.key("layers")
      writer.beginArray()
      for layer in record.layers {
        writer.beginObject()
        writer.member("name", layer.name)
        writer.member("state", layer.state)
        writer.endObject()
      }
      writer.endArray()
      writer.key("files")
      writer.beginArray()
      for rule in record.files {
        writer.beginObject()
        writer.member("path", rule.path)
        writer.member("rights", strings: rule.rights)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    } else {
      writer.null()
    }
    Self.write(reasonOf: launch, to: &writer)
    writer.endObject()
  }

  /// A list with the reason why there is none; an empty list is one that was read.
  private static func write<Value>(
    _ key: String, _ reading: ProcessInspection.Reading<[Value]>, to writer: inout JSONWriter,
    _ element: (Value, inout JSONWriter) -> Void
  ) {
    writer.key(key)
    writer.beginObject()
    writer.key("values")
    if let values = reading.value {
      writer.beginArray()
      for value in values {
        writer.beginObject()
        element(value, &writer)
        writer.endObject()
      }
      writer.endArray()
    } else {
      writer.null()
    }
    write(reasonOf: reading, to: &writer)
    writer.endObject()
  }

  private static func write<Value>(
    reasonOf reading: ProcessInspection.Reading<Value>, to writer: inout JSONWriter
  ) {
    switch reading {
    case .read:
      writer.member("notPermitted", orNull: nil)
      writer.member("unknown", orNull: nil)
    case .notPermitted(let reason):
      writer.member("notPermitted", reason)
      writer.member("unknown", orNull: nil)
    case .unknown(let reason):
      writer.member("notPermitted", orNull: nil)
      writer.member("unknown", reason)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, orNull number: (some FixedWidthInteger)?) {
    self.key(key)
    if let number { value(number) } else { null() }
  }

  fileprivate mutating func member(_ key: String, numbers: [some FixedWidthInteger]) {
    self.key(key)
    beginArray()
    for number in numbers { value(number) }
    endArray()
  }
}
