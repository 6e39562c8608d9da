import Glibc
import LinuxSystem
import SandboxLaunch
import TestSupport
import Testing

/// A listening TCP socket of the host on the loopback address.
private struct Listener: ~Copyable {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) | listen(descriptor, 4)
          | getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}

@Suite("Network and other processes are out of reach by more than one layer")
struct NamespaceTests {
  /// Allows everything but a second exec.
  private let open = TestFilter([(TestFilter.execve, TestFilter.notify)])

  @Test("without the filter, the network namespace alone keeps the loopback address away")
  func networkNamespaceAlone() throws {
    let listener = try Listener()
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.landlock]
    let probe = try Probe(request)
    #expect(try probe.ask("connect \(listener.port)") == "\(ENETUNREACH)")
  }

  @Test("with the network namespace left out too, the same connect works")
  func networkOpen() throws {
    let listener = try Listener()
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.landlock, .networkNamespace]
    let probe = try Probe(request)
    #expect(try probe.ask("connect \(listener.port)") == "0")
  }

  @Test(
    "Landlock alone refuses TCP from ABI 4 on",
    .enabled(if: Landlock.kernelABI >= 4, "needs Landlock ABI 4"))
  func landlockTCP() throws {
    let listener = try Listener()
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.networkNamespace]
    let probe = try Probe(request)
    #expect(try probe.ask("connect \(listener.port)") == "\(EACCES)")
  }

  @Test("without the filter, the process namespace alone hides the host")
  func processNamespaceAlone() throws {
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.landlock]
    let probe = try Probe(request)
    #expect(try probe.ask("signal \(getpid()) 0") == "\(ESRCH)")
  }

  @Test(
    "Landlock's scope alone refuses signals to the host",
    .enabled(if: Landlock.kernelABI >= 6, "needs Landlock ABI 6"))
  func landlockScope() throws {
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.processNamespace]
    let probe = try Probe(request)
    #expect(try probe.ask("signal \(getpid()) 0") == "\(EPERM)")
  }

  @Test(
    "with both left out a user's keyboard could signal its host",
    .enabled(if: !Products.isRoot, "as root each keyboard has an id of its own"))
  func signalsOpen() throws {
    var request = try ProbeBundle().request(open)
    request.omittedLayers = [.landlock, .processNamespace]
    let probe = try Probe(request)
    #expect(try probe.ask("signal \(getpid()) 0") == "0")
  }

  @Test("without a process namespace the keyboard is still the launcher's own process")
  func noProcessNamespace() throws {
    var request = try ProbeBundle().request()
    request.omittedLayers = [.processNamespace]
    let probe = try Probe(request)
    let process = probe.child.processIdentifier
    #expect(try probe.ask("session") == "\(process) \(process) \(process) \(getpid())")
  }

  /// In a process of its own: a filter that refuses unshare(2), as a system does that forbids user
  /// namespaces (or as any container may).
  private static func forbidNamespaces() throws {
    try ProcessControl.setNoNewPrivileges()
    let unshare: UInt32 = 272
    _ = try SystemCallFilter.load(
      TestFilter([(unshare, TestFilter.errno(UInt32(EPERM)))]).program.bytes, [])
  }

  @Test(
    "where namespaces are forbidden nothing is started, and the message names the layer",
    .enabled(if: ExitTests.areAllowed))
  func forbidden() async {
    await #expect(processExitsWith: .exitCode(0)) {
      try Self.forbidNamespaces()
      let bundle = try ProbeBundle()
      defer { Files.remove(bundle.folder) }
      let error = try #require(throws: LaunchError.self) { try Probe(bundle.request()) }
      #expect(error.layer == (Products.isRoot ? .privateRoot : .userNamespace))
      #expect(error.errno == .notPermitted)
      #expect(error.advice.contains("`keyhost type --allow-weaker "))
      // Nothing half-made is left.
      #expect(waitpid(-1, nil, 0) == -1 && errno == ECHILD)
    }
  }

  @Test(
    "the switches for it start the keyboard, and the report says what is missing",
    .enabled(if: ExitTests.areAllowed))
  func forbiddenWeaker() async {
    await #expect(processExitsWith: .exitCode(0)) {
      try Self.forbidNamespaces()
      let bundle = try ProbeBundle()
      defer { Files.remove(bundle.folder) }
      var request = bundle.request()
      request.allowWeaker = [.privateRoot, .networkNamespace, .processNamespace]
      let probe = try Probe(request)
      let report = try #require(probe.report)
      for layer in request.allowWeaker {
        guard case .unavailable = report[layer] else {
          Issue.record("\(layer) is said to be \(report[layer])")
          continue
        }
      }
      #expect(report[.landlock] == .enforced)
      #expect(report[.seccomp] == .enforced)
      #expect(try probe.ask("list /") == "\(EACCES)")
      #expect(try probe.ask("folder") == bundle.container)
      #expect(try probe.ask("write new") == "0")
    }
  }
}
