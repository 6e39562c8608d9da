import Glibc
import LinuxSystem
import PluginProtocol
import SandboxLaunch
import Testing

@testable import KeyboardHost

/// The app's end of a connection: sends lines, and reads what came.
final class ServedApp {
  private let socket: FileDescriptor
  private var lastRequest = 0
  private var buffer: [UInt8] = []
  /// All lines that came.
  private(set) var lines: [String] = []

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  /// - Returns: the number of the request.
  @discardableResult func call(_ method: String, _ params: String) -> Int {
    callRaw(#"\#(method)","params":{\#(params)}"#)
  }

  /// - Parameter tail: all behind the quotation mark before the method's name, but the last brace.
  @discardableResult func callRaw(_ tail: String) -> Int {
    lastRequest += 1
    write(#"{"jsonrpc":"2.0","id":\#(lastRequest),"method":"\#(tail)}"# + "\n")
    return lastRequest
  }

  /// Writes as much as finds room.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty, let count = try? socket.write(rest) { rest = rest.dropFirst(count) }
  }

  @discardableResult func open(_ name: String, _ text: String = "", traits: String = "") -> Int {
    call("openDocument", #""document":"\#(name)","traits":{\#(traits)},"text":"\#(text)""#)
  }

  @discardableResult func focus(_ name: String) -> Int {
    call("becomeFirstResponder", #""document":"\#(name)""#)
  }

  @discardableResult func type(_ character: String, _ name: String) -> Int {
    call("event", #""document":"\#(name)","character":"\#(character)""#)
  }

  /// What has come since the last look.
  @discardableResult func read() -> [String] {
    while let bytes = try? socket.read(upTo: 65_536), !bytes.isEmpty { buffer += bytes }
    var found: [String] = []
    while let end = buffer.firstIndex(of: 0x0A) {
      found.append(String(decoding: buffer[..<end], as: UTF8.self))
      buffer.removeFirst(end + 1)
    }
    lines += found
    return found
  }

  /// The answer to a request, if it has come.
  func answer(_ request: Int) -> String? {
    read()
    return lines.first { $0.contains(#""id":\#(request),"#) && !$0.contains(#""method""#) }
  }
}
