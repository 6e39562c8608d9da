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

  /// The day of a line, without looking at more of it; nil for what is no line of this version's log.
  static func day(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: start) else { return nil }
    let time = line.dropFirst(start.count)
    return time.dropFirst(timeLength).starts(with: middle) ? time.prefix(10) : nil
  }

  /// - Returns: nil for what is no line of this version's log.
  init?(_ line: ArraySlice<UInt8>) {
    guard let day = Self.day(of: line) else { return nil }
    let named = line.dropFirst(Self.start.count + Self.timeLength + Self.middle.count)
    guard let end = named.firstIndex(of: UInt8(ascii: "\"")),
      let kind = AuditKind(rawValue: String(decoding: named[..<end], as: UTF8.self))
    else { return nil }
    self.day = day
    self.kind = kind
    rest = named[end...]
  }

  private static let about = Array("\",\"keyboard\":\"".utf8)

  /// The keyboard that the line is about.
  var keyboard: String? {
    guard rest.starts(with: Self.about) else { return nil }
    let name = rest.dropFirst(Self.about.count)
    return String(decoding: name.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }

  /// Whose share of the log the line was written from: see ``AuditEvent/share``.
  var share: LogBudget.Share? {
    LogBudget.Share(
      kind, isAboutKeyboard: rest.starts(with: Self.about), isByFocus: isByFocus,
      isIncognito: isIncognito, isRestart: isRestart, isConnected: isConnected)
  }

  /// Whether the line tells of what a keyboard was given: see ``AuditEvent/isConnected``.
  var isConnected: Bool {
    kind == .service
      || kind == .connection && has(Self.connected)
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

  private var isIncognito: Bool { has(Self.incognito) }

  private var isByFocus: Bool { has(Self.byFocus) }

  private var isRestart: Bool { has(Self.afterFailures) }

  private static let connected = Array("\"outcome\":\"\(AuditEvent.connected)\"".utf8)
  private static let incognito = Array("\"\(AuditEvent.incognito)\":true".utf8)
  private static let byFocus = Array("\"\(AuditEvent.by)\":\"\(AuditEvent.focus)\"".utf8)
  private static let afterFailures = Array("\"\(AuditEvent.afterFailures)\":".utf8)

  private func has(_ bytes: [UInt8]) -> Bool {
    var start = rest.startIndex
    while let index = rest[start...].firstIndex(of: bytes[0]) {
      if rest[index...].starts(with: bytes) { return true }
      start = index + 1
    }
    return false
  }
}
