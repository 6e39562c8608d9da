import Glibc

/// io_uring: calls that are made by the kernel's own threads, where no filter sees them.
struct Ring {
  let descriptor: Int
  private let rings: UnsafeMutableRawPointer
  private let entries: UnsafeMutableRawPointer
  private let offsets: [UInt32]

  init?() {
    // struct io_uring_params: 10 numbers, then the offsets of the submission ring (10 and a pad)
    // and of the completion ring.
    var parameters = [UInt32](repeating: 0, count: 30)
    let made = parameters.withUnsafeMutableBytes {
      Kernel.call(425, 4, UInt(bitPattern: $0.baseAddress))
    }
    Report.result("io_uring_setup", made)
    guard made >= 0 else { return nil }
    descriptor = made
    func map(_ offset: UInt) -> UnsafeMutableRawPointer? {
      let place = Kernel.call(Kernel.Number.mmap, 0, 8192, 3, 0x8001, UInt(made), offset)
      return place > 0 ? UnsafeMutableRawPointer(bitPattern: place) : nil
    }
    guard let rings = map(0), let entries = map(0x1000_0000) else { return nil }
    self.rings = rings
    self.entries = entries
    offsets = parameters
  }

  /// One request: the result of the call.
  func submit(
    _ operation: UInt8, descriptor target: Int32, offset: UInt64 = 0, address: UInt64,
    length: UInt32, flags: UInt32 = 0
  ) -> Int {
    entries.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    entries.storeBytes(of: operation, as: UInt8.self)
    entries.storeBytes(of: target, toByteOffset: 4, as: Int32.self)
    entries.storeBytes(of: offset, toByteOffset: 8, as: UInt64.self)
    entries.storeBytes(of: address, toByteOffset: 16, as: UInt64.self)
    entries.storeBytes(of: length, toByteOffset: 24, as: UInt32.self)
    entries.storeBytes(of: flags, toByteOffset: 28, as: UInt32.self)
    let submission = offsets[10...]
    let completion = offsets[20...]
    let tail = rings + Int(submission[11])
    let array = rings + Int(submission[16])
    let old = tail.load(as: UInt32.self)
    (array + 4 * Int(old & 3)).storeBytes(of: 0, as: UInt32.self)
    tail.storeBytes(of: old &+ 1, as: UInt32.self)
    // Submit one and wait for one (IORING_ENTER_GETEVENTS).
    let entered = Kernel.call(426, UInt(descriptor), 1, 1, 1)
    guard entered == 1 else {
      Report.result("io_uring_enter", entered)
      return entered
    }
    let head = rings + Int(completion[20])
    let mask = (rings + Int(completion[22])).load(as: UInt32.self)
    let index = head.load(as: UInt32.self) & mask
    let entry = rings + Int(completion[25]) + 16 * Int(index)
    let result = entry.load(fromByteOffset: 8, as: Int32.self)
    head.storeBytes(of: head.load(as: UInt32.self) &+ 1, as: UInt32.self)
    return Int(result)
  }

  /// IORING_OP_OPENAT.
  func open(_ path: String, _ flags: Int32 = O_RDONLY) -> Int {
    Kernel.with(path) {
      submit(18, descriptor: -100, address: UInt64($0), length: 0o600, flags: UInt32(flags))
    }
  }

  /// IORING_OP_SOCKET: family in the descriptor's place, type in the offset's.
  func socket(_ family: UInt, _ type: UInt, _ protocolNumber: UInt) -> Int {
    submit(
      45, descriptor: Int32(truncatingIfNeeded: family), offset: UInt64(type), address: 0,
      length: UInt32(truncatingIfNeeded: protocolNumber))
  }

  /// IORING_OP_CONNECT.
  func connect(_ socket: Int, _ address: [UInt8]) -> Int {
    address.withUnsafeBytes {
      submit(
        16, descriptor: Int32(socket), offset: UInt64($0.count),
        address: UInt64(UInt(bitPattern: $0.baseAddress)), length: 0)
    }
  }
}
