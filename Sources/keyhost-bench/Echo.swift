import Glibc

/// The other end of the raw pipe: answers each line on fd 0 with a line of a fixed size on fd 3,
/// with nothing but `read` and `write` in between.
enum Echo {
  static func run(answerBytes: Int) -> Never {
    let answer = [UInt8](repeating: 0x61, count: max(0, answerBytes - 1)) + [0x0A]
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(0) }
      guard buffer[count - 1] == 0x0A else { continue }
      guard
        unsafe answer.span.withUnsafeBytes({ unsafe write(3, $0.baseAddress, $0.count) })
          == answer.count
      else { exit(1) }
    }
  }
}
