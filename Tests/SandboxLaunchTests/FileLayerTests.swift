import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("Files beyond its own are out of a keyboard's reach")
struct FileLayerTests {
  @Test("the private root shows what the profile names and nothing else")
  func root() throws {
    var request = try ProbeBundle().request()
    // Landlock would not let it list the root at all.
    request.omittedLayers = [.landlock]
    let probe = try Probe(request)
    let names = try probe.ask("list /").split(separator: " ").sorted()
    #expect(names == ["bundle", "container", "dev", "etc", "lib", "lib64", "shared", "tmp", "usr"])
    #expect(
      try probe.ask("list /dev").split(separator: " ").sorted() == ["null", "urandom", "zero"])
    for device in ["/dev/null", "/dev/zero", "/dev/urandom"] {
      #expect(try probe.ask("read \(device)") == "0")
    }
    #expect(try probe.ask("write /dev/null") == "0")
    #expect(try probe.ask("list /proc") == "\(ENOENT)")
    #expect(try probe.ask("status /home") == "\(ENOENT)")
    #expect(try probe.ask("make-folder /x") == "\(EROFS)")
  }

  @Test("its bundle and its app's shared container cannot be changed, its container can")
  func ownPlaces() throws {
    let bundle = try ProbeBundle()
    try Files.write("shared", to: "\(bundle.shared)/words", mode: 0o644)
    try Files.write("manifest", to: "\(bundle.bundle)/Info.plist", mode: 0o666)
    let probe = try Probe(bundle.request())
    #expect(try probe.ask("read /bundle/probe") == "0")
    #expect(try probe.ask("read /shared/words") == "0")
    for path in [
      "/bundle/Info.plist", "/bundle/new", "/shared/words", "/shared/new", "/usr/lib/new",
    ] {
      let answer = try #require(Int32(probe.ask("write \(path)")))
      #expect([EACCES, EROFS].contains(answer), "\(path)")
    }
    #expect(try probe.ask("write /container/new") == "0")
    #expect(Files.exists("\(bundle.container)/new"))
    #expect(try probe.ask("make-folder /container/folder") == "0")
    #expect(try probe.ask("rename /container/new /container/folder/new") == "0")
    #expect(try probe.ask("remove /container/folder/new") == "0")
    #expect(try probe.ask("write /tmp/new") == "0")
  }

  @Test("nothing that it wrote can be run or mapped for execution")
  func noExecution() throws {
    let bundle = try ProbeBundle()
    try Files.write(
      Files.read(ProbeProgram.path), to: "\(bundle.container)/copy", mode: 0o755)
    let probe = try Probe(bundle.request())
    #expect(try probe.ask("map-executable /bundle/probe") == "0")
    #expect(try probe.ask("map-executable /container/copy") == "\(EPERM)")
    #expect(try probe.ask("run /container/copy") == "\(EACCES)")
  }

  @Test("it makes no device, pipe or symbolic link that it has no right to")
  func noSpecialFiles() throws {
    let probe = try Probe(ProbeBundle().request())
    #expect(try probe.ask("make-pipe /container/pipe") == "\(EACCES)")
    #expect(try probe.ask("link /etc/passwd /container/link") == "\(EACCES)")
  }

  @Test("with the private root left out, Landlock alone refuses a foreign file")
  func landlockAlone() throws {
    let bundle = try ForeignFile()
    var request = bundle.probe.request()
    request.omittedLayers = [.privateRoot]
    let probe = try Probe(request)
    #expect(try probe.ask("read \(bundle.path)") == "\(EACCES)")
    #expect(try probe.ask("list /tmp") == "\(EACCES)")
    #expect(try probe.ask("write \(bundle.probe.container)/new") == "0")
  }

  @Test("with Landlock left out, the private root alone hides a foreign file")
  func privateRootAlone() throws {
    let bundle = try ForeignFile()
    var request = bundle.probe.request()
    request.omittedLayers = [.landlock]
    let probe = try Probe(request)
    #expect(try probe.ask("read \(bundle.path)") == "\(ENOENT)")
    #expect(try probe.ask("make-folder /x") != "0")
  }

  @Test("with both left out the same file is read: it is these layers that refuse")
  func neither() throws {
    let bundle = try ForeignFile()
    var request = bundle.probe.request()
    request.omittedLayers = [.landlock, .privateRoot]
    let probe = try Probe(request)
    #expect(try probe.ask("read \(bundle.path)") == "0")
    #expect(probe.report?[.landlock] == .unavailable("left out by the user's choice"))
  }

  @Test(
    "Landlock of every ABI from 2 up, newer ones than known included, refuses a foreign file",
    arguments: [2, 3, 4, 5, 6, 7, 8, 99])
  func everyABI(_ abi: Int) throws {
    let bundle = try ForeignFile()
    var request = bundle.probe.request()
    request.omittedLayers = [.privateRoot]
    request.emulatedLandlockABI = abi
    let probe = try Probe(request)
    #expect(probe.report?.landlockABI == min(abi, Landlock.newestKnownABI))
    if abi >= 6 {
      #expect(probe.report?[.landlock] == .enforced)
    } else {
      guard case .partly = probe.report?[.landlock] else {
        Issue.record("ABI \(abi) is said to be complete")
        return
      }
    }
    #expect(try probe.ask("read \(bundle.path)") == "\(EACCES)")
  }

  @Test("without Landlock, or with an ABI below 2, nothing is started", arguments: [-1, 0, 1])
  func tooOld(_ abi: Int) throws {
    var request = try ProbeBundle().request()
    request.emulatedLandlockABI = abi
    let error = try #require(throws: LaunchError.self) { try Probe(request) }
    #expect(error.layer == .landlock)
    #expect(error.advice.contains("`keyhost type --allow-weaker landlock`"))
  }

  @Test("what a keyboard uses is compared with the limits of its request")
  func excess() throws {
    let bundle = try ProbeBundle()
    var request = bundle.request()
    let modest = try Probe(request)
    #expect(modest.child.memoryExcess() == nil)
    #expect(modest.child.containerExcess() == nil)
    request.limits.residentMemory = 1
    request.limits.containerQuota = 1 << 20
    let greedy = try Probe(request)
    #expect(greedy.child.memoryExcess() == "it used more than 0 MB of memory")
    #expect(greedy.child.containerExcess() == nil)
    try Files.write(
      String(repeating: "x", count: 2 << 20), to: "\(bundle.container)/hoard", mode: 0o600)
    #expect(greedy.child.containerExcess() == "it kept more than 1 MB in its container")
    Files.remove("\(bundle.container)/hoard")
    #expect(greedy.child.containerExcess() == nil)
    // Removed, and still open.
    #expect(try greedy.ask("hoard /container/hoard \(2 << 20)") == "0")
    #expect(!Files.exists("\(bundle.container)/hoard"))
    #expect(greedy.child.containerExcess() == "it kept more than 1 MB in its container")
  }

  @Test("the one switch for it starts the keyboard, and the report says what is missing")
  func weaker() throws {
    let bundle = try ProbeBundle()
    var request = bundle.request()
    request.allowWeaker = [.landlock]
    request.emulatedLandlockABI = 0
    guard case .unavailable = try Probe(request).report?[.landlock] else {
      Issue.record("Landlock is said to be there")
      return
    }
    request.emulatedLandlockABI = 1
    let probe = try Probe(request)
    #expect(probe.report?.landlockABI == 1)
  }
}

/// A file that the user could read, and a keyboard must not.
struct ForeignFile {
  let probe: ProbeBundle
  var path: String { "\(probe.folder)/foreign" }

  init() throws {
    probe = try ProbeBundle()
    try Files.write("secret", to: "\(probe.folder)/foreign", mode: 0o644)
  }
}
