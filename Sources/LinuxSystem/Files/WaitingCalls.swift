/// The calls in which a process's threads wait.
package enum WaitingCalls {
  /// The number of sendfile(2), `__NR_sendfile` of <asm/unistd.h>, on this architecture.
  #if arch(x86_64)
    package static let sendfile = 40
  #elseif arch(arm64)
    package static let sendfile = 71
  #else
    #error("the number of sendfile(2) on this architecture is not known")
  #endif

  /// How many threads wait in a call, by its number: /proc/PID/task/TID/syscall begins with it. A thread
  /// that runs is in none, and so is one of which the kernel does not tell.
  package static func count(_ number: Int, in process: Int32) -> Int {
    let path = "/proc/\(process)/task"
    guard let tasks = try? DirectoryHandle(path: path), let names = try? tasks.names() else {
      return 0
    }
    let start = Array("\(number) ".utf8)
    return names.count { name in
      guard let file = try? FileDescriptor.open("\(path)/\(name)/syscall", .read),
        let bytes = try? file.read(upTo: 32)
      else { return false }
      return bytes.starts(with: start)
    }
  }
}
