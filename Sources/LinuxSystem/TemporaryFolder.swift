import Glibc

/// An empty folder for one purpose, removed with the value (what was put into it first).
public struct TemporaryFolder: ~Copyable {
  public let path: String

  /// A new folder under `/tmp`, mode 0700, of the given owner where that is possible.
  public init(name: String, owner: UInt32? = nil) throws(Errno) {
    var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let owner, unsafe chown(path, owner, owner) != 0 {
      let failure = Errno(rawValue: errno)
      _ = unsafe rmdir(path)
      throw failure
    }
    self.path = path
  }

  deinit { _ = unsafe rmdir(path) }
}
