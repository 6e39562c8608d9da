import Glibc
import PluginManifest
import TestSupport
import Testing

private let script = "#!/usr/bin/python3\n"

@Suite("Files in bundles")
struct BundleFileTests {
  let folder: Folder
  let app: String
  var inner: String { app + "/PlugIns/FixtureKeyboard.appex" }
  var executable: String { inner + "/FixtureKeyboard" }

  init() throws {
    folder = try Folder()
    app = try FixtureApp(keyboards: [FixtureKeyboard(script: script)]).write(to: folder.path)
  }

  private func fault() -> String {
    do {
      _ = try AppBundle(validating: app)
      return "read"
    } catch { return "\(error)" }
  }
  private let place = "PlugIns/FixtureKeyboard.appex/FixtureKeyboard"

  @Test("an executable that is missing, not executable, a folder or a link is refused")
  func executableFaults() throws {
    chmod(executable, 0o644)
    #expect(fault() == "\(place): it is not executable: change that with `chmod +x`")
    Files.remove(executable)
    #expect(fault() == "\(place): it is missing, but `CFBundleExecutable` names it")
    try Files.makeDirectory(executable)
    #expect(fault() == "\(place): it is a folder where a program belongs")
    Files.remove(executable)
    try Files.write(script, to: inner + "/real", mode: 0o755)
    symlink("real", executable)
    #expect(fault() == "\(place): it is a link where the program itself belongs")
  }

  @Test(
    "set-user-id, set-group-id and world-writable programs are refused",
    arguments: [
      (mode_t(0o4755), "set-user-id"), (0o2755, "set-group-id"), (0o757, "everybody can write to"),
    ])
  func modes(_ mode: mode_t, _ expected: String) {
    chmod(executable, mode)
    #expect(fault().hasPrefix("\(place): it is "))
    #expect(fault().contains(expected))
  }

  @Test("a set-user-id program that is not the executable is refused as well")
  func otherSetUser() throws {
    try Files.write("x", to: app + "/helper", mode: 0o4755)
    #expect(fault().hasPrefix("helper: it is set-user-id"))
  }

  @Test(
    "a link that leaves its own folder is refused, wherever it leads",
    arguments: [
      "/etc/passwd", "/", "../../../..", "../x", "a/../../b", "..", "a\nb", "-rf",
      // Among characters a mark or a prepended letter is one with the slash beside it.
      "../\u{301}a", "a\u{d4e}/../b", "/\u{301}etc",
    ])
  func links(_ target: String) {
    symlink(target, inner + "/link")
    #expect(fault().hasPrefix("PlugIns/FixtureKeyboard.appex/link: it is a link"))
  }

  @Test("a link to something beside or below it is allowed, also in a circle")
  func innerLinks() throws {
    symlink("FixtureKeyboard", inner + "/again")
    symlink(".", inner + "/here")
    symlink("loop", inner + "/loop")
    #expect(fault() == "read")
  }

  @Test("a FIFO, a socket or a device is refused, and opening one never waits")
  func specialFiles() throws {
    mkfifo(inner + "/pipe", 0o644)
    #expect(
      fault()
        == "PlugIns/FixtureKeyboard.appex/pipe: it is a FIFO, which has no place in a bundle")
    Files.remove(inner + "/pipe")
    Files.remove(app + "/Info.plist")
    mkfifo(app + "/Info.plist", 0o644)
    #expect(fault() == "Info.plist: it is a FIFO, which has no place in a bundle")
    if geteuid() == 0 {
      Files.remove(app + "/Info.plist")
      mknod(app + "/Info.plist", S_IFCHR | 0o666, 0x103)
      #expect(fault() == "Info.plist: it is a character device, which has no place in a bundle")
    }
  }

  @Test(
    "file names that look like options, hold control characters or are not UTF-8 are refused",
    arguments: ["-rf", "a\nb", "a\u{1b}b", "\u{202e}b"])
  func fileNames(_ name: String) throws {
    try Files.write("x", to: inner + "/" + name)
    #expect(fault().contains("the file's name "))
  }

  @Test("a file with a second link, which may be a private file elsewhere, is refused")
  func hardLinks() throws {
    try Files.write("private", to: folder.path + "/private", mode: 0o600)
    link(folder.path + "/private", inner + "/data")
    #expect(
      fault().hasPrefix("PlugIns/FixtureKeyboard.appex/data: it has 2 hard links, and so belongs"))
    Files.remove(folder.path + "/private")
    #expect(fault() == "read")
  }

  @Test("a name that is not UTF-8 is refused")
  func notUTF8() throws {
    let bytes = (inner + "/a").utf8CString.dropLast() + [CChar(bitPattern: 0xff), 0]
    Array(bytes).withUnsafeBufferPointer { _ = mkdir($0.baseAddress!, 0o755) }
    #expect(fault().contains("a file's name is not valid UTF-8"))
    Files.remove(app + "/PlugIns")
    let top = (app + "/a").utf8CString.dropLast() + [CChar(bitPattern: 0xff), 0]
    Array(top).withUnsafeBufferPointer { _ = mkdir($0.baseAddress!, 0o755) }
    // The top folder has no name inside the bundle.
    #expect(fault().hasPrefix("a file's name is not valid UTF-8"))
  }

  @Test("folders that stand too deep in each other are refused")
  func depth() throws {
    var path = inner
    for _ in 0..<20 {
      path += "/d"
      try Files.makeDirectory(path)
    }
    #expect(fault().contains("folders stand deeper than 16 in each other"))
  }

  @Test("too many files, or too large ones, are refused")
  func amounts() throws {
    try Files.makeDirectory(inner + "/many")
    for number in 0..<10_000 { symlink("x", inner + "/many/\(number)") }
    #expect(fault().contains("the bundle holds more than 10000 files"))
    Files.remove(inner + "/many")
    try Files.write("", to: inner + "/large")
    truncate(inner + "/large", off_t(1) << 40)
    #expect(
      fault() == "PlugIns/FixtureKeyboard.appex/large: the bundle holds more than 512 MiB")
  }

  @Test("a bundle that is a link, a file or not an .app is refused")
  func notABundle() throws {
    symlink(app, folder.path + "/Link.app")
    try Files.write("", to: folder.path + "/File.app")
    for path in ["Link.app", "Link.app/", "File.app"] {
      #expect(throws: BundleError.self) { try AppBundle(validating: folder.path + "/" + path) }
    }
    #expect(throws: BundleError.self) { try AppBundle(validating: inner) }
    #expect(throws: Never.self) { try AppBundle(validating: app + "/") }
  }
}
