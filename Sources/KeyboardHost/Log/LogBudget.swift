import LinuxSystem

/// How much is written of what a keyboard, and what apps, cause. A keyboard decides itself how often it
/// is refused, ends or answers late, and an app how often the focus goes where; neither must fill the
/// log with it: what others did would be rolled away. And none is charged with what another does.
struct LogBudget {
  /// What there is a budget for. Noise of one kind must not hide the other: with whom a keyboard
  /// connected is on record whatever else it did, and whatever apps do.
  enum Share: Hashable {
    /// Connections that were made, and what services told: of one keyboard.
    case connected
    /// Names that were looked up for one keyboard.
    case lookups
    /// What else a keyboard brings about by itself: refusals, tries, ends.
    case other
    /// Inputs that the system keyboard handled for one. It takes a keyboard that does not answer and
    /// an app that sends inputs.
    case fallbacks
    /// What all apps bring about, together: they choose their names. No keyboard's.
    case apps

    /// - Parameters:
    ///   - isAboutKeyboard: whether it names a keyboard.
    ///   - isByFocus: whether it says that it comes of the focus.
    ///   - isIncognito: whether it is about an instance that forgets, which lives as long as a focus.
    ///   - isRestart: whether it says that it follows a failure.
    ///   - isConnected: whether it says that something left, or may leave, the machine.
    /// - Returns: nil for what nobody can bring about as often as he likes.
    init?(
      _ kind: AuditKind, isAboutKeyboard: Bool, isByFocus: @autoclosure () -> Bool,
      isIncognito: @autoclosure () -> Bool, isRestart: @autoclosure () -> Bool,
      isConnected: @autoclosure () -> Bool
    ) {
      switch kind {
      case .decision, .freeze, .resume, .staleAnswer: self = .apps
      case .exit where isByFocus(), .lateAnswer where isByFocus(): self = .apps
      case .launch where isRestart(): self = .other
      case .launch where isByFocus() || isIncognito(): self = .apps
      case .fallback: self = isAboutKeyboard ? .fallbacks : .apps
      case .lookup: self = .lookups
      case .service, .connection: self = isConnected() ? .connected : .other
      case .violation, .refusal, .protocolError, .lateAnswer, .launchFailed, .exit, .restart:
        guard isAboutKeyboard else { return nil }
        self = .other
      case .launch, .grant, .revoke, .install, .remove, .disabled, .weakened, .traced, .keyboards,
        .suppressed, .repair:
        return nil
      }
    }

    /// How many bytes of lines it is in a day, where a keyboard's is `limit`.
    func bytes(of limit: Int) -> Int {
      switch self {
      case .connected, .lookups, .other: limit
      // Few kinds of lines: a quarter is hundreds of inputs in a day.
      case .fallbacks: limit / 4
      // A limit of `.max`, as tests have it, is none.
      case .apps: limit.multipliedReportingOverflow(by: 2).overflow ? limit : 2 * limit
      }
    }
  }

  /// Whose share; of that of apps nobody's.
  struct Key: Hashable {
    var keyboard: String
    var share: Share
  }

  /// How many bytes were written of each.
  typealias Tally = [Key: Int]

  /// Bytes of lines of a keyboard in a day, for each of its great shares.
  let limit: Int
  private var day = ""
  private var used: Tally = [:]

  init(limit: Int) { self.limit = limit }

  /// Takes a line out of the budget.
  /// - Parameters:
  ///   - time: of the line. Days are those of UTC.
  ///   - written: what was written on that day before; asked once a day.
  /// - Returns: whether it was there.
  mutating func take(
    _ bytes: Int, _ share: Share, _ keyboard: String, at time: AuditTime, written: () -> Tally
  ) -> Bool {
    let before = usage(share, of: keyboard, at: time, written: written)
    let limit = share.bytes(of: limit)
    guard bytes <= limit - min(limit, before) else { return false }
    used[Key(keyboard: keyboard, share: share)] = before + bytes
    return true
  }

  /// Counts a line that is written in any case.
  mutating func count(
    _ bytes: Int, _ share: Share, _ keyboard: String, at time: AuditTime, written: () -> Tally
  ) {
    used[Key(keyboard: keyboard, share: share)] =
      min(limit, usage(share, of: keyboard, at: time, written: written)) + bytes
  }

  /// Whether there is more left than the lines of one start may take.
  mutating func hasRoom(for keyboard: String, at time: AuditTime, written: () -> Tally) -> Bool {
    usage(.other, of: keyboard, at: time, written: written) <= limit - min(16 << 10, limit / 16)
  }

  /// How many bytes were written of the keyboard on that day.
  mutating func usage(
    _ share: Share, of keyboard: String, at time: AuditTime, written: () -> Tally
  ) -> Int {
    let today = time.day
    if today != day {
      day = today
      used = written()
    }
    return used[Key(keyboard: keyboard, share: share)] ?? 0
  }

  /// How many bytes a log's files hold of each share on a day, by whichever program.
  /// - Parameters:
  ///   - files: the newest first.
  ///   - limit: so many bytes are read of each.
  static func written(
    on day: String, in folder: borrowing DirectoryHandle, files: [String], limit: Int
  ) -> Tally {
    var tally: Tally = [:]
    let today = Array(day.utf8)
    for file in files {
      guard let opened = try? folder.openFile(FileName(file)),
        let bytes = try? opened.read(at: 0, upTo: limit)
      else { continue }
      var isOlder = false
      var start = 0
      while start < bytes.count {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = bytes[start..<end]
        start = end + 1
        guard let day = AuditLineHead.day(of: line) else { continue }
        guard day.elementsEqual(today) else {
          if day.lexicographicallyPrecedes(today) { isOlder = true }
          continue
        }
        guard let head = AuditLineHead(line), let share = head.share else { continue }
        let owner = share == .apps ? "" : head.keyboard ?? ""
        tally[Key(keyboard: owner, share: share), default: 0] += line.count + 1
      }
      if isOlder { break }
    }
    return tally
  }
}

extension AuditTime {
  /// The day in UTC: `2026-01-31`.
  var day: String { String(text.prefix(10)) }
}
