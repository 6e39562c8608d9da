import Glibc
import LinuxSystem

/// Memory, messages or a semaphore of another program of the user's, which are found by a number
/// or a name and are no files.
final class SharedObject {
  /// Of a System V object.
  let key: Int32
  /// Of a POSIX message queue.
  let name: String
  private let kind: DecoyKind
  private var identifier: Int32 = -1
  private var semaphore: Semaphore?
  private var queue: Queue?
  private let home: StageFolder
  private let record: RecordedObject

  init(_ kind: DecoyKind, secret: String, home: StageFolder) throws(SelftestError) {
    self.kind = kind
    self.home = home
    key = Int32.random(in: 0x4000_0000 ... .max)
    name = StageFolder.prefix + Machine.secret()
    record =
      switch kind {
      case .sharedMemory: .systemV(.memory, key: key)
      case .sharedMessages: .systemV(.messages, key: key)
      case .sharedSemaphore: .systemV(.semaphore, key: key)
      default: .queue(name)
      }
    try home.record(record)
    do throws(SelftestError) {
      try make(Array(secret.utf8) + [0])
    } catch {
      home.forget(record)
      throw error
    }
  }

  private func make(_ bytes: [UInt8]) throws(SelftestError) {
    let flags = IPC_CREAT | IPC_EXCL | 0o666
    switch kind {
    case .sharedMemory:
      identifier = shmget(key, 4096, flags)
      guard identifier >= 0, let place = unsafe shmat(identifier, nil, 0),
        UInt(bitPattern: place) != .max
      else { throw Self.failed("shared memory") }
      unsafe place.copyMemory(from: bytes, byteCount: bytes.count)
      unsafe shmdt(place)
    case .sharedMessages:
      identifier = msgget(key, flags)
      // A type, and then the text.
      let message = [1, 0, 0, 0, 0, 0, 0, 0] + bytes
      guard identifier >= 0, unsafe msgsnd(identifier, message, bytes.count, IPC_NOWAIT) == 0
      else { throw Self.failed("messages") }
    case .sharedSemaphore:
      do { semaphore = Semaphore(try SharedSemaphore(key: key)) } catch {
        throw SelftestError("a semaphore cannot be made here: \(error)")
      }
    default:
      do {
        let made = try MessageQueue(name: name)
        try made.send(bytes)
        queue = Queue(made)
      } catch {
        throw SelftestError("a message queue cannot be made here: \(error)")
      }
    }
  }

  private final class Semaphore {
    let value: SharedSemaphore
    init(_ value: consuming SharedSemaphore) { self.value = value }
  }

  private final class Queue {
    let value: MessageQueue
    init(_ value: consuming MessageQueue) { self.value = value }
  }

  private static func failed(_ what: String) -> SelftestError {
    SelftestError("\(what) cannot be made here: \(Errno(rawValue: errno))")
  }

  deinit {
    semaphore = nil
    queue = nil
    if identifier >= 0 {
      switch kind {
      case .sharedMemory: shmctl(identifier, IPC_RMID, nil)
      default: msgctl(identifier, IPC_RMID, nil)
      }
    }
    home.forget(record)
  }

  /// Whether the semaphore has another value than at first.
  var hasChanged: Bool { (semaphore?.value.value ?? 0) != 0 }
}
