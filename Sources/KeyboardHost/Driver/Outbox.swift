import LinuxSystem

/// Bytes that wait for somebody who reads when he likes.
struct Outbox {
  private var bytes: [UInt8] = []
  private var start = 0
  /// What a buffer that is empty may keep, in bytes.
  private let keptCapacity: Int

  init(keepingCapacity keptCapacity: Int = .max) { self.keptCapacity = keptCapacity }

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= keptCapacity)
    start = 0
  }

  /// Gives the kernel as much as it takes now.
  /// - Throws: what write(2) says, when nobody will read any more.
  mutating func write(to descriptor: Int32) throws(Errno) {
    while start < bytes.count {
      do throws(Errno) {
        start += try FileDescriptor.write(bytes[start...], to: descriptor)
      } catch {
        guard error == .wouldBlock else { throw error }
        break
      }
    }
    if start == bytes.count {
      removeAll()
    } else if start > 1 << 18 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}
