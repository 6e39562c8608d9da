import LinuxSystem

/// Why a keyboard was not started. Nothing of it runs.
public struct LaunchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The layer that could not be applied; nil when the launch failed before or after the layers.
  public let layer: SandboxLayer?
  /// What was being done, and on what.
  public let step: String
  /// What the kernel said.
  public let errno: Errno?
  /// What to do about it.
  public let advice: String

  public init(layer: SandboxLayer?, step: String, errno: Errno?, advice: String) {
    self.layer = layer
    self.step = step
    self.errno = errno
    self.advice = advice
  }

  public var description: String {
    let what = layer.map { "sandbox layer \($0.rawValue): " } ?? ""
    let why = errno.map { ": \($0)" } ?? ""
    return "the keyboard was not started: \(what)\(step)\(why). \(advice)"
  }
}
