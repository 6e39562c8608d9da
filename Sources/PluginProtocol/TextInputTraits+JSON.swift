import StrictJSON
import TextInput

extension TextInputTraits {
  /// Reads traits. Traits and values that nobody knows are kept as such; a value of the wrong type
  /// is an error.
  public init(decoding value: JSONValue) throws(JSONError) {
    self.init()
    guard let members = value.members else {
      throw value.error("traits are an object, not \(value.kind.article)")
    }
    for (name, member) in members {
      switch name {
      case "keyboardType": keyboardType = try member.trait(name)
      case "keyboardAppearance": keyboardAppearance = try member.trait(name)
      case "returnKeyType": returnKeyType = try member.trait(name)
      case "enablesReturnKeyAutomatically":
        enablesReturnKeyAutomatically = .known(try member.needBoolean(name))
      case "isSecureTextEntry": isSecureTextEntry = .known(try member.needBoolean(name))
      case "autocapitalizationType": autocapitalizationType = try member.trait(name)
      case "autocorrectionType": autocorrectionType = try member.trait(name)
      case "spellCheckingType": spellCheckingType = try member.trait(name)
      case "smartQuotesType": smartQuotesType = try member.trait(name)
      case "smartDashesType": smartDashesType = try member.trait(name)
      case "smartInsertDeleteType": smartInsertDeleteType = try member.trait(name)
      case "allowsEditingTextAttributes":
        allowsEditingTextAttributes = .known(try member.needBoolean(name))
      case "textContentType": textContentType = try member.trait(name)
      case "isPrivate": isPrivate = .known(try member.needBoolean(name))
      case "isTerminal": isTerminal = .known(try member.needBoolean(name))
      default: unrecognized.append(name)
      }
    }
  }

  /// Writes the traits that are not absent. Names in ``unrecognized`` are not written: they had
  /// values that nobody kept.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.trait("keyboardType", keyboardType)
    writer.trait("keyboardAppearance", keyboardAppearance)
    writer.trait("returnKeyType", returnKeyType)
    if case .known(let flag) = enablesReturnKeyAutomatically {
      writer.member("enablesReturnKeyAutomatically", flag)
    }
    if case .known(let flag) = isSecureTextEntry { writer.member("isSecureTextEntry", flag) }
    writer.trait("autocapitalizationType", autocapitalizationType)
    writer.trait("autocorrectionType", autocorrectionType)
    writer.trait("spellCheckingType", spellCheckingType)
    writer.trait("smartQuotesType", smartQuotesType)
    writer.trait("smartDashesType", smartDashesType)
    writer.trait("smartInsertDeleteType", smartInsertDeleteType)
    if case .known(let flag) = allowsEditingTextAttributes {
      writer.member("allowsEditingTextAttributes", flag)
    }
    writer.trait("textContentType", textContentType)
    if case .known(let flag) = isPrivate { writer.member("isPrivate", flag) }
    if case .known(let flag) = isTerminal { writer.member("isTerminal", flag) }
    writer.endObject()
  }
}

extension JSONValue {
  fileprivate func trait<Value: RawRepresentable>(
    _ name: String
  ) throws(JSONError) -> Trait<Value> where Value.RawValue == String {
    let text = try needString(name, bytes: ProtocolLimits.traitBytes)
    return Value(rawValue: text).map { .known($0) } ?? .unknown(text)
  }
}

extension JSONWriter {
  fileprivate mutating func trait<Value: RawRepresentable>(
    _ name: String, _ trait: Trait<Value>
  ) where Value.RawValue == String {
    switch trait {
    case .absent: break
    case .known(let value): member(name, value.rawValue)
    case .unknown(let text): member(name, text.clipped(to: ProtocolLimits.traitBytes))
    }
  }
}
