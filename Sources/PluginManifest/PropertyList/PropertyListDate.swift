/// The dates of property lists: `YYYY-MM-DDTHH:MM:SSZ`.
enum PropertyListDate {
  /// Seconds since 2001-01-01T00:00:00Z, or nil for another form or a day that does not exist.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let form = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    guard bytes.count == form.count else { return nil }
    var fields: [Int] = [0]
    for (byte, expected) in zip(bytes, form) {
      if expected == UInt8(ascii: "d") {
        guard (48...57).contains(byte) else { return nil }
        fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - 48)
      } else {
        guard byte == expected else { return nil }
        fields.append(0)
      }
    }
    let (year, month, day) = (fields[0], fields[1], fields[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1, (1...12).contains(month), (1...lengths[month - 1]).contains(day),
      fields[3] < 24, fields[4] < 60, fields[5] < 60
    else { return nil }
    let years = year - 1
    var days = years * 365 + years / 4 - years / 100 + years / 400
    days += lengths[..<(month - 1)].reduce(0, +) + day - 1
    let daysTo2001 = 2000 * 365 + 2000 / 4 - 2000 / 100 + 2000 / 400
    return Double((days - daysTo2001) * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5])
  }
}
