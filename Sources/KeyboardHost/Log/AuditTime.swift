import Glibc

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
public struct AuditTime: Sendable, Hashable, Comparable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func now() -> AuditTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return AuditTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  public static func < (left: AuditTime, right: AuditTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public func advanced(byMilliseconds count: Int64) -> AuditTime {
    AuditTime(milliseconds: milliseconds + count)
  }

  /// RFC 3339 in UTC with milliseconds: `2026-01-31T23:59:59.123Z`.
  public var text: String {
    let seconds = milliseconds.dividedRoundingDown(by: 1000)
    let (year, month, day) = Self.date(days: seconds.dividedRoundingDown(by: 86_400))
    let second = seconds - seconds.dividedRoundingDown(by: 86_400) * 86_400
    let fraction = milliseconds - seconds * 1000
    func digits(_ value: Int64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(second / 3600, 2)):"
      + "\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2)).\(digits(fraction, 3))Z"
  }

  /// Reads `YYYY-MM-DD`, optionally with `THH:MM`, `:SS` and a fraction, and `Z`; nil for
  /// anything else, a day that is not in the calendar included.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    func number(_ count: Int) -> Int64? {
      guard index + count <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[index..<index + count] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      index += count
      return value
    }
    func take(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }
    guard let year = number(4), year >= 1970, take("-"), let month = number(2), take("-"),
      let day = number(2), (1...12).contains(month), day >= 1
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    guard Self.date(days: days) == (year, month, day) else { return nil }
    var total = days * 86_400_000
    if take("T") {
      guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else {
        return nil
      }
      total += (hour * 3600 + minute * 60) * 1000
      if take(":") {
        guard let second = number(2), second < 60 else { return nil }
        total += second * 1000
        if take(".") {
          var scale: Int64 = 100
          guard let first = number(1) else { return nil }
          total += first * scale
          while let next = number(1) {
            scale /= 10
            total += next * scale
          }
        }
      }
      _ = take("Z")
    }
    guard index == bytes.count else { return nil }
    milliseconds = total
  }

  /// The civil calendar from a count of days since 1970-01-01: the algorithm of
  /// https://howardhinnant.github.io/date_algorithms.html, in public domain.
  private static func date(days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = shifted.dividedRoundingDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.dividedRoundingDown(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
