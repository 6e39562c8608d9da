import LinuxSystem

/// What an app says about enabling its keyboards: `HowTo.txt` beside its `Info.plist`, plain text.
public struct HowTo: Sendable, Equatable {
  /// The longest that is read, in bytes.
  public static let maximumBytes = 16 << 10

  /// The app's own words: escaped by whoever shows them. nil where there are none.
  public let text: String?
  /// Why there are none, where something is in the way.
  public let fault: String?

  public init(app: InstalledApp) {
    do {
      let folder = try DirectoryHandle(path: app.path)
      let name = FileName("HowTo.txt")
      guard try folder.contains(name) else {
        text = nil
        fault = nil
        return
      }
      let bytes = try folder.openFile(name).read(upTo: Self.maximumBytes + 1)
      guard bytes.count <= Self.maximumBytes else {
        text = nil
        fault = "HowTo.txt is longer than \(Self.maximumBytes) bytes"
        return
      }
      guard let words = String(validating: bytes, as: UTF8.self) else {
        text = nil
        fault = "HowTo.txt is not UTF-8"
        return
      }
      guard !words.allSatisfy(\.isWhitespace) else {
        text = nil
        fault = "HowTo.txt is empty"
        return
      }
      // However its lines end.
      text = String(words.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
      fault = nil
    } catch {
      text = nil
      fault = "HowTo.txt cannot be read: \(error)"
    }
  }
}
