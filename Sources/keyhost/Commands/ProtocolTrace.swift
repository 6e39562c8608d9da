import CommandLineInterface
import KeyboardHost
import LinuxSystem
import StrictJSON
import TerminalText

/// Where `keyhost type --trace` goes: the standard error output, with `--json` the other events, or
/// a file of its own.
final class ProtocolTrace {
  /// A keyboard chooses how much there is of it. In bytes.
  static let limit = 64 << 20

  private let path: String?
  private let file: FileDescriptor?
  private let isJSON: Bool
  private let console: Console
  private var written = 0
  private var hasEnded = false
  /// Takes a JSON event that goes between the others.
  private let printEvent: ((inout JSONWriter) -> Void) -> Void

  /// - Parameter path: a file that is not there yet; it is made for the user alone to read.
  /// - Throws: when it cannot be made.
  init(
    path: String?, isJSON: Bool, console: Console,
    printEvent: @escaping ((inout JSONWriter) -> Void) -> Void
  ) throws(StoreError) {
    self.path = path
    self.isJSON = isJSON
    self.console = console
    self.printEvent = printEvent
    guard let path else {
      file = nil
      return
    }
    do {
      // Exclusive, so that nothing is overwritten and no link followed.
      file = try FileDescriptor.open(path, [.write, .create, .exclusive], permissions: 0o600)
    } catch {
      let what =
        error == .fileExists ? "is there already: give another name" : "cannot be made: \(error)"
      throw StoreError(.file, "the trace's file \(path) \(what)")
    }
  }

  /// For the audit log, and for people.
  var place: String { path ?? (isJSON ? "standard output" : "standard error output") }

  func write(_ entry: TraceEntry) {
    guard !hasEnded else { return }
    if file == nil, isJSON {
      printEvent { entry.encode(into: &$0) }
      return
    }
    let line: [UInt8]
    if isJSON {
      var writer = JSONWriter()
      writer.beginObject()
      entry.encode(into: &writer)
      writer.endObject()
      line = writer.bytes
    } else {
      line = Array(entry.text.utf8)
    }
    written += line.count + 1
    guard written <= Self.limit else {
      return end("it has reached \(Self.limit >> 20) MiB")
    }
    guard file != nil else { return console.printError(String(decoding: line, as: UTF8.self)) }
    var rest = (line + [0x0A])[...]
    do {
      while !rest.isEmpty { rest = rest.dropFirst(try file?.write(rest) ?? rest.count) }
    } catch {
      end("\(place) cannot be written: \(error)")
    }
  }

  private func end(_ reason: String) {
    hasEnded = true
    console.printError("keyhost: the trace ends here: \(VisibleText.escape(reason))")
  }
}

extension TraceEntry {
  fileprivate func encode(into writer: inout JSONWriter) {
    writer.member("event", "trace")
    writer.member("microseconds", microseconds)
    writer.member("keyboard", keyboard)
    writer.member("instance", instance.rawValue)
    switch content {
    case .toKeyboard(let bytes):
      writer.member("kind", "toKeyboard")
      writer.member("line", String(decoding: bytes, as: UTF8.self))
    case .fromKeyboard(let bytes):
      writer.member("kind", "fromKeyboard")
      writer.member("line", String(decoding: bytes, as: UTF8.self))
    case .note(let note):
      writer.member("kind", "note")
      writer.member("note", note)
    }
  }
}
