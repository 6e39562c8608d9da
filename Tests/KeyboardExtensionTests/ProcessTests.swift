import Glibc
import KeyboardExtension
import PluginProtocol
import TestSupport
import Testing

/// A keyboard whose text comes from a descriptor of its own, and who checks what it sent.
private final class WatchingKeyboard: InputViewController {
  let sent: Int32
  var onFocus: () -> Void = {}

  init(sent: Int32) { self.sent = sent }

  override func viewWillAppear() { onFocus() }

  override func viewDidLoad() {
    layout = KeyboardLayout(rows: [[Key(id: "a", label: "a", insertText: "a")]])
  }

  func watch(_ descriptor: Int32) {
    var readings = 0
    addReadHandler(descriptor: descriptor) { [self] in
      var byte: UInt8 = 0
      guard read(descriptor, &byte, 1) == 1 else { exit(1) }
      readings += 1
      if readings == 1 {
        textDocumentProxy.insertText("from elsewhere")
        return
      }
      // The first reading's edit has been sent by now.
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(sent, &buffer, buffer.count)
      let text = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
      exit(
        text.contains(#""method":"transaction""#) && text.contains("from elsewhere")
          && text.contains(#""revision":3"#) ? 42 : 1)
    }
  }
}

@Suite("A keyboard's process")
struct ProcessTests {
  /// The assembled example, or the program built beside the tests.
  private var habra: Program {
    let assembled = "\(Products.bundles)/Habra.app/PlugIns/HabraKeyboard.appex/HabraKeyboard"
    return Program(
      "/bin/sh",
      environment: [
        "KEYBOARD": Files.exists(assembled) ? assembled : "\(Products.buildFolder)/HabraKeyboard"
      ])
  }

  private func run(_ redirections: String, _ input: [UInt8]) throws -> ProgramResult {
    try habra.run(["-c", "exec \(redirections); exec \"$KEYBOARD\""], input: input)
  }

  private let start = HostMessage.initialize(
    id: 0, InitializeRequest(hostVersion: "1", keyboardIdentifier: "k")
  ).encoded()

  @Test("exits with 0 when the host says so or goes away")
  func ends() throws {
    let told = try run("3>&1", start + HostMessage.exit.encoded() + Array("nonsense\n".utf8))
    #expect(told.exitCode == 0 && told.lines.count == 1, "\(told)")
    let left = try run("3>&1", start)
    #expect(left.exitCode == 0 && left.lines.count == 1, "\(left)")
  }

  @Test("exits with 1 when the host breaks the protocol, and says how")
  func breach() throws {
    for line in ["nonsense\n", "\n", "{}\r\n", "{\"jsonrpc\":\"2.0\",\"method\":\"blur\"}\n"] {
      let result = try run("3>&1", Array(line.utf8))
      #expect(result.exitCode == 1, "\(result)")
      #expect(result.standardError.contains("the session ends: "), "\(result)")
      #expect(result.standardOutput.isEmpty)
    }
  }

  @Test("exits with 2 when nobody is at descriptor 3, and says what it is")
  func noHost() throws {
    let result = try run("3>&-", start)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.standardError.contains("has to be started by it"), "\(result)")
  }

  @Test("watches descriptors of its own beside the host's")
  func readHandlers() async {
    await #expect(processExitsWith: .exitCode(42)) {
      func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { exit(1) }
        return (ends[0], ends[1])
      }
      // High numbers first, so that 0 and 3 are free to be replaced.
      for _ in 0..<8 { _ = open("/dev/null", O_RDONLY) }
      let host = pipe()
      let sent = pipe()
      let own = pipe()
      dup2(host.read, 0)
      dup2(sent.write, 3)
      let state = FieldState(documentIdentifier: "d", revision: 3, context: ContextWindow())
      let messages =
        HostMessage.initialize(
          id: 0, InitializeRequest(hostVersion: "1", keyboardIdentifier: "k")
        ).encoded() + HostMessage.focus(state).encoded()
      _ = messages.withUnsafeBytes { write(host.write, $0.baseAddress!, $0.count) }

      let keyboard = WatchingKeyboard(sent: sent.read)
      keyboard.onFocus = {
        keyboard.watch(own.read)
        _ = [UInt8](arrayLiteral: 1, 2).withUnsafeBytes { write(own.write, $0.baseAddress!, 2) }
      }
      keyboard.run()
    }
  }
}
