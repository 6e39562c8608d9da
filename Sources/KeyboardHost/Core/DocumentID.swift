/// The host's name for an open document (a field). A keyboard never sees it.
public struct DocumentID: Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
}
