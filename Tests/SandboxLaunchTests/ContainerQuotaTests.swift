import Glibc
import SandboxLaunch
import SandboxPolicy
import TestSupport
import Testing

@Suite("Containers have a quota")
struct ContainerQuotaTests {
  /// A keyboard that may keep 1 MB, in the shared container as well if it has open access.
  private func request(_ bundle: ProbeBundle, openAccess: Bool) -> LaunchRequest {
    var request = bundle.request()
    request.limits.containerQuota = 1 << 20
    if openAccess {
      request.files = request.files.map { rule in
        rule.place == .sharedContainer
          ? FileRule(place: .sharedContainer, rights: TestFiles.writing) : rule
      }
    }
    return request
  }

  @Test("the container that an app's keyboards share has the same, for those who may write there")
  func shared() throws {
    let bundle = try ProbeBundle()
    let excess = "its app's keyboards kept more than 1 MB in the container that they share"
    let reader = try Probe(request(bundle, openAccess: false))
    let writer = try Probe(request(bundle, openAccess: true))
    #expect(writer.child.containerExcess() == nil)
    try Files.write(
      String(repeating: "x", count: 2 << 20), to: "\(bundle.shared)/hoard", mode: 0o600)
    #expect(writer.child.containerExcess() == excess)
    #expect(request(bundle, openAccess: true).sharedContainerExcess() == excess)
    #expect(reader.child.containerExcess() == nil)
    #expect(request(bundle, openAccess: false).sharedContainerExcess() == nil)
  }

  @Test("what keyboards of one app hold there without names counts together")
  func sharedNameless() throws {
    let bundle = try ProbeBundle()
    let one = try Probe(request(bundle, openAccess: true))
    let two = try Probe(request(bundle, openAccess: true))
    let other = try Probe(request(try ProbeBundle(), openAccess: true))
    for probe in [one, two, other] {
      #expect(try probe.ask("hoard /shared/hoard \(600 << 10)") == "0")
    }
    #expect(one.child.containerExcess(beside: [one.child, other.child]) == nil)
    // What another holds counts as of when that one was measured.
    #expect(two.child.containerExcess() == nil)
    #expect(other.child.containerExcess() == nil)
    #expect(
      one.child.containerExcess(beside: [one.child, two.child, other.child])?
        .hasPrefix("its app's keyboards kept more than 1 MB") == true)
  }

  @Test(
    "a file without a name counts while it is mapped, with and without a private root",
    arguments: [true, false])
  func mapped(hasPrivateRoot: Bool) throws {
    let bundle = try ProbeBundle()
    var request = request(bundle, openAccess: false)
    if !hasPrivateRoot { request.omittedLayers = [.privateRoot] }
    let folder = hasPrivateRoot ? "/container" : bundle.container
    let probe = try Probe(request)
    #expect(try probe.ask("map-often 3000") == "3000")
    #expect(probe.child.containerExcess() == nil)
    #expect(try probe.ask("map-hoard \(folder)/hoard \(2 << 20)") == "0")
    #expect(!Files.exists("\(bundle.container)/hoard"))
    #expect(probe.child.containerExcess() == "it kept more than 1 MB in its container")
  }

  @Test("mappings that cannot all be read count as too many, whatever they are of")
  func decoys() throws {
    let excess = "it had more than 4000 memory mappings"
    let many = try Probe(request(try ProbeBundle(), openAccess: false))
    #expect(try many.ask("map-often 60000") == "60000")
    #expect(many.child.containerExcess() == excess)
    // Fewer of them, with long paths.
    let bundle = try ProbeBundle()
    let long = try Probe(request(bundle, openAccess: false))
    var folder = "/container"
    for _ in 0..<20 {
      folder += "/" + String(repeating: "x", count: 190)
      #expect(try long.ask("make-folder \(folder)") == "0")
    }
    #expect(try long.ask("map-often 3000 \(folder)/file") == "3000")
    #expect(long.child.containerExcess() == excess)
  }

  @Test(
    "a container that may not be listed or entered is beyond its quota",
    .enabled(if: !Products.isRoot, "root looks into every folder"),
    arguments: [0o000, 0o300, 0o400])
  func closed(mode: mode_t) throws {
    let bundle = try ProbeBundle()
    let probe = try Probe(request(bundle, openAccess: false))
    try Files.write("", to: "\(bundle.container)/file", mode: 0o600)
    #expect(probe.child.containerExcess() == nil)
    chmod(bundle.container, mode)
    defer { chmod(bundle.container, 0o700) }
    let excess = "it kept folders that cannot be measured in its container"
    #expect(probe.child.containerExcess() == excess)
    #expect(request(bundle, openAccess: false).containerExcess() == excess)
  }

  @Test("names count, however small what they name is, and folders more than files")
  func entries() throws {
    let bundle = try ProbeBundle()
    var request = request(bundle, openAccess: false)
    request.limits.containerQuota = 1 << 30
    let probe = try Probe(request)
    let excess = "more than 10000 files or 1000 folders in"
    let quota = ContainerQuota(bytes: 1 << 30)
    func expect(_ excess: String?) {
      #expect(probe.child.containerExcess() == excess.map { "it kept \($0) its container" })
      #expect(request.containerExcess() == excess.map { "it kept \($0) its container" })
      #expect(quota.excess(of: bundle.container) == excess)
    }
    for number in 0..<1_000 { mkdir("\(bundle.container)/\(number)", 0o700) }
    expect(nil)
    try Files.makeDirectory("\(bundle.container)/999/one-more")
    expect(excess)
    Files.remove("\(bundle.container)/999/one-more")
    for number in 1_000..<10_000 { symlink("nowhere", "\(bundle.container)/\(number)") }
    expect(nil)
    symlink("nowhere", "\(bundle.container)/999/one-more")
    expect(excess)
    #expect(quota.excess(of: bundle.shared) == nil)
    #expect(quota.excess(of: "\(bundle.shared)/missing") == nil)
  }
}
