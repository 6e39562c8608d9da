/// The beginning of a line as ``AuditLog`` writes it, read without reading the line: its day, its kind
/// and what follows.
struct AuditLineHead {
  /// Of UTC: the bytes of `2026-01-31`, which are in the order of the days.
  let day: ArraySlice<UInt8>
  let kind: AuditKind
  private let rest: ArraySlice<UInt8>

  private static let start = Array("{\"time\":\"".utf8)
  private static let middle = Array("Z\",\"event\":\"".utf8)
  /// `2026-01-31T11:59:59.123`
  private static let timeLength = 23

  /// - Returns: nil for what is no line of this version's log.
  init?(_ line: ArraySlice<UInt8>) {
    guard line.starts(with: Self.start) else { return nil }
    let time = line.dropFirst(Self.start.count)
    let tail = time.dropFirst(Self.timeLength)
    guard tail.starts(with: Self.middle) else { return nil }
    let named = tail.dropFirst(Self.middle.count)
    guard let end = named.firstIndex(of: UInt8(ascii: "\"")),
      let kind = AuditKind(rawValue: String(decoding: named[..<end], as: UTF8.self))
    else { return nil }
    day = time.prefix(10)
    self.kind = kind
    rest = named[end...]
  }

  /// Whether the line is about the keyboard.
  func isAbout(_ keyboard: String) -> Bool {
    rest.starts(with: "\",\"keyboard\":\"\(keyboard)\"".utf8)
  }

  /// Whose share of the log the line was written from: see ``AuditEvent/share``.
  var share: LogBudget.Share? {
    LogBudget.Share(
      kind, isAboutKeyboard: rest.starts(with: "\",\"keyboard\":".utf8), isByFocus: isByFocus,
      isIncognito: isIncognito, isRestart: isRestart, isConnected: isConnected)
  }

  /// Whether the line tells of what a keyboard was given: see ``AuditEvent/isConnected``.
  var isConnected: Bool {
    kind == .service
      || kind == .connection && rest.contains("\"outcome\":\"\(AuditEvent.connected)\"".utf8)
  }

  /// Whether the line tells what the user did, and is kept beyond all others.
  var isOfUser: Bool {
    switch kind {
    case .grant, .revoke, .install, .remove, .keyboards, .weakened, .traced: true
    // What follows the focus comes too often, and tells nothing that the user decided.
    case .launch: !isRestart && !isIncognito && !isByFocus
    default: false
    }
  }

  private var isIncognito: Bool { rest.contains("\"\(AuditEvent.incognito)\":true".utf8) }

  private var isByFocus: Bool {
    rest.contains("\"\(AuditEvent.by)\":\"\(AuditEvent.focus)\"".utf8)
  }

  private var isRestart: Bool { rest.contains("\"\(AuditEvent.afterFailures)\":".utf8) }
}
