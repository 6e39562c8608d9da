import Glibc
import LinuxSystem

/// Reads the names of contacts beside the loop: a large address book takes a while, and no key waits for it.
///
/// Not `Sendable`: the loop's thread owns it.
final class ContactReading {
  private let loop: PollLoop
  private let found: (ContactNames) -> Void
  private var work: BackgroundWork?
  private var isReading = false
  /// What is to be read when what is being read is there.
  private var next: [String]?

  /// - Parameter found: is called in a turn of the loop, with the names of the folders asked for last.
  init(loop: PollLoop, found: @escaping (ContactNames) -> Void) {
    self.loop = loop
    self.found = found
  }

  /// Has folders read, and returns at once. Where no thread can be had they are read now.
  func read(_ folders: [String]) {
    guard !isReading else {
      next = folders
      return
    }
    do throws(Errno) {
      let work = if let work { work } else { try BackgroundWork(loop: loop) }
      self.work = work
      try work.submit({ Self.names(in: folders) }, done: { [unowned self] in deliver($0) })
      isReading = true
    } catch {
      found(ContactNames(folders: folders))
    }
  }

  private static func names(in folders: [String]) -> ContactNames {
    // Of this thread alone, as Linux has it (setpriority(2), NOTES): keys go first.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    return ContactNames(folders: folders)
  }

  private func deliver(_ names: ContactNames) {
    isReading = false
    guard let folders = next else { return found(names) }
    next = nil
    read(folders)
  }
}
