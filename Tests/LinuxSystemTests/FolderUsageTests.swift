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

  @Test("a file without a name counts once, as long as the process has it open")
  func nameless() throws {
    let root = try Files.temporaryDirectory(mode: 0o700)
    defer { Files.remove(root) }
    let folder = try DirectoryHandle(path: root)
    let path = "\(root)/hoard"
    try Files.write(String(repeating: "x", count: 100_000), to: path, mode: 0o600)
    let first = open(path, O_RDONLY | O_CLOEXEC)
    let second = open(path, O_RDONLY | O_CLOEXEC)
    #expect(unlink(path) == 0)
    #expect(folder.usage(bytes: 50_000, entries: 3) == .within)
    #expect(folder.usage(bytes: 50_000, entries: 3, heldBy: getpid()) == .overBytes)
    #expect(folder.usage(bytes: 150_000, entries: 3, heldBy: getpid()) == .within)
    close(first)
    #expect(folder.usage(bytes: 50_000, entries: 3, heldBy: getpid()) == .overBytes)
    close(second)
    #expect(folder.usage(bytes: 50_000, entries: 3, heldBy: getpid()) == .within)
  }
}
