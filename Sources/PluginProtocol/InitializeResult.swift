import TextInput

/// A keyboard's answer to `initialize`.
public struct InitializeResult: Sendable, Equatable {
  /// The version of the protocol that the keyboard chose.
  public var protocolVersion: Int
  /// Whether the keyboard wants the keys of a hardware keyboard.
  public var takesHardwareKeys: Bool
  /// The keys to show first.
  public var layout: KeyboardLayout

  /// Makes an answer.
  public init(protocolVersion: Int = 1, takesHardwareKeys: Bool = false, layout: KeyboardLayout) {
    self.protocolVersion = protocolVersion
    self.takesHardwareKeys = takesHardwareKeys
    self.layout = layout
  }
}
