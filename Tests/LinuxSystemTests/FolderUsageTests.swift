import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("What a folder takes up is measured with bounded work")
struct FolderUsageTests {
  @Test("bytes, entries and depth are limited, and links are not followed")
  func usage() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    try Files.makeDirectory("\(root)/a")
    try Files.write(String(repeating: "x", count: 100_000), to: "\(root)/a/file", mode: 0o600)
    symlink("/usr", "\(root)/link")
    let folder = try DirectoryHandle(path: root)
    #expect(folder.usage(bytes: 1 << 20, entries: 3) == .within)
    #expect(folder.usage(bytes: 1 << 20, entries: 2) == .overEntries)
    #expect(folder.usage(bytes: 50_000, entries: 3) == .overBytes)
    #expect(folder.usage(bytes: 1 << 20, entries: 3, depth: 1) == .unmeasurable)
  }

  @Test("the size is what takes up room: not the holes of a file, and all that was made for it")
  func size() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    let folder = try DirectoryHandle(path: root)
    let nothing = folder.size(entries: 1)
    #expect(nothing == 0)
    let file = try folder.openFile(FileName("a"), flags: O_WRONLY | O_CREAT, mode: 0o600)
    try file.truncate(to: 1 << 30)
    let sparse = folder.size(entries: 1)
    #expect(sparse.map { $0 < 1 << 20 } == true)
    try file.truncate(to: 0)
    try file.allocate(1 << 20)
    let status = try file.status()
    #expect(status.size == 1 << 20)
    #expect(status.allocated >= 1 << 20)
    let solid = folder.size(entries: 1)
    #expect(solid.map { $0 >= 1 << 20 } == true)
    let tooMany = folder.size(entries: 0)
    #expect(tooMany == nil)
    let free = try folder.freeSpace()
    #expect(free > 0)
  }

  @Test("a file is replaced in the room of another, or written over where it stands")
  func rooms() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    let folder = try DirectoryHandle(path: root)
    let name = FileName("a")
    try Files.write("old text", to: "\(root)/a")
    try Files.write(String(repeating: "x", count: 100), to: "\(root)/b")
    try folder.replaceFile(name, with: Array("new".utf8), mode: 0o600, inRoomOf: FileName("b"))
    #expect(try Files.list(root) == ["a"])
    #expect(try Files.text("\(root)/a") == "new")
    #expect(Files.mode("\(root)/a") == 0o600)
    // A link in its place is not written through, and nothing is replaced.
    symlink("\(root)/a", "\(root)/b")
    var isRefused = false
    do {
      try folder.replaceFile(name, with: Array("bad".utf8), mode: 0o600, inRoomOf: FileName("b"))
    } catch { isRefused = true }
    #expect(isRefused)
    #expect(try Files.text("\(root)/a") == "new")
    let isWritten = try folder.overwriteFile(name, with: Array("n".utf8), filler: 0x20)
    #expect(isWritten)
    #expect(try Files.text("\(root)/a") == "n  ")
    let isTooLong = try folder.overwriteFile(name, with: Array("long".utf8), filler: 0x20)
    #expect(!isTooLong)
    #expect(try Files.text("\(root)/a") == "n  ")
  }

  @Test(
    "a folder whose owner may not list, enter or change it hides nothing, and can be removed",
    .enabled(if: !Products.isRoot, "root looks into every folder"),
    arguments: [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600])
  func closed(mode: mode_t) throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    try Files.makeDirectory("\(root)/a")
    try Files.makeDirectory("\(root)/a/b")
    try Files.write(String(repeating: "x", count: 100_000), to: "\(root)/a/b/file", mode: 0o600)
    let folder = try DirectoryHandle(path: root)
    for path in ["\(root)/a/b", "\(root)/a"] {
      chmod(path, mode)
      let expected: FolderUsage = mode == 0o500 ? .overBytes : .unmeasurable
      #expect(folder.usage(bytes: 50_000, entries: 3) == expected)
      let size = folder.size(entries: 3)
      #expect((size == nil) == (mode != 0o500))
    }
    try folder.removeTree(FileName("a"))
    #expect(try Files.list(root) == [])
  }

  @Test("what is held without a name counts beside it, and so does the folder itself")
  func held() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    let folder = try DirectoryHandle(path: root)
    #expect(folder.usage(bytes: 50_000, entries: 3, held: 50) == .within)
    #expect(folder.usage(bytes: 50_000, entries: 3, held: 100) == .overBytes)
  }

  @Test("a file without a name counts once, as long as the process has it open or mapped")
  func nameless() throws {
    let root = try RealPath.resolve(try Files.temporaryDirectory(mode: 0o700))
    defer { Files.remove(root) }
    try Files.makeDirectory("\(root)/here")
    try Files.makeDirectory("\(root)/there")
    func blocks() throws -> [UInt64] {
      try HeldFiles.blocks(
        heldBy: getpid(), below: [["\(root)/here"], ["\(root)/there"]], mapped: 1_000,
        mappings: 60_000)
    }
    let path = "\(root)/here/hoard"
    try Files.write(String(repeating: "x", count: 100_000), to: path, mode: 0o600)
    let first = open(path, O_RDONLY | O_CLOEXEC)
    let second = open(path, O_RDONLY | O_CLOEXEC)
    #expect(try blocks() == [0, 0])
    #expect(unlink(path) == 0)
    let open = try blocks()
    #expect((190...300).contains(open[0]) && open[1] == 0, "\(open)")
    let place = mmap(nil, 4096, PROT_READ, MAP_PRIVATE, second, 0)
    #expect(try blocks() == open)
    close(first)
    #expect(try blocks() == open)
    close(second)
    #expect(try blocks() == [1_000, 0])
    munmap(place, 4096)
    #expect(try blocks() == [0, 0])
  }

  @Test("descriptors that threads share are looked at once, and no more than the given number")
  func sharedDescriptors() throws {
    // In a process of its own, in which nobody else opens anything.
    let crowd = try Program("/usr/bin/python3").start([
      "-c",
      """
      import os, sys, threading
      kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
      wait = threading.Event()
      threads = [threading.Thread(target=wait.wait, daemon=True) for _ in range(20)]
      for thread in threads:
          thread.start()
      print("ready", flush=True)
      sys.stdin.readline()
      os._exit(0)
      """,
    ])
    #expect(crowd.readLine() == "ready")
    func look(_ most: Int) throws {
      _ = try HeldFiles.blocks(
        heldBy: crowd.identifier, below: [["/nowhere"]], mapped: 1, mappings: 60_000,
        descriptors: most)
    }
    // 21 threads with some 103 descriptors.
    try look(200)
    #expect(throws: HeldFiles.Fault.tooManyDescriptors) { try look(100) }
    crowd.send(line: "")
    _ = crowd.finish()
  }

  @Test("a folder that was removed counts as well, with the room that its names took")
  func removedFolder() throws {
    let root = try RealPath.resolve(try Files.temporaryDirectory(mode: 0o700))
    defer { Files.remove(root) }
    let path = "\(root)/here/crowd"
    try Files.makeDirectory(path)
    let names = (0..<500).map { "\(path)/\($0)" + String(repeating: "n", count: 200) }
    for name in names { try Files.write("", to: name, mode: 0o600) }
    let held = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(held) }
    for name in names { unlink(name) }
    #expect(rmdir(path) == 0)
    var status = stat()
    #expect(fstat(held, &status) == 0)
    // Not on every file system does a removed folder keep anything.
    let blocks = try HeldFiles.blocks(
      heldBy: getpid(), below: [["\(root)/here"]], mapped: 1_000, mappings: 60_000)
    #expect(blocks[0] == UInt64(status.st_blocks))
  }

  @Test("of a process that is not there nothing is known")
  func gone() {
    #expect(throws: HeldFiles.Fault.unreadable) {
      try HeldFiles.blocks(heldBy: .max, below: [["/"]], mapped: 1, mappings: 1)
    }
  }

  @Test("a tree is removed while a program goes on making and removing things in it")
  func removalOfAMovingTree() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    try Files.makeDirectory("\(root)/tree/inner")
    let busy = try Program("/usr/bin/python3").start([
      "-c",
      """
      import os, sys, time
      place = sys.argv[1]
      end = time.monotonic() + 2
      print("ready", flush=True)
      number = 0
      while time.monotonic() < end:
          number += 1
          for name in (f"{place}/d{number % 7}", f"{place}/inner/d{number % 5}"):
              try:
                  os.mkdir(name)
                  if number % 3:
                      os.rmdir(name)
              except OSError:
                  pass
      """, "\(root)/tree",
    ])
    #expect(busy.readLine() == "ready")
    let folder = try DirectoryHandle(path: root)
    // The program ends by itself, as a keyboard is ended by its host.
    try folder.removeTree(FileName("tree"), patience: 60_000)
    #expect(try Files.list(root).isEmpty)
    _ = busy.finish()
    #expect(try Files.list(root).isEmpty)
  }
}
