/// Why a plan or a status message is refused.
public struct LaunchPlanError: Error, Equatable, CustomStringConvertible, Sendable {
  public let message: String
  /// Where in the bytes, from 0.
  public let offset: Int

  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  public var description: String { "\(message), at byte \(offset)" }
}
