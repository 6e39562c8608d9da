import Glibc
import PluginProtocol
import TestSupport
import Testing

@testable import KeyboardExtension

/// A keyboard whose text comes from a descriptor of its own.
private final class WatchingKeyboard: InputViewController {
  var onFocus: () -> Void = {}

  override func viewDidLoad() {
    layout = KeyboardLayout(rows: [[Key(id: "a", label: "a", insertText: "a")]])
  }

  override func viewWillAppear() { onFocus() }
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
  func readHandlers() throws {
    func pipe() -> (read: Int32, write: Int32) {
      var ends: [Int32] = [-1, -1]
      #expect(Glibc.pipe(&ends) == 0)
      return (ends[0], ends[1])
    }
    func say(_ bytes: [UInt8], to descriptor: Int32) {
      #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress!, $0.count) } == bytes.count)
    }
    let (host, sent, own) = (pipe(), pipe(), pipe())
    defer {
      for end in [host, sent, own] {
        close(end.read)
        close(end.write)
      }
    }
    let keyboard = WatchingKeyboard()
    var readings: [UInt8] = []
    keyboard.onFocus = {
      say([1], to: own.write)
      keyboard.addReadHandler(descriptor: own.read) {
        var byte: UInt8 = 0
        #expect(read(own.read, &byte, 1) == 1)
        readings.append(byte)
        keyboard.textDocumentProxy.insertText("\(byte)")
        if byte == 1 {
          say([2], to: own.write)
        } else {
          keyboard.removeReadHandler(descriptor: own.read)
          say([3], to: own.write)
          say(HostMessage.exit.encoded(), to: host.write)
        }
      }
    }
    let state = FieldState(documentIdentifier: "d", revision: 3, context: ContextWindow())
    say(start + HostMessage.focus(state).encoded(), to: host.write)
    #expect(keyboard.serve(input: host.read, output: sent.write) == 0)
    #expect(readings == [1, 2])

    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(sent.read, &buffer, buffer.count)
    var framer = LineFramer()
    framer.append(buffer[..<max(count, 0)])
    _ = try framer.next()
    // The second edit waits for the answer to the first.
    guard
      case .transaction(0, "d", 3, let transaction)? = try framer.next().map(PluginMessage.decode)
    else {
      Issue.record("no transaction")
      return
    }
    #expect(transaction.edits == [.insertText("1")])
    #expect(try framer.next() == nil)
  }
}
