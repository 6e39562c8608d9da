import StrictJSON

/// The audit log: one JSON line an event, appended by any number of host processes at once.
///
/// A line is whole or is not there. If it cannot be written, ``write(_:)`` throws, and what the
/// line was to record must not be done. Repeats of an event within ``coalescingWindow`` are
/// counted and written as one line with `count`, `first` and `last`; a line without a `count`
/// stands for one event, so that the sum over all lines is the number of events. What was counted
/// of a keyboard is written before a line that is not counted, such as that of its end.
///
/// Of each share of what a keyboard causes (`LogBudget.Share`) no more than ``dailyBudget`` is written in a
/// day, and of what all apps cause no more than twice that. What is more is counted too, and told by lines
/// of the kind `suppressed`. What the user did is kept when the oldest file goes, in files of its own that
/// neither can fill.
///
/// Not `Sendable`: it belongs to the loop that uses it.
public final class AuditLog {
  /// The path of the newest file; older ones have `.1` (newer) to `.5` (older) at their end.
  public let path: String
  /// A file is rotated before it would grow beyond this many bytes.
  public static let rotationSize = 1 << 20
  /// How many older files are kept.
  public static let keptFiles = 5
  /// How long repeats of an event are counted before they are written, in milliseconds.
  public static let coalescingWindow: Int64 = 5_000
  /// How many bytes of lines that it causes are written of a keyboard in a day of UTC: so many of
  /// connections that were made and answers of services, so many of names that were looked up, so many of
  /// everything else, and a quarter of that of inputs that it left to the system keyboard.
  public static let dailyBudget = 256 << 10
  /// How many bytes the file that keeps what the user did may have, before it becomes the older one
  /// of the two there are.
  public static let userFileSize = 2 << 20
  /// How long lines that are not written are counted before that is written, in milliseconds.
  static let suppressionWindow: Int64 = 3_600_000
  /// How many different events are counted at once; beyond, the oldest is written early.
  static let coalescingRoom = 64
  /// How long another process may hold the lock, in milliseconds, for a host, which everybody waits
  /// for.
  public static let lockWait = 250
  /// The same for a command that one person waits for: a busy disk can make every line slow.
  public static let patientLockWait = 10_000

  private struct Repeats {
    var event: AuditEvent
    var windowEnd: AuditTime
    var count = 0
    var first = AuditTime(milliseconds: 0)
    var last = AuditTime(milliseconds: 0)
  }

  private struct Suppression: Hashable {
    /// Nil for what apps cause.
    var keyboard: String?
    var kind: AuditKind
  }

  private let clock: () -> AuditTime
  private let files: AuditLogFiles
  private var budget: LogBudget
  private var suppressed: [Suppression: Repeats] = [:]
  private var repeats: [Repeats] = []

  /// Opens the log, making its folder (mode 0700) and file (mode 0600) when they are missing, and
  /// ends a torn last line that a crash has left.
  /// - Parameters:
  ///   - lockWait: how long another process may hold the lock, in milliseconds.
  ///   - clock: the wall clock; tests pass their own.
  public init(
    path: String, rotationSize: Int = AuditLog.rotationSize,
    dailyBudget: Int = AuditLog.dailyBudget, userFileSize: Int = AuditLog.userFileSize,
    lockWait: Int = AuditLog.lockWait, clock: @escaping () -> AuditTime = AuditTime.now
  ) throws(AuditLogError) {
    self.path = path
    self.clock = clock
    budget = LogBudget(limit: dailyBudget)
    files = try AuditLogFiles(
      path: path, rotationSize: rotationSize, userFileSize: userFileSize, lockWait: lockWait
    ) {
      AuditLog.line(AuditEvent(.repair, [AuditField("torn", .boolean(true))]), at: clock())
    }
  }

  /// Writes what is still counted. Errors have nowhere to go here: call ``flush()`` before.
  deinit { try? flush() }

  /// Appends one event, or counts it where it repeats an event of the last few seconds.
  /// - Returns: whether what it says is in the log; false where a share of the day is used up, so that
  ///   only its kind is counted. A launch that comes of the focus counts as written then: one like it is
  ///   in the log, and an app must not keep keyboards from being started.
  @discardableResult public func write(_ event: AuditEvent) throws(AuditLogError) -> Bool {
    let now = clock()
    try writeExpired(now)
    guard event.kind.isCoalesced else {
      // What came of the keyboard's repeats must not be read before them.
      while let index = repeats.firstIndex(where: {
        $0.count > 0 && $0.event.keyboard == event.keyboard
      }) {
        try writeRepeats(at: index)
      }
      return try append(event, at: now)
    }
    if let index = repeats.firstIndex(where: { $0.event == event }) {
      if repeats[index].count == 0 { repeats[index].first = now }
      repeats[index].count += 1
      repeats[index].last = now
      return true
    }
    if repeats.count == Self.coalescingRoom { try writeRepeats(at: 0) }
    // Only what is in the log can be repeated by a count.
    guard try append(event, at: now) else { return false }
    repeats.append(
      Repeats(event: event, windowEnd: now.advanced(byMilliseconds: Self.coalescingWindow)))
    return true
  }

  /// Appends the line of a change that takes rights away, on a full disk in the room that is kept
  /// for it.
  func writeTakingAway(_ event: AuditEvent) throws(AuditLogError) {
    while true {
      do throws(AuditLogError) {
        try write(event)
        return
      } catch {
        guard error.isFull, files.releaseReserve() else { throw error }
      }
    }
  }

