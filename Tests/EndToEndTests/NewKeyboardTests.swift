import Glibc
import TestSupport
import Testing

/// `keyhost new`: a keyboard that builds, installs and types.
@Suite("New keyboards")
struct NewKeyboardTests {
  @Test(
    "a new keyboard builds, installs and types",
    .enabled(
      if: Products.prefix != nil,
      "needs an installed keyhost, which the generated Makefile calls by name: make test"),
    arguments: ["python", "swift"])
  func new(_ language: String) throws {
    let prefix = try #require(Products.prefix)
    let home = try TemporaryHome()
    var environment = home.environment
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    environment["PATH"] = "\(prefix)/bin:\(path):\(Program.plainEnvironment["PATH"]!)"
    let made = try home.keyhost("new", "Mine", "--language", language, "--directory", home.work)
    try #require(made.exitCode == 0, "\(made)")
    let make = Program(
      "/usr/bin/make", environment: environment, workingDirectory: "\(home.work)/Mine",
      deadline: 600)
    let installed = try make.run("install")
    try #require(installed.exitCode == 0, "\(installed)")
    let run = try TypedRun(
      try home.keyhost(
        "type", "--json", "--keyboard", "org.example.mine.keyboard", input: "hello"))
    #expect(run.texts["document"] == "hello", "\(run.result)")
    #expect(run.handlers(of: "document") == ["org.example.mine.keyboard"], "\(run.result)")
  }

  @Test("the next step that is printed is one, whatever the folder is called")
  func nextStep() throws {
    let home = try TemporaryHome()
    let folder = "\(home.work)/a b'c;$(x)"
    try Files.makeDirectory(folder)
    let result = try home.keyhost("new", "Mine", "--language", "python", "--directory", folder)
    let step = try #require(result.lines.last?.split(separator: ": ", maxSplits: 1).last)
    let words = try Program("/bin/sh").run(["-c", "printf '%s\\n' " + step])
    #expect(words.lines == ["make", "-C", "\(folder)/Mine", "install"], "\(result)")
    let plain = try home.keyhost(
      "new", "Mine", "--language", "python", "--directory", home.work)
    #expect(plain.lines.last?.hasSuffix(": make -C \(home.work)/Mine install") == true)
  }

  @Test("a name that is no name, and a folder that is there, are refused and left alone")
  func refused() throws {
    let home = try TemporaryHome()
    for name in ["", "-x", "../up", "a b", "9lives", "é", String(repeating: "a", count: 41)] {
      let result = try home.keyhost.run(
        ["new", name, "--language", "python", "--directory", home.work])
      #expect(result.end == .exited(1) || result.end == .exited(2), "\(name): \(result)")
    }
    // What would be made could not be installed.
    for name in ["System", "sYSTEM2", "SystemKeyboard"] {
      let result = try home.keyhost("new", name, "--language", "python", "--directory", home.work)
      #expect(result.exitCode == 2, "\(result)")
      #expect(result.standardError.contains("is the name of the host's own keyboard"), "\(result)")
    }
    #expect(try Files.list(home.work).isEmpty)
    #expect(
      try home.keyhost("new", "Systematic", "--language", "python", "--directory", home.work)
        .exitCode == 0)
    Files.remove("\(home.work)/Systematic")
    try Files.makeDirectory("\(home.work)/There")
    try Files.write("mine", to: "\(home.work)/There/file")
    let result = try home.keyhost(
      "new", "There", "--language", "swift", "--directory", home.work)
    #expect(result.exitCode == 1, "\(result)")
    #expect(try Files.tree(home.work) == ["There", "There/file"])
  }
}
