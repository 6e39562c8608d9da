import HostSimulation
import PluginProtocol
import TextInput

@testable import KeyboardHost

/// A field that is secure.
var secure: TextInputTraits {
  var traits = TextInputTraits()
  traits.isSecureTextEntry = .known(true)
  return traits
}

/// A field of a keyboard type.
func traits(_ type: KeyboardType) -> TextInputTraits {
  var traits = TextInputTraits()
  traits.keyboardType = .known(type)
  return traits
}

extension SimulatedHost {
  func events(since index: Int = 0) -> [HostMessage] {
    sent.dropFirst(index).map(\.1)
  }
  func audited(_ kind: AuditKind) -> [AuditEvent] { audits.filter { $0.kind == kind } }
}
