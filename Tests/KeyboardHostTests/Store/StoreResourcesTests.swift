import Glibc
import TestSupport
import Testing

@testable import KeyboardHost

@Suite("The files that belong to the program")
struct StoreResourcesTests {
  let home: TemporaryHome
  var root: String { home.work }
  init() throws { home = try TemporaryHome() }

  @Test("an installed program finds them below its prefix")
  func installed() throws {
    for folder in ["bin", "share/keyhost/Policies", "libexec/keyhost"] {
      try Files.makeDirectory("\(root)/usr/\(folder)")
    }
    let resources = try InstalledResources(program: "\(root)/usr/bin/keyhost")
    #expect(resources.launcher == "\(root)/usr/libexec/keyhost/keyhost-launcher")
    #expect(resources.policies == "\(root)/usr/share/keyhost/Policies")
    #expect(resources.templates == "\(root)/usr/share/keyhost/Templates")
    #expect(resources.sdk == "\(root)/usr/share/keyhost/sdk")
  }

  @Test("a program in a source tree finds them around it, and its launcher beside it")
  func development() throws {
    try Files.makeDirectory("\(root)/src/Policies")
    try Files.makeDirectory("\(root)/src/.build/debug")
    try Files.write("", to: "\(root)/src/Package.swift")
    let resources = try InstalledResources(program: "\(root)/src/.build/debug/keyhost")
    #expect(resources.launcher == "\(root)/src/.build/debug/keyhost-launcher")
    #expect(resources.policies == "\(root)/src/Policies")
    #expect(resources.sdk == "\(root)/src")
  }

  @Test("a program that was copied elsewhere says that they are missing")
  func missing() {
    #expect(
      storeFault { try InstalledResources(program: "\(root)/keyhost") }
        .contains("are not there: neither"))
  }

  @Test("a launcher or policy that somebody else can change is refused, and named")
  func trust() throws {
    let folder = "\(root)/usr/libexec/keyhost"
    try Files.makeDirectory("\(root)/usr/share/keyhost/Policies")
    try Files.makeDirectory("\(root)/usr/bin")
    try Files.makeDirectory(folder)
    let launcher = folder + "/keyhost-launcher"
    let resources = try InstalledResources(program: "\(root)/usr/bin/keyhost")
    #expect(storeFault { try resources.trustedLauncher() }.contains("is not there. Install"))
    try Files.write("x", to: launcher, mode: 0o755)
    #expect(try resources.trustedLauncher() == launcher)
    chmod(launcher, 0o757)
    #expect(
      storeFault { try resources.trustedLauncher() }
        == "\(launcher) can be changed by everybody and is not trusted: `chmod o-w` takes that away"
    )
    chmod(launcher, 0o755)
    chmod(folder, 0o777)
    #expect(storeFault { try resources.trustedLauncher() }.hasPrefix("\(folder) can be changed"))
    chmod(folder, 0o755)
    if geteuid() == 0 {
      chmod(launcher, 0o775)
      #expect(try resources.trustedLauncher() == launcher)
      chown(launcher, 0, 12_345)
      #expect(
        storeFault { try resources.trustedLauncher() }
          .hasPrefix("\(launcher) can be changed by the group id 12345"))
      chmod(launcher, 0o755)
      #expect(try resources.trustedLauncher() == launcher)
      chown(launcher, 12_345, 0)
      #expect(
        storeFault { try resources.trustedLauncher() }.contains("belongs to the user id 12345"))
    }
    Files.remove(launcher)
    symlink("/bin/sh", launcher)
    #expect(storeFault { try resources.trustedLauncher() }.contains("is a symbolic link"))
    #expect(storeFault { try resources.policy("../../x") }.contains("is not there. Install"))
  }
}
