import Glibc
import LinuxSystem

/// Something that a stage makes, and that lies in no folder of its own.
enum RecordedObject: Equatable {
  /// A System V object of a kind, by its key: that is known before there is an identifier.
  case systemV(Kind, key: Int32)
  /// A POSIX message queue.
  case queue(String)
  /// A file in the folder for shared memory.
  case sharedMemoryFile(String)

  /// As the files of /proc/sysvipc are called.
  enum Kind: String {
    case memory = "shm"
    case messages = "msg"
    case semaphore = "sem"
  }

  /// Of the file that records it.
  var name: String {
    switch self {
    case .systemV(let kind, let key): "\(kind.rawValue)-\(key)"
    case .queue(let name): "queue-\(name)"
    case .sharedMemoryFile(let name): "file-\(name)"
    }
  }

  /// Nil for a name that no stage gives.
  init?(named name: String) {
    let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    if let kind = Kind(rawValue: parts[0]), let key = Int32(parts[1]) {
      self = .systemV(kind, key: key)
    } else if parts[1].hasPrefix(StageFolder.prefix), !parts[1].contains("/") {
      switch parts[0] {
      case "queue": self = .queue(parts[1])
      case "file": self = .sharedMemoryFile(parts[1])
      default: return nil
      }
    } else {
      return nil
    }
  }

  /// Removes it, if it is there and this user's.
  func remove() {
    switch self {
    case .queue(let name): MessageQueue.remove(name)
    case .sharedMemoryFile(let name): Machine.removeSharedMemory("/dev/shm/\(name)")
    case .systemV(let kind, let key):
      for identifier in Self.identifiers(kind, key: key) {
        switch kind {
        case .memory: shmctl(identifier, IPC_RMID, nil)
        case .messages: msgctl(identifier, IPC_RMID, nil)
        case .semaphore: SharedSemaphore.remove(identifier)
        }
      }
    }
  }

  /// Of objects that this user made, by the kernel's list.
  static func identifiers(_ kind: Kind, key: Int32) -> [Int32] {
    let lines = (Machine.text("/proc/sysvipc/\(kind.rawValue)") ?? "").split(separator: "\n")
      .map { $0.split(separator: " ") }
    guard let titles = lines.first, let creator = titles.firstIndex(of: "cuid") else { return [] }
    return lines.dropFirst().compactMap { fields in
      guard fields.count > creator, Int32(fields[0]) == key,
        UInt32(fields[creator]) == ProcessControl.user
      else { return nil }
      return Int32(fields[1])
    }
  }
}
