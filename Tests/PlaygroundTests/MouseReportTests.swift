import Playground
import Testing

@Suite("What a terminal says of its mouse")
struct MouseReportTests {
  /// - Returns: what was done, and how many bytes were taken; nil while the report has no end.
  private func read(
    _ text: String, _ form: MouseReport.Form = .numbers
  ) -> (input: PlayInput?, taken: Int)? {
    var report = MouseReport(form)
    for (index, byte) in text.utf8.enumerated() {
      if let result = report.append(byte) { return (result.input, index + 1) }
    }
    return nil
  }

  @Test(
    "presses of the left and the right button are told, with any modifiers",
    arguments: [
      ("0;1;1M", PlayInput.press(row: 0, column: 0)), ("0;300;40M", .press(row: 39, column: 299)),
      ("4;5;28M", .press(row: 27, column: 4)), ("28;5;28M", .press(row: 27, column: 4)),
      ("2;5;28M", .longPress(row: 27, column: 4)), ("18;5;28M", .longPress(row: 27, column: 4)),
    ])
  func presses(text: String, input: PlayInput) throws {
    let result = try #require(read(text + "y"))
    #expect(result.input == input)
    #expect(result.taken == text.count)
  }

  @Test(
    "all else does nothing, and takes no more than its own",
    arguments: [
      "0;5;28m", "1;5;28M", "32;5;28M", "35;5;28M", "64;5;28M", "65;5;28M", "99;5;28M", "0;0;28M",
      "0;5;0M", "0;5M", "0;5;28;1M", ";;M", "M", "x", "0;5x",
      "99999999999999999999;1;1M",
    ])
  func others(text: String) throws {
    let result = try #require(read(text + "y"))
    #expect(result.input == nil)
    #expect(result.taken == text.count)
  }

  @Test("a report ends where no terminal's would be longer")
  func long() throws {
    #expect(read("0;5;28") == nil)
    #expect(try #require(read(String(repeating: "1", count: 100))).taken == 25)
  }

  @Test("terminals that have only bytes for numbers are understood")
  func old() throws {
    let press = try #require(read(" %<y", .bytes))
    #expect(press.input == .press(row: 27, column: 4))
    #expect(press.taken == 3)
    // A release, the wheel, and what is no number.
    #expect(try #require(read("#%<y", .bytes)).input == nil)
    #expect(try #require(read("`%<y", .bytes)).input == nil)
    #expect(try #require(read("\u{1B}", .bytes)).input == nil)
    #expect(read(" %", .bytes) == nil)
  }
}
