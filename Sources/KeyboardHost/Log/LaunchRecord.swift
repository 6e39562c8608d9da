import StrictJSON

/// What the audit log says of the launch of one process.
public struct LaunchRecord: Sendable {
  /// What Landlock was told about the files beneath a path, as the keyboard sees it.
  public struct FileRule: Sendable, Hashable {
    public var path: String
    /// The kernel's names: `READ_FILE`.
    public var rights: [String]
  }

  /// One layer of the sandbox and what became of it.
  public struct Layer: Sendable, Hashable {
    public var name: String
    public var state: String
  }

  public var time: AuditTime
  public var keyboard: String?
  public var app: String?
  public var process: Int
  /// When the process began, in clock ticks since the system did.
  public var start: Int
  /// SHA-256 of the filter's program.
  public var policy: String
  public var hasOpenAccess: Bool
  /// Whether the process forgets: it was started for one focus of an incognito field.
  public var isIncognito: Bool
  /// 0 without Landlock.
  public var landlockABI: Int
  public var layers: [Layer]
  public var files: [FileRule]

  /// - Returns: nil for other lines, and those of a version that did not write down the process.
  public init?(_ record: AuditRecord) {
    guard record.event == AuditKind.launch.rawValue else { return nil }
    func value(_ key: String) -> JSONValue? { record.fields.first { $0.key == key }?.value }
    func integer(_ key: String) -> Int? { value(key)?.int64.flatMap { Int(exactly: $0) } }
    guard let process = integer("process"), let start = integer("start") else { return nil }
    time = record.time
    keyboard = record.keyboard
    app = record.app
    self.process = process
    self.start = start
    policy = value("policy")?.string ?? "unknown"
    hasOpenAccess = value("openAccess")?.boolean ?? false
    isIncognito = value("\(AuditEvent.incognito)")?.boolean ?? false
    landlockABI = integer("landlockABI") ?? 0
    layers = (value("layers")?.members ?? []).map {
      Layer(name: $0.key, state: $0.value.string ?? "unknown")
    }
    files = (value("files")?.elements ?? []).compactMap { rule in
      guard let path = rule["path"]?.string else { return nil }
      return FileRule(path: path, rights: (rule["rights"]?.elements ?? []).compactMap(\.string))
    }
  }

  /// The launch of a process, by its number and the time at which it began: numbers come again.
  ///
  /// - Parameter log: the path of the newest file.
  /// - Returns: nil when the log does not have it, or there is no log.
  public static func of(process: Int, start: Int, inLog log: String) throws -> LaunchRecord? {
    var reader = AuditLogReader(path: log)
    var found: LaunchRecord?
    func take(_ item: AuditLogReader.Item) {
      guard case .record(let record) = item, let launch = LaunchRecord(record),
        launch.process == process, launch.start == start
      else { return }
      found = launch
    }
    try reader.read(take)
    try reader.finish(take)
    return found
  }
}
