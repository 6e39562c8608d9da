import Glibc
import LinuxSystem
import PluginProtocol
import Testing

@testable import KeyboardHost

/// A server of apps under a virtual clock, without keyboards, and with apps made of lines.
final class AppServerRig {
  /// The time, which only the host's own work and the test let pass.
  final class Clock {
    var time = HostTime(nanoseconds: 1_000_000_000)
    /// What each look at the processor's time costs: the work of one message.
    var messageCost: UInt64 = 0
    private(set) var used: UInt64 = 0

    func look() -> UInt64 {
      defer {
        used += messageCost
        time = HostTime(nanoseconds: time.nanoseconds + messageCost)
      }
      return used
    }
  }

  let clock = Clock()
  let driver: HostDriver
  let server: AppServer

  init() {
    let clock = clock
    driver = HostDriver(
      core: HostCore(configuration: HostConfiguration()),
      starter: NoStarter(problem: "none is started here"), log: nil,
      clock: HostClock(now: { clock.time }, processor: { clock.look() }))
    server = AppServer(driver: driver)
    server.relaysApps = false
  }

  /// An app that is connected and has said who it is.
  /// - Parameter process: of which the connection is; nil for this one.
  func app(of process: Int32? = nil) throws -> ServedApp {
    var numbers: [Int32] = [0, 0]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    try #require(socketpair(AF_UNIX, Int32(kind), 0, &numbers) == 0)
    let app = ServedApp(FileDescriptor(owning: numbers[0]))
    try server.admit(FileDescriptor(owning: numbers[1]), of: process)
    app.call(
      "initialize",
      #""protocolVersions":[1],"appIdentifier":"a","implementsShouldAllowExtensionPoint":false,"#
        + #""presentsKeyboard":true,"screen":{"width":375,"height":667,"orientation":"portrait"}"#)
    turn()
    return app
  }

  /// One turn of the loop, without waiting.
  func turn() { try? server.turn(milliseconds: 0) }

  /// Turns of the loop until so much time has passed, a millisecond at least with each.
  func pass(milliseconds: UInt64) {
    let end = clock.time.adding(milliseconds: milliseconds)
    while clock.time < end {
      turn()
      clock.time = clock.time.adding(milliseconds: 1)
    }
    turn()
  }
}
