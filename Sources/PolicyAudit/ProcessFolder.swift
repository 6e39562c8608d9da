import Glibc
import LinuxSystem

/// A process by its folder in /proc: what is read through it is never another process's that got the
/// same number.
struct ProcessFolder: ~Copyable {
  let process: Int32
  private let folder: DirectoryHandle

  /// Why something could not be read.
  enum Refusal: Error {
    /// The process has ended.
    case ended
    /// This user may not see it.
    case notPermitted
    case other(String)
  }

  /// No file here is longer than this, in bytes.
  private static let limit = 1 << 20

  /// - Throws: when there is no such process, or this user may not know of it.
  init(_ process: Int32) throws(AuditError) {
    self.process = process
    do throws(FileError) {
      folder = try DirectoryHandle(path: "/proc/\(process)")
    } catch {
      // `hidepid` hides the folders of others; the process itself tells whether it is there.
      if kill(process, 0) == 0 || errno == EPERM {
        throw AuditError("process \(process) is there, but this user may not look at it")
      }
      throw AuditError("there is no process \(process)")
    }
  }

  private static func refusal(_ error: FileError) -> Refusal {
    switch error.code {
    case ENOENT, ESRCH: .ended
    case EACCES, EPERM: .notPermitted
    default: .other("\(error)")
    }
  }

  borrowing func text(_ name: String) throws(Refusal) -> String {
    do throws(FileError) {
      return String(
        decoding: try folder.openFile(FileName(name)).read(upTo: Self.limit), as: UTF8.self)
    } catch { throw Self.refusal(error) }
  }

  /// A file of one of its threads or descriptors.
  borrowing func text(_ name: String, in inner: String) throws(Refusal) -> String {
    do throws(FileError) {
      let inner = try folder.openDirectory(FileName(inner))
      return String(
        decoding: try inner.openFile(FileName(name)).read(upTo: Self.limit), as: UTF8.self)
    } catch { throw Self.refusal(error) }
  }

  /// The names in one of its folders that are numbers, in order.
  borrowing func numbers(in inner: String) throws(Refusal) -> [Int32] {
    do throws(FileError) {
      return try folder.openDirectory(FileName(inner)).names().compactMap { Int32("\($0)") }
        .sorted()
    } catch { throw Self.refusal(error) }
  }

  /// Where a link in one of its folders leads; foreign text.
  borrowing func link(_ name: String, in inner: String) throws(Refusal) -> String {
    do throws(FileError) {
      return "\(try folder.openDirectory(FileName(inner)).linkTarget(FileName(name)))"
    } catch { throw Self.refusal(error) }
  }

  /// The `Key:	value` lines of a status file.
  static func fields(_ text: String) -> [Substring: Substring] {
    var result: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      // The first of a name counts: the program's own name stands in the first line.
      if result[line[..<colon]] == nil { result[line[..<colon]] = value }
    }
    return result
  }
}
