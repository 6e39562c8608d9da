import Glibc
import LinuxSystem
import Testing

@Suite("The kernel's calls, wrapped")
struct LinuxSystemTests {
  @Test("an error says what it is, by the words and by the name")
  func errno() {
    #expect(Errno.permissionDenied.description == "Permission denied (EACCES)")
    #expect(Errno.permissionDenied.name == "EACCES")
    #expect(Errno(rawValue: 4_000).description == "error number 4000")
    // The table says what the C library says.
    for number in Int32(1)...133 {
      let error = Errno(rawValue: number)
      guard error.name != "\(number)" else { continue }
      #expect(error.description.hasPrefix(String(cString: strerror(number)) + " ("))
    }
  }

  @Test("a pipe closes on exec, carries bytes, and tells its end")
  func pipe() throws {
    let pipe = try Pipe(minimum: 100)
    #expect(pipe.readEnd.rawValue >= 100 && pipe.writeEnd.rawValue >= 100)
    #expect(fcntl(pipe.readEnd.rawValue, F_GETFD) == FD_CLOEXEC)
    #expect(fcntl(pipe.writeEnd.rawValue, F_GETFD) == FD_CLOEXEC)
    #expect(try pipe.writeEnd.write([1, 2, 3]) == 3)
    #expect(try pipe.readEnd.read(upTo: 10) == [1, 2, 3])
    try pipe.readEnd.setNonBlocking()
    #expect(throws: Errno.wouldBlock) {
      try FileDescriptor.read(from: pipe.readEnd.rawValue, upTo: 1)
    }
    let reader = pipe.closeWriteEnd()
    #expect(try reader.read(upTo: 1) == [])
  }

  @Test("a descriptor is closed with its value, once")
  func closes() throws {
    let number: Int32
    do {
      let descriptor = try FileDescriptor.open("/dev/null", .read).lifted(to: 500)
      number = descriptor.rawValue
      #expect(number >= 500)
      #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
    }
    #expect(fcntl(number, F_GETFD) == -1)
    let kept = try FileDescriptor.open("/dev/null", .read).lifted(to: 500).release()
    #expect(fcntl(kept, F_GETFD) != -1)
    FileDescriptor.close(kept)
  }

  @Test("an event set is readable when a member is, and a timer is when it has expired")
  func events() throws {
    let events = try EventSet()
    let timer = try Timer()
    let pipe = try Pipe()
    try events.add(pipe.readEnd.rawValue)
    try events.add(timer.rawValue)
    var entries = [PollEntry(events.rawValue, .input)]
    #expect(try poll(&entries, milliseconds: 0) == 0)
    try timer.repeatEvery(nanoseconds: 1_000_000)
    #expect(try poll(&entries, milliseconds: 5_000) == 1)
    try timer.repeatEvery(nanoseconds: 0)
    timer.acknowledge()
    #expect(try poll(&entries, milliseconds: 0) == 0)
    _ = try pipe.writeEnd.write([0])
    #expect(try poll(&entries, milliseconds: 0) == 1)
  }

  @Test("poll tells a closed descriptor and a hang-up apart")
  func polling() throws {
    let reader = try Pipe().closeWriteEnd()
    var entries = [PollEntry(reader.rawValue, .input), PollEntry(-1, .input)]
    #expect(try poll(&entries, milliseconds: 0) == 1)
    #expect(entries[0].returned == .hangUp)
    entries = [PollEntry(1_000_000, .input)]
    #expect(try poll(&entries, milliseconds: 0) == 1)
    #expect(entries[0].returned == .invalid)
  }

  @Test("sealed memory cannot be changed, and is told from what can be")
  func sealed() throws {
    let memory = try SealedMemory.create([1, 2, 3], name: "test")
    #expect(try SealedMemory.isSealed(memory.rawValue))
    #expect(try SealedMemory.contents(of: memory.rawValue, maximum: 3) == [1, 2, 3])
    #expect(throws: Errno(rawValue: EFBIG)) {
      try SealedMemory.contents(of: memory.rawValue, maximum: 2)
    }
    #expect(throws: Errno.notPermitted) {
      try FileDescriptor.write([4], to: memory.rawValue)
    }
    #expect(ftruncate(memory.rawValue, 0) == -1)
    let file = try FileDescriptor.open("/dev/null", .read)
    #expect(throws: Errno.invalidArgument) { try SealedMemory.isSealed(file.rawValue) }
  }

  @Test("a child's end and stops are told through its handle")
  func child() throws {
    let process = try ProcessControl.spawn(
      "/bin/sleep", arguments: ["sleep", "60"], environment: [], descriptors: [])
    let handle = try ProcessHandle(process)
    #expect(try handle.status(.exited) == nil)
    try handle.send(Signals.stop)
    var entries = [PollEntry(handle.rawValue, .input)]
    var stopped: ProcessStatus?
    for _ in 0..<1_000 where stopped == nil {
      stopped = try handle.status(.stopped)
      usleep(1_000)
    }
    #expect(stopped == .stopped(SIGSTOP))
    try handle.send(Signals.kill)
    #expect(try poll(&entries, milliseconds: 5_000) == 1)
    #expect(try handle.status([.exited, .peek]) == .signaled(SIGKILL, coreDumped: false))
    #expect(try handle.status(.exited) == .signaled(SIGKILL, coreDumped: false))
    #expect(ProcessStatus.signaled(SIGKILL, coreDumped: false).description == "killed by SIGKILL")
    #expect(throws: Errno.self) { _ = try ProcessHandle(process) }
  }

  @Test("the rights of each Landlock ABI are those of all before it, and more")
  func landlock() {
    for abi in 1...7 {
      let newer = LandlockFileAccess.handled(abi: abi)
      #expect(newer.isSuperset(of: .handled(abi: abi - 1)))
    }
    #expect(LandlockFileAccess.handled(abi: 0).isEmpty)
    #expect(LandlockFileAccess.handled(abi: 99) == .handled(abi: 7))
    #expect(LandlockFileAccess.handled(abi: 3).contains(.truncate))
    #expect(!LandlockFileAccess.handled(abi: 2).contains(.truncate))
    #expect(LandlockNetworkAccess.handled(abi: 3).isEmpty)
    #expect(LandlockScope.handled(abi: 6) == [.signal, .abstractUnixSocket])
  }

  @Test("a temporary folder is gone with its value")
  func temporaryFolder() throws {
    let path: String
    do {
      let folder = try TemporaryFolder(name: "keyhost-test")
      path = folder.path
      #expect(access(path, W_OK) == 0)
    }
    #expect(access(path, F_OK) == -1)
  }

  @Test("permissions are given to a folder, and never through a link put in its place")
  func permitOwner() throws {
    var template = Array("/tmp/keyhost-test-XXXXXX".utf8CString)
    let path = String(cString: try #require(mkdtemp(&template)))
    defer {
      if let folder = try? DirectoryHandle(path: "/tmp") {
        try? folder.removeTree(FileName(String(path.dropFirst(5))))
      }
    }
    mkdir(path + "/foreign", 0o755)
    mkdir(path + "/own", 0)
    symlink(path + "/foreign", path + "/swapped")
    let folder = try DirectoryHandle(path: path)
    try folder.permitOwner("own")
    #expect(try folder.status("own").permissions == 0o700)
    #expect(throws: FileError.self) { try folder.permitOwner("swapped") }
    #expect(try folder.status("foreign").permissions == 0o755)
  }
}
