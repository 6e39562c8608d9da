import Glibc
import KeyboardHost
import LinuxSystem

/// Where a report is written to.
public struct ReportFile: Sendable {
  private let path: String

  public init(path: String) { self.path = path }

  /// Writes the file in one step, for the user alone to read: it tells with whom a keyboard spoke.
  ///
  /// - Parameter isReplacing: whether a file that is there already is replaced. A link never is,
  ///   nor anything else that is no plain file: what it leads to would not be the user's choice.
  /// - Throws: naming the file and what to do; what was there before is there still.
  public func write(_ bytes: [UInt8], isReplacing: Bool) throws(StoreError) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    let name = String(parts.last ?? "")
    guard !["", ".", ".."].contains(name) else {
      throw StoreError(.refused, "`\(path)` is not the name of a file")
    }
    let folderPath = parts.dropLast().joined(separator: "/")
    do throws(FileError) {
      let folder = try DirectoryHandle(
        path: parts.count == 1 ? "." : folderPath.isEmpty ? "/" : folderPath, followingLinks: true)
      guard isReplacing, try folder.contains(FileName(name)) else {
        return try folder.makeFile(FileName(name), with: bytes, mode: 0o600)
      }
      let status = try folder.status(FileName(name))
      guard status.kind == .regular else {
        throw FileError("replace the \(status.kind.rawValue)", path, EINVAL)
      }
      try folder.replaceFile(FileName(name), with: bytes, mode: 0o600)
    } catch {
      if error.code == EEXIST {
        throw StoreError(
          .refused, "\(path) is there already: give another name, or --replace if it is a file")
      }
      throw StoreError(.file, "\(error)")
    }
  }
}
