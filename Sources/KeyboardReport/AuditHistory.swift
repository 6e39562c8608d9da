import KeyboardHost
import TerminalText

/// The audit log, summed up by keyboard.
public struct AuditHistory: Sendable {
  /// Where a line is that is no audit line.
  public struct DamagedLine: Sendable, Equatable {
    /// The path of the log's file.
    public let file: String
    /// From 1.
    public let line: Int
  }

  /// By keyboard.
  public private(set) var activities: [String: KeyboardActivity] = [:]
  /// Events that are about no keyboard.
  public private(set) var others = KeyboardActivity()
  /// How many lines were read and understood.
  public private(set) var lines = 0
  /// The times of the first and the last of them.
  public private(set) var period: ClosedRange<AuditTime>?
  /// How many lines are damaged.
  public private(set) var damagedCount = 0
  /// The first of them.
  public private(set) var damaged: [DamagedLine] = []
  /// Why the log could not be read to its end; nil when it could, and when there is none yet.
  public private(set) var problem: String?

  /// So many places of damaged lines are kept.
  static let keptPlaces = 100

  /// A history with nothing in it.
  public init() {}

  /// Reads the log with all its older files. A damaged line is passed over and kept account of.
  public init(reading path: String) {
    var reader = AuditLogReader(path: path)
    do {
      try reader.read { add($0) }
      try reader.finish { add($0) }
    } catch {
      problem = VisibleText.escape("\(error)")
    }
  }

  mutating func add(_ item: AuditLogReader.Item) {
    switch item {
    case .damaged(let file, let number):
      damagedCount += 1
      if damaged.count < Self.keptPlaces {
        damaged.append(DamagedLine(file: file, line: number))
      }
    case .record(let record):
      lines += 1
      let earliest = min(period?.lowerBound ?? record.time, record.time)
      period = earliest...max(period?.upperBound ?? record.time, record.time)
      if let keyboard = record.keyboard {
        activities[keyboard, default: KeyboardActivity()].add(record)
      } else {
        others.add(record)
      }
    }
  }
}
