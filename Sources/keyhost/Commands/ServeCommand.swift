import CommandLineInterface
import KeyboardHost
import LinuxSystem
import SandboxLaunch
import TerminalText

let serveCommand = Command(
  "serve",
  abstract: "Serve apps: their fields get the keyboards.",
  discussion: [
    "Listens on a local socket, `$XDG_RUNTIME_DIR/keyhost/socket`, and serves the apps that "
      + "connect until SIGTERM or SIGINT. Only programs of the same user may connect. The protocol "
      + "is described in docs/app-protocol.md.",
    "What a server that has ended left at the path is replaced; a server that lives is an error. "
      + "A socket that systemd hands over (LISTEN_FDS) is used as it is.",
    "The line `listening` with the path is printed when apps can connect. Notes go to the standard "
      + "error output.",
  ],
  options: [
    .value("socket", "PATH", "Listen there instead."),
    .value(
      "allow-weaker", "LAYER",
      choices: SandboxLayer.allCases.filter { $0 != .seccomp && $0 != .noNewPrivileges }
        .map(\.rawValue), isRepeatable: true,
      "Do without this layer of the sandbox in this run, where it cannot be had."),
  ],
  action: { try serve($0, $1) })

private func serve(_ invocation: Invocation, _ console: Console) throws -> ExitCode {
  // Before any thread is made, so that none takes the signals.
  let signals = try SignalDescriptor()
  let host = try LocalHost(
    allowWeaker: Set(
      invocation.values("allow-weaker").compactMap { SandboxLayer(rawValue: $0) }))
  for fault in host.choices.faults { console.printError("keyhost: \(fault)") }
  let socket: ServerSocket
  do {
    if let given = try ServerSocket.activated() {
      socket = given
    } else {
      let path = try invocation.value("socket") ?? ServerSocket.defaultPath()
      socket = try ServerSocket(path: path)
    }
  } catch let failure as ServerSocket.Failure {
    console.printError("keyhost: \(failure)")
    return .failure
  }
  host.onMessage = { console.printError("keyhost: \($0)") }
  let server = AppServer(driver: host.driver, socket: socket)
  server.onMessage = { console.printError("keyhost: \(VisibleText.escape($0))") }
  server.onEnvironment = { host.setEnvironment($0) }
  server.displayName = { host.displayName($0) }
  host.driver.onWeakLaunch = { keyboard, layers in
    let names = layers.map { "\($0.layer.rawValue) (\($0.state))" }.joined(separator: ", ")
    console.printError(
      "keyhost: \(host.displayName(keyboard)) runs in a weaker sandbox, as was allowed: without "
        + VisibleText.escape(names))
  }
  host.begin()
  var isEnding = false
  let token = host.driver.loop.watch(signals.rawValue, for: .input) { _ in isEnding = true }
  defer {
    host.driver.loop.unwatch(token)
    server.shutDown()
    host.driver.shutDown()
  }
  try console.print("listening \(socket.path.map { VisibleText.escape($0) } ?? "(handed over)")")
  while !isEnding { try server.turn() }
  return .success
}
