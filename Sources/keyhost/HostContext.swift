import CommandLineInterface
import KeyboardHost
import StrictJSON

/// What most commands need: where the host's files are, and what is in them.
struct HostContext {
  let paths: HostPaths
  let registry: AppRegistry
  let choices: KeyboardChoices

  init() throws(StoreError) {
    paths = try HostPaths(environment: HostPaths.processEnvironment())
    registry = AppRegistry(paths: paths)
    choices = KeyboardChoices(paths: paths)
  }

  /// Makes a change that takes rights away, and says so where it could not be recorded.
  func takeAway<Result>(
    _ console: Console,
    _ change: (AuditLog?, (String) -> Void) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let log: AuditLog?
    do { log = try openLog() } catch {
      console.printError("keyhost: this is not in the audit log: \(error)")
      return try change(nil) { _ in }
    }
    return try change(log) { reason in
      console.printError("keyhost: this is not in the audit log: \(reason)")
    }
  }

  /// Opens the audit log. Without it nothing may be granted.
  func openLog() throws(AuditLogError) -> AuditLog {
    try AuditLog(path: paths.auditLog, lockWait: AuditLog.patientLockWait)
  }
}

extension Console {
  /// Prints one JSON document on a line of its own.
  func printJSON(_ build: (inout JSONWriter) -> Void) throws(OutputError) {
    var writer = JSONWriter()
    build(&writer)
    try print(raw: writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Prints rows in columns, each as wide as its widest cell; nothing stands after the last cell.
  func printTable(_ rows: [[String]]) throws(OutputError) {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        guard row[(column + 1)...].contains(where: { !$0.isEmpty }) else { break }
        line += String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      try print(line)
    }
  }
}

extension JSONWriter {
  mutating func member(_ key: String, strings: some Sequence<String>) {
    self.key(key)
    beginArray()
    for string in strings { value(string) }
    endArray()
  }

  /// A member that is there also when there is nothing to say.
  mutating func member(_ key: String, orNull text: String?) {
    self.key(key)
    if let text { value(text) } else { null() }
  }
}
