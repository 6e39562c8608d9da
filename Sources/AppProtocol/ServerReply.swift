/// The result of a request. What is nil does not belong to that request.
public struct ServerReply: Sendable, Equatable {
  /// Of `initialize`: the version that is spoken from here on.
  public var protocolVersion: Int?
  public var hostVersion: String?
  /// Of what names a document: its revision, with all that the app was told before.
  public var revision: UInt64?
  /// Of `event`: whether it did something. One that did nothing is the app's own to act on, such as
  /// an arrow key.
  public var handled: Bool?
  /// Of `listKeyboards`.
  public var keyboards: [ListedChoice]?

  public init(
    protocolVersion: Int? = nil, hostVersion: String? = nil, revision: UInt64? = nil,
    handled: Bool? = nil, keyboards: [ListedChoice]? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.hostVersion = hostVersion
    self.revision = revision
    self.handled = handled
    self.keyboards = keyboards
  }
}
