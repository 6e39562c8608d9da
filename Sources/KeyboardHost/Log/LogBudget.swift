import LinuxSystem

/// How much is written of what a keyboard causes. It decides itself how often it is refused, ends or
/// answers late, and must not fill the log with it: what others did would be rolled away.
struct LogBudget {
  /// What a keyboard has a budget for. Noise of one kind must not hide the other: with whom it
  /// connected is on record whatever else it did.
  enum Share: Hashable {
    /// Connections that were made, and what services told.
    case connected
    /// Everything else: refusals, tries, ends.
    case other

    init(_ event: AuditEvent) { self = event.isConnected ? .connected : .other }
  }

  private struct Key: Hashable {
    var keyboard: String
    var share: Share
  }

  /// Bytes of lines for each keyboard and share in a day.
  let limit: Int
  private var day = ""
  private var used: [Key: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Takes a line out of the budget.
  /// - Parameters:
  ///   - time: of the line. Days are those of UTC.
  ///   - written: what was written of the keyboard on that day before; asked once.
  /// - Returns: whether it was there.
  mutating func take(
    _ bytes: Int, _ share: Share, _ keyboard: String, at time: AuditTime, written: () -> Int
  ) -> Bool {
    let before = usage(share, of: keyboard, at: time, written: written)
    guard bytes <= limit - min(limit, before) else { return false }
    used[Key(keyboard: keyboard, share: share)] = before + bytes
    return true
  }

  /// Counts a line that is written in any case.
  mutating func count(
    _ bytes: Int, _ share: Share, _ keyboard: String, at time: AuditTime, written: () -> Int
  ) {
    used[Key(keyboard: keyboard, share: share)] =
      min(limit, usage(share, of: keyboard, at: time, written: written)) + bytes
  }

  /// Whether there is more left than the lines of one start may take.
  mutating func hasRoom(for keyboard: String, at time: AuditTime, written: () -> Int) -> Bool {
    usage(.other, of: keyboard, at: time, written: written) <= limit - min(16 << 10, limit / 16)
  }

  /// How many bytes were written of the keyboard on that day.
  mutating func usage(
    _ share: Share, of keyboard: String, at time: AuditTime, written: () -> Int
  ) -> Int {
    let today = time.day
    if today != day {
      day = today
      used = [:]
    }
    let key = Key(keyboard: keyboard, share: share)
    if let known = used[key] { return known }
    let found = written()
    used[key] = found
    return found
  }

  /// How many bytes a log's files hold of what a keyboard caused on a day, by whichever program.
  /// - Parameters:
  ///   - files: the newest first.
  ///   - limit: so many bytes are read of each.
  static func written(
    _ share: Share, of keyboard: String, on day: String, in folder: borrowing DirectoryHandle,
    files: [String], limit: Int
  ) -> Int {
    var sum = 0
    for file in files {
      guard let opened = try? folder.openFile(FileName(file)),
        let bytes = try? opened.read(at: 0, upTo: limit)
      else { continue }
      var isOlder = false
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let head = AuditLineHead(line) else { continue }
        if head.day.lexicographicallyPrecedes(day.utf8) { isOlder = true }
        if head.day.elementsEqual(day.utf8), head.isAbout(keyboard), head.isCausedByKeyboard,
          head.isConnected == (share == .connected)
        {
          sum += line.count + 1
        }
      }
      if isOlder { break }
    }
    return sum
  }
}

extension AuditTime {
  /// The day in UTC: `2026-01-31`.
  var day: String { String(text.prefix(10)) }
}
