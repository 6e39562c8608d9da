import CLinux

/// A pseudo terminal in raw mode: what is written to one end is read at the other.
package struct PseudoTerminal: ~Copyable {
  /// Where its user sits; non-blocking.
  package let user: FileDescriptor
  /// Where programs read and write; non-blocking.
  package let programs: FileDescriptor
  /// The programs' end in the file system.
  package let path: String

  package init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    var name = [CChar](repeating: 0, count: 128)
    _ = try Errno.check(unsafe clinux_pseudo_terminal(&ends, &name, name.count))
    user = FileDescriptor(owning: ends[0])
    programs = FileDescriptor(owning: ends[1])
    path = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
