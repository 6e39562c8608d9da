import AppProtocol
import Glibc
import KeyboardClient
import TestSupport
import Testing
import TextInput

/// A `keyhost serve` in a home of its own.
final class RunningServer {
  let home: TemporaryHome
  let program: RunningProgram
  var path: String { "\(home.path)/run/keyhost/socket" }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(_ home: TemporaryHome, _ arguments: String...) throws {
    self.home = home
    program = try home.keyhost.start(["serve"] + arguments)
    let line = program.readLine()
    guard line?.hasPrefix("listening ") ?? false else {
      throw Failure(description: "\(program.finish())")
    }
  }

  /// A server with keyboards made of scripts.
  convenience init(keyboards: KeyValuePairs<String, String> = [:]) throws {
    try self.init(try keyboards.isEmpty ? TemporaryHome() : TemporaryHome(keyboards: keyboards))
  }

  func client(
    _ name: String = "org.example.notes", presents: Bool = false,
    shouldAllow: ((String) -> Bool)? = nil
  ) throws -> KeyboardClient {
    let client = try KeyboardClient(
      path: path, appIdentifier: name, presentsKeyboard: presents, shouldAllow: shouldAllow)
    client.patience = 60_000
    return client
  }

  /// Ends it as a service manager does, and expects a clean end.
  func end() {
    program.signal(SIGTERM)
    let result = program.finish()
    #expect(result.exitCode == 0, "\(result)")
    #expect(access(path, F_OK) != 0, "the socket is left behind")
  }

  func log() throws -> String { try home.keyhost("log", "--json").standardOutput }
}

extension TextInputClient {
  /// Types a text, one character after another, without waiting.
  func type(_ text: String) throws {
    for character in text { try send(.character(String(character))) }
  }
}
