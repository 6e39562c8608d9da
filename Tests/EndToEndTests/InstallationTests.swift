import Glibc
import TestSupport
import Testing

/// `make install` and `make uninstall`, by the scripts that they run.
@Suite("Installing and uninstalling")
struct InstallationTests {
  /// A tree to install from: the scripts and data of the project, and programs that say nothing.
  private static func source(in home: TemporaryHome) throws -> String {
    let tree = home.work + "/a source"
    try Files.makeDirectory(tree + "/Sources")
    for name in ["Scripts", "Policies", "Templates", "LICENSE"] {
      try copy(SourceTree.root + "/" + name, to: tree + "/" + name)
    }
    for name in ["StrictJSON", "TextInput", "PluginProtocol", "KeyboardExtension"] {
      try copy(SourceTree.root + "/Sources/" + name, to: tree + "/Sources/" + name)
    }
    for name in ["keyhost", "keyhost-launcher", "sandbox-probe"] {
      try Files.makeDirectory(tree + "/.build/release")
      try Files.write("#!/bin/sh\n", to: tree + "/.build/release/" + name, mode: 0o755)
    }
    return tree
  }

  private static func copy(_ source: String, to target: String) throws {
    let copied = try Program("/bin/cp").run("-R", "--", source, target)
    try #require(copied.exitCode == 0, "\(copied)")
  }

  private func run(_ script: String, _ tree: String, _ prefix: String) throws -> ProgramResult {
    let result = try Program("/bin/bash").run("\(tree)/Scripts/\(script)", prefix)
    #expect(result.exitCode == 0, "\(result)")
    return result
  }

  @Test("what was installed into a fresh prefix leaves nothing, not even empty folders")
  func fresh() throws {
    let home = try TemporaryHome()
    let tree = try Self.source(in: home)
    let top = home.work + "/stage dir"
    for prefix in [top + "/usr/local", top + "/usr/local/"] {
      _ = try run("install", tree, prefix)
      // An update must not forget what the first installation made.
      _ = try run("install", tree, prefix)
      #expect(Files.exists(top + "/usr/local/bin/keyhost"))
      #expect(Files.exists(top + "/usr/local/share/keyhost/sdk/LICENSE"))
      let said = try run("uninstall", tree, prefix).standardOutput
      #expect(said.contains("Removed Keyhost from \(prefix)."), "\(said)")
      #expect(said.contains("docs/files.md"), "\(said)")
      #expect(!Files.exists(top))
    }
    #expect(try run("uninstall", tree, top).standardOutput.contains("nothing to remove"))
    #expect(!Files.exists(top))
  }

  @Test("folders that were there before stay, empty or not, and so does what a user has")
  func shared() throws {
    let home = try TemporaryHome()
    let tree = try Self.source(in: home)
    let prefix = home.work + "/local"
    try Files.makeDirectory(prefix + "/bin")
    try Files.makeDirectory(prefix + "/share")
    _ = try run("install", tree, prefix)
    try Files.makeDirectory(prefix + "/share/keyhost/apps")
    try Files.write("mine", to: prefix + "/share/keyhost/apps/x")
    try Files.write("mine", to: prefix + "/libexec/other")
    _ = try run("uninstall", tree, prefix)
    #expect(
      try Files.tree(prefix) == [
        "bin", "libexec", "libexec/other", "share", "share/keyhost", "share/keyhost/apps",
        "share/keyhost/apps/x",
      ])
    Files.remove(prefix + "/share/keyhost")
    Files.remove(prefix + "/libexec")
    _ = try run("install", tree, prefix)
    _ = try run("uninstall", tree, prefix)
    #expect(try Files.tree(prefix) == ["bin", "share"])
  }

  @Test("docs/files.md names the folders that the program uses")
  func documented() throws {
    let page = try SourceTree.contents(of: "docs/files.md")
    let home = try TemporaryHome()
    var environment = home.environment
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
      environment[name] = nil
      #expect(page.contains("`$\(name)/keyhost`"))
    }
    for folder in ["~/.config/keyhost", "~/.local/share/keyhost", "~/.local/state/keyhost"] {
      #expect(page.contains("`\(folder)`") && page.contains(" \(folder)"))
    }
    for folder in ["config", "data", "state"] {
      #expect(page.contains("`/var/lib/keyhost/\(folder)`"))
    }
    guard !Products.isRoot else { return }
    let keyhost = Program(Products.keyhost, environment: environment)
    #expect(try keyhost.run("replacements", "add", "omw", "on my way").exitCode == 0)
    #expect(Files.exists(home.path + "/.config/keyhost/settings.json"))
    #expect(Files.exists(home.path + "/.local/state/keyhost/audit.log"))
  }

  @Test("the packages of the demonstration are fewer than those of the tests")
  func dependencies() throws {
    func packages(_ option: String...) throws -> Set<String> {
      let listed = try Program("/bin/bash").run(
        ["\(SourceTree.root)/Scripts/dependencies", "--list"] + option)
      #expect(listed.exitCode == 0, "\(listed)")
      return Set(listed.lines)
    }
    let plain = try packages()
    let tests: Set = [
      "gdb", "iproute2", "onboard-data", "openssl", "pulseaudio", "python3-dbus", "python3-gi",
      "tmux",
    ]
    #expect(plain.isDisjoint(with: tests) && plain.contains("libseccomp-dev"))
    #expect(try packages("--test") == plain.union(tests))
    #expect(try packages("--bench") == plain.union(["bubblewrap"]))
  }
}