  /// Makes what is missing of the room for ``writeTakingAway(_:)``.
  func refillReserve() { files.refillReserve() }

  /// When ``writeExpired()`` has something to write, or nil when nothing is counted.
  public var nextExpiry: AuditTime? {
    (repeats + suppressed.values).lazy.filter { $0.count > 0 }.map(\.windowEnd).min()
  }

  /// Writes the counted lines whose window has passed.
  public func writeExpired() throws(AuditLogError) { try writeExpired(clock()) }

  /// Writes all that is counted.
  public func flush() throws(AuditLogError) {
    while !repeats.isEmpty { try writeRepeats(at: 0) }
    for key in suppressed.keys { try writeSuppressed(key) }
  }

  private func writeExpired(_ now: AuditTime) throws(AuditLogError) {
    // A clock that was set back must not keep lines for ever: a window is never in the far future.
    let farthest = now.advanced(byMilliseconds: Self.coalescingWindow)
    while let index = repeats.firstIndex(where: { $0.windowEnd <= now || $0.windowEnd > farthest })
    {
      try writeRepeats(at: index)
    }
    let farthestCount = now.advanced(byMilliseconds: Self.suppressionWindow)
    for (key, counted) in suppressed
    where counted.windowEnd <= now || counted.windowEnd > farthestCount {
      guard counted.count > 0 else {
        suppressed[key] = nil
        continue
      }
      try writeSuppressed(key)
      suppressed[key]?.windowEnd = farthestCount
    }
  }

  private func writeRepeats(at index: Int) throws(AuditLogError) {
    let counted = repeats[index]
    if counted.count == 1 {
      // One event is one plain line, with its own time.
      try append(counted.event, at: counted.last)
    } else if counted.count > 1 {
      try append(
        counted.event, at: counted.last, repeats: (counted.count, counted.first, counted.last))
    }
    repeats.remove(at: index)
  }

  // MARK: What a keyboard causes

  /// Whether there is room today for more lines that this keyboard causes. One that has used up its
  /// share is not started again after a failure, which would be one more of them.
  func hasRoom(for keyboard: String) -> Bool {
    let now = clock()
    return budget.hasRoom(for: keyboard, at: now) {
      files.written(on: now.day)
    }
  }

  /// - Returns: whether it was written, and not only counted by its kind.
  @discardableResult private func append(
    _ event: AuditEvent, at time: AuditTime,
    repeats: (count: Int, first: AuditTime, last: AuditTime)? = nil
  ) throws(AuditLogError) -> Bool {
    let line = Self.line(event, at: time, repeats: repeats)
    if let share = event.share {
      let keyboard = share == .apps ? nil : event.keyboard
      let owner = keyboard ?? ""
      let written = { [files] in files.written(on: time.day) }
      if event.kind == .launch, keyboard != nil {
        // What holds a keyboard is always on record.
        budget.count(line.count, share, owner, at: time, written: written)
      } else if !budget.take(line.count, share, owner, at: time, written: written) {
        try suppress(event, keyboard, at: time, repeats)
        return event.kind == .launch
      }
    }
    try append(line, event.kind)
    return true
  }

  /// Counts a line in place of writing it; the first is told at once.
  private func suppress(
    _ event: AuditEvent, _ keyboard: String?, at time: AuditTime,
    _ repeats: (count: Int, first: AuditTime, last: AuditTime)?
  ) throws(AuditLogError) {
    let key = Suppression(keyboard: keyboard, kind: event.kind)
    guard suppressed[key] == nil else {
      if suppressed[key]?.count == 0 { suppressed[key]?.first = repeats?.first ?? time }
      suppressed[key]?.count += repeats?.count ?? 1
      suppressed[key]?.last = time
      return
    }
    let told = AuditEvent(
      .suppressed, keyboard: keyboard, app: keyboard == nil ? nil : event.app,
      [AuditField("what", .term(event.kind))])
    try append(Self.line(told, at: time, repeats: repeats), told.kind)
    suppressed[key] = Repeats(
      event: told, windowEnd: time.advanced(byMilliseconds: Self.suppressionWindow))
  }

  private func writeSuppressed(_ key: Suppression) throws(AuditLogError) {
    guard let counted = suppressed[key], counted.count > 0 else { return }
    let span = counted.count > 1 ? (counted.count, counted.first, counted.last) : nil
    try append(Self.line(counted.event, at: counted.last, repeats: span), counted.event.kind)
    suppressed[key]?.count = 0
  }

  private static let ownKeys: Set = ["time", "event", "keyboard", "app", "count", "first", "last"]

  package static func line(
    _ event: AuditEvent, at time: AuditTime,
    repeats: (count: Int, first: AuditTime, last: AuditTime)? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("time", time.text)
    writer.member("event", event.kind.rawValue)
    for (key, text) in [("keyboard", event.keyboard), ("app", event.app)] {
      guard let text else { continue }
      writer.key(key)
      AuditValue.foreign(text).write(to: &writer)
    }
    for field in event.fields {
      // A line's own keys cannot be written twice, which no strict reader would take.
      writer.key(Self.ownKeys.contains(field.name) ? "field." + field.name : field.name)
      field.value.write(to: &writer)
    }
    if let repeats {
      writer.member("count", repeats.count)
      writer.member("first", repeats.first.text)
      writer.member("last", repeats.last.text)
    }
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private func append(_ line: [UInt8], _ kind: AuditKind) throws(AuditLogError) {
    try files.append(line, isDurable: kind.isDurable)
  }
}
