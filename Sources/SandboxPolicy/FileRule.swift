/// What a keyboard may do with files below one place.
public struct FileRule: Sendable, Hashable {
  /// A place of the sandbox; the launcher knows which path it is on this machine.
  public enum Place: Sendable, Hashable {
    /// The keyboard's own bundle.
    case bundle
    /// The keyboard's private container.
    case container
    /// The containing app's shared container.
    case sharedContainer
    /// The private temporary folder.
    case temporary
    /// The interpreter named by the executable's first line.
    case interpreter
    /// An absolute path of the system.
    case path(String)

    init?(_ text: String) {
      switch text {
      case "bundle": self = .bundle
      case "container": self = .container
      case "sharedContainer": self = .sharedContainer
      case "temporary": self = .temporary
      case "interpreter": self = .interpreter
      default:
        let parts = text.utf8.split(
          separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count > 1, parts[0].isEmpty, !parts.dropFirst().contains(""),
          !parts.contains(".."), !parts.contains(".")
        else { return nil }
        self = .path(text)
      }
    }
  }

  public var place: Place
  public var rights: Set<FileRight>
  /// Whether the place may be missing on a machine, such as a folder of optional data.
  public var isOptional: Bool

  public init(place: Place, rights: Set<FileRight>, isOptional: Bool = false) {
    self.place = place
    self.rights = rights
    self.isOptional = isOptional
  }
}
