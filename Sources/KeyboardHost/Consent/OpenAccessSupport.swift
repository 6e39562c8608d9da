/// What this version can give a keyboard that has open access.
public enum OpenAccessSupport {
  /// The layer without which a keyboard with open access would reach more than the user agreed to.
  public static let networkLayer = "network"
  /// Why open access cannot be granted without leaving out a layer; nil when it can.
  public static let unavailableReason: String? =
    "open access with a network is not available in this version, which has no network namespace "
    + "and no broker to keep a keyboard away from this machine's own services and network"
}
