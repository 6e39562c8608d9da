import Glibc
import PluginManifest
import TestSupport
import Testing

@Suite("Programs of keyboards")
struct PluginProgramTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  private func outcome(_ program: [UInt8]) throws -> String {
    let app = try FixtureApp(keyboards: [FixtureKeyboard(executable: program)])
      .write(to: folder.path)
    do {
      let program = try AppBundle(validating: app).keyboards[0].program
      return (program.interpreter ?? "ELF") + (program.interpreterArgument.map { " " + $0 } ?? "")
    } catch { return error.message }
  }
  private func script(_ line: String) throws -> String { try outcome(Array(line.utf8)) }

  @Test("an interpreter in /usr/bin is taken, and /bin is the same")
  func interpreters() throws {
    #expect(try script("#!/usr/bin/python3\n") == "/usr/bin/python3")
    #expect(try script("#! /usr/bin/python3 -u -B \n") == "/usr/bin/python3 -u -B")
    #expect(try script("#!/bin/sh\n") == "/usr/bin/sh")
  }

  @Test("an interpreter that env looks up is refused with the line to write")
  func env() throws {
    #expect(
      try script("#!/usr/bin/env python3\n")
        == "its first line looks the interpreter up with `env`, which is refused: write "
        + "`#!/usr/bin/python3`")
    #expect(try script("#!/bin/env -S A=b python3 -u\n").hasSuffix("`#!/usr/bin/python3 -u`"))
    #expect(try script("#!/usr/bin/env\n").hasSuffix("`#!/usr/bin/python3`"))
  }

  @Test(
    "an interpreter from elsewhere is refused",
    arguments: [
      "#!/usr/local/bin/python3\n", "#!python3\n", "#!/usr/bin/../../tmp/python3\n",
      "#!./python3\n", "#!/usr/bin/sub/python3\n", "#!//usr/bin/python3\n",
    ])
  func elsewhere(_ line: String) throws {
    #expect(try script(line).hasSuffix("is not in /usr/bin: write `#!/usr/bin/python3`"))
  }

  @Test("a first line that cannot work is refused with the reason")
  func firstLines() throws {
    #expect(try script("#!/usr/bin/python3\r\n").contains("carriage return"))
    #expect(try script("#!\n") == "its first line names no interpreter after `#!`")
    #expect(try script("#!/usr/bin/python3").contains("longer than the 255 bytes"))
    #expect(
      try script("#!/usr/bin/python3 " + String(repeating: "a", count: 300) + "\n").contains(
        "longer than the 255 bytes"))
    #expect(try script("#!/usr/bin/no-such-interpreter\n").contains("No such file"))
    #expect(try outcome(Array("#!/usr/bin/".utf8) + [0xff, 10]).contains("not valid UTF-8"))
    #expect(try script("print()\n").hasPrefix("it is neither an ELF program nor a script"))
    #expect(try outcome([]).hasPrefix("it is neither an ELF program nor a script"))
    #expect(try script("MZ\u{0}").hasPrefix("it is neither"))
  }

  @Test("the system's own programs are taken: their libraries are there")
  func systemPrograms() throws {
    for path in ["/bin/sh", "/usr/bin/python3", "/bin/ls"] {
      #expect(try outcome(try Files.read(path)) == "ELF")
    }
  }

  @Test("a program that needs a library from elsewhere is refused, with what to do")
  func missingLibrary() throws {
    // A debug build is a dynamic Swift program, with its libraries in the toolchain's folder.
    let program = Products.debugPrefix.map { $0 + "/bin" } ?? Products.buildFolder
    let message = try outcome(try Files.read(program + "/keyhost"))
    #expect(message.contains("which is neither in the bundle nor in the system's folders"))
    #expect(message.contains("build with `-c release`"))
  }

  @Test("a library inside the bundle is found by $ORIGIN, and one outside is not")
  func origin() throws {
    var program = try Files.read("/bin/ls")
    let name = Array("libselinux.so.1".utf8)
    let replacement = Array("libmissing!.so1".utf8)
    let place = try #require(
      (0..<program.count - name.count).first { program[$0..<$0 + name.count].elementsEqual(name) },
      "/bin/ls of another system than Debian: the test needs another program")
    program.replaceSubrange(place..<place + name.count, with: replacement)
    #expect(try outcome(program).contains("it needs the library `libmissing!.so1`"))
  }

  @Test("a damaged ELF file is read or refused, and never ends the host")
  func damaged() throws {
    let program = Array(try Files.read("/bin/ls").prefix(200_000))
    #expect(try outcome(Array(program.prefix(10))) == "it is a damaged ELF program")
    #expect(try outcome(Array(program.prefix(100))) == "it is a damaged ELF program")
    var other = program
    other[18] = 40
    #expect(try outcome(other) == "it is an ELF program for another kind of machine")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      var changed = program
      for _ in 0..<3 {
        changed[Int.random(in: 4..<1_000, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try outcome(changed)
    }
  }
}
