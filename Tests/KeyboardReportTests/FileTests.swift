import Glibc
import KeyboardHost
import TestSupport
import Testing

@testable import KeyboardReport

@Suite("The file of a report")
struct FileTests {
  private let home: TemporaryHome
  private var path: String { "\(home.work)/report.html" }

  init() throws { home = try TemporaryHome() }

  private func write(_ text: String, to path: String? = nil, replacing: Bool = false) throws {
    try ReportFile(path: path ?? self.path).write(Array(text.utf8), isReplacing: replacing)
  }

  @Test("it is made whole, for the user alone")
  func made() throws {
    try write("one")
    #expect(try Files.text(path) == "one")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try Files.tree(home.work) == ["report.html"], "nothing else is left")
  }

  @Test("a file that is there is replaced only when that is wished")
  func replaced() throws {
    try write("one")
    #expect(throws: StoreError.self) { try write("two") }
    #expect(try Files.text(path) == "one")
    try write("two", replacing: true)
    #expect(try Files.text(path) == "two")
    try write("new", to: "\(home.work)/new.html", replacing: true)
    #expect(try Files.tree(home.work) == ["new.html", "report.html"])
  }

  @Test(
    "a link is neither followed nor replaced, nor is anything else that is no file",
    arguments: [false, true])
  func links(replacing: Bool) throws {
    let precious = "\(home.work)/precious"
    try Files.write("precious", to: precious)
    #expect(symlink(precious, path) == 0)
    #expect(throws: StoreError.self) { try write("x", replacing: replacing) }
    let dangling = "\(home.work)/dangling"
    #expect(symlink("\(home.work)/nowhere", dangling) == 0)
    #expect(throws: StoreError.self) { try write("x", to: dangling, replacing: replacing) }
    let folder = "\(home.work)/folder"
    try Files.makeDirectory(folder)
    #expect(throws: StoreError.self) { try write("x", to: folder, replacing: replacing) }
    let fifo = "\(home.work)/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(throws: StoreError.self) { try write("x", to: fifo, replacing: replacing) }
    #expect(try Files.text(precious) == "precious")
    #expect(
      try Files.tree(home.work) == ["dangling", "fifo", "folder", "precious", "report.html"])
  }

  @Test(
    "what is no name of a file is refused, and a folder that is not there is named",
    arguments: ["", "/", ".", "..", "x/", "nowhere/x.html"])
  func wrongNames(name: String) throws {
    #expect(throws: StoreError.self) {
      try write("x", to: name.isEmpty ? "" : "\(home.work)/\(name)")
    }
    #expect(try Files.tree(home.work) == [])
  }
}
