import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

@Suite("A container in memory")
struct MemoryContainerTests {
  private func request(_ bundle: ProbeBundle) -> LaunchRequest {
    var request = bundle.request()
    request.containerPath = nil
    request.sharedContainerPath = nil
    return request
  }

  @Test("takes the place of the one on disk, and is empty for the next")
  func thrownAway() throws {
    let bundle = try ProbeBundle()
    try Files.write("kept", to: "\(bundle.container)/kept", mode: 0o666)
    try Files.write("shared", to: "\(bundle.shared)/words", mode: 0o666)
    for _ in 0..<2 {
      let probe = try Probe(request(bundle))
      #expect(try probe.ask("list /container") == "")
      #expect(try probe.ask("write /container/new") == "0")
      #expect(try probe.ask("read /container/new") == "0")
      #expect(try probe.ask("make-folder /container/folder") == "0")
      #expect(try probe.ask("rename /container/new /container/folder/new") == "0")
      #expect(try probe.ask("read /shared/words") != "0")
      #expect(try probe.ask("write \(bundle.container)/new") != "0")
      #expect(try probe.ask("write \(bundle.shared)/new") != "0")
      // What it is told to leave, and is not allowed to: it ends with its files.
      probe.child.kill()
      _ = try probe.end()
    }
    #expect(try Files.list(bundle.container) == ["kept"])
    #expect(try Files.list(bundle.shared) == ["words"])
    #expect(try Files.list(bundle.folder).sorted() == ["Probe.appex", "container", "shared"])
  }

  @Test("is bounded by the kernel, in bytes and in files, and costs no other check")
  func bounds() throws {
    var request = try request(ProbeBundle())
    request.limits.containerQuota = 1 << 20
    let probe = try Probe(request)
    #expect(try probe.ask("fill /container/big") == "\(1 << 20) \(ENOSPC)")
    #expect(probe.child.containerExcess() == nil)
    #expect(probe.child.diskExcess() == nil)
    #expect(try probe.ask("remove /container/big") == "0")
    // The filter tells the host of each open: slower than the flood that would end it.
    var made = 0
    while made < ContainerQuota.maximumEntries + 500 {
      let answer = try probe.ask("many /container/\(made)- 500")
      guard answer == "500 0" else {
        let rest = ContainerQuota.maximumEntries - made
        #expect(answer == "\(rest) \(ENOSPC)")
        break
      }
      made += 500
    }
    #expect(made < ContainerQuota.maximumEntries + 500)
  }

  @Test("holds nothing that can be run")
  func noExecution() throws {
    let probe = try Probe(request(ProbeBundle()))
    #expect(try probe.ask("write /container/program") == "0")
    #expect(try probe.ask("map-executable /container/program") == "\(EPERM)")
  }

  @Test("is refused where there is no private root to make it in")
  func noPrivateRoot() throws {
    for change: (inout LaunchRequest) -> Void in [
      { $0.allowWeaker = [.privateRoot] }, { $0.omittedLayers = [.privateRoot] },
    ] {
      var request = try request(ProbeBundle())
      change(&request)
      let error = try #require(throws: LaunchError.self) { try Probe(request) }
      #expect(error.layer == .privateRoot)
      #expect(error.step.contains("thrown away"))
    }
  }
}
