/// The bounds of a bundle. They keep a hostile bundle from filling the disk or the memory, and are
/// far above what keyboards with large dictionaries need.
public enum BundleLimits {
  /// Files, folders and links.
  public static let entries = 10_000
  /// The sum of all files, in bytes.
  public static let bytes = 512 << 20
  /// Keyboards of one app: each is read whenever apps are listed.
  public static let keyboards = 64
  /// The `Info.plist` of all keyboards of an app together, in bytes.
  public static let keyboardPropertyListBytes = 512 << 10
  /// How deep folders may stand in each other, the bundle itself being 1.
  public static let depth = 16
  /// `Info.plist` and `Root.plist`, in bytes.
  public static let propertyListBytes = PropertyList.maximumBytes
  /// An id, in bytes.
  public static let identifierBytes = 155
  /// What a keyboard says that it wants a service for, in bytes.
  public static let usageBytes = 1024
  /// A display name or a version, in bytes.
  public static let nameBytes = 200
}
