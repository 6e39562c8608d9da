import SandboxLaunch

/// What this version can give a keyboard that has open access.
public enum OpenAccessSupport {
  /// The word by which the user agrees to do without ``missingLayer``.
  public static let weakerNetwork = "network"
  /// The layer without which a keyboard with open access reaches more than the user agreed to.
  static let missingLayer = SandboxLayer.networkNamespace
  /// Why open access cannot be granted without leaving out a layer; nil when it can.
  public static let unavailableReason: String? =
    "open access with a network is not available in this version, which has no broker to keep a "
    + "keyboard away from this machine's own services and network"
}
