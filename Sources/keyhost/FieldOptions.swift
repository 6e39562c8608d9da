import CommandLineInterface
import KeyboardHost
import PluginProtocol
import StrictJSON
import TextInput

/// The options by which a command describes a field: `--field`, `--field-type`, `--secure`,
/// `--answer`.
enum FieldOptions {
  static func traits(_ invocation: Invocation) throws(UsageError) -> TextInputTraits {
    var traits = TextInputTraits()
    if let text = invocation.value("field") {
      do throws(JSONError) {
        let document = try JSONDocument(parsing: text, limits: .protocolLine)
        traits = try TextInputTraits(decoding: document.root)
      } catch {
        throw UsageError("--field, column \(error.column): \(error.message)")
      }
    }
    if let type = invocation.value("field-type").flatMap({ KeyboardType(rawValue: $0) }) {
      guard traits.keyboardType == .absent || traits.keyboardType == .known(type) else {
        throw UsageError("--field and --field-type name two keyboard types")
      }
      traits.keyboardType = .known(type)
    }
    if invocation.has("secure") {
      guard traits.isSecureTextEntry != .known(false) else {
        throw UsageError("--field says the field is not secure, and --secure that it is")
      }
      traits.isSecureTextEntry = .known(true)
    }
    return traits
  }

  static func answer(_ invocation: Invocation) -> AppAnswer {
    invocation.value("answer").flatMap { AppAnswer(rawValue: $0) } ?? .notImplemented
  }
}

extension Decision {
  /// `verdict` and `reasons`, the same wherever a decision is reported.
  func encodeMembers(into writer: inout JSONWriter) {
    writer.member("verdict", verdict)
    if isIncognito { writer.member("incognito", true) }
    writer.key("reasons")
    writer.beginArray()
    for reason in reasons {
      writer.beginObject()
      writer.member("code", reason.code)
      writer.member("scope", reason.scope.rawValue)
      writer.member("message", reason.description)
      writer.endObject()
    }
    writer.endArray()
  }
}
