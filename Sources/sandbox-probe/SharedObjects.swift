import CSandboxProbe
import Glibc

/// Memory and messages that processes share by a number or a name, past all files.
enum SharedObjects {
  /// `shared WAY KEY`: takes what lies in another's object.
  static func use(_ words: [String]) {
    switch words.word(0) {
    case "memory": memory(words.value(1))
    case "memory-i386": memory32(UInt32(words.value(1)))
    case "messages": messages(words.value(1))
    case "queue": queue(words.word(1))
    case "semaphore":
      let set = Kernel.call(64, words.value(1), 1, 0)
      Report.result("semget", set)
      // SETVAL, 16.
      if set >= 0 { Report.result("semctl", Kernel.call(66, UInt(set), 0, 16, 7)) }
    default: Report.line("unknown way")
    }
  }

  private static func memory(_ key: UInt) {
    let segment = Kernel.call(29, key, 0, 0)
    Report.result("shmget", segment)
    guard segment >= 0 else { return }
    // SHM_RDONLY.
    let place = Kernel.call(30, UInt(segment), 0, 0o10000)
    Report.result("shmat", place)
    if place > 0, let start = UnsafeRawPointer(bitPattern: place) {
      Report.loot(Array(UnsafeRawBufferPointer(start: start, count: 64)))
    }
  }

  /// By the multiplexer ipc(2): SHMGET is 23, SHMAT 21.
  private static func memory32(_ key: UInt32) {
    let segment = probe_call_i386(117, 23, key, 0, 0, 0)
    Report.result("int 0x80 ipc", segment)
    guard segment >= 0, let low = probe_low_memory(4096) else { return }
    let result = probe_call_i386(
      117, 21, UInt32(segment), 0o10000, UInt32(UInt(bitPattern: low)), 0)
    Report.result("int 0x80 ipc", result)
    let place = UInt(low.load(as: UInt32.self))
    if result == 0, let start = UnsafeRawPointer(bitPattern: place) {
      Report.loot(Array(UnsafeRawBufferPointer(start: start, count: 64)))
    }
  }

  private static func messages(_ key: UInt) {
    let queue = Kernel.call(68, key, 0)
    Report.result("msgget", queue)
    guard queue >= 0 else { return }
    var message = [UInt8](repeating: 0, count: 128)
    let got = message.withUnsafeMutableBytes {
      // IPC_NOWAIT.
      Kernel.call(70, UInt(queue), UInt(bitPattern: $0.baseAddress), 120, 0, 0o4000)
    }
    Report.result("msgrcv", got)
    if got > 0 { Report.loot(Array(message[8..<8 + got])) }
  }

  private static func queue(_ name: String) {
    let queue = Kernel.with(name) { Kernel.call(240, $0, UInt(O_RDONLY | O_NONBLOCK), 0, 0) }
    Report.result("mq_open", queue)
    guard queue >= 0 else { return }
    var message = [UInt8](repeating: 0, count: 8192)
    let got = message.withUnsafeMutableBytes {
      Kernel.call(243, UInt(queue), UInt(bitPattern: $0.baseAddress), 8192, 0, 0)
    }
    Report.result("mq_timedreceive", got)
    if got > 0 { Report.loot(Array(message[..<got])) }
  }
}
