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

  /// The bytes of one of its files: what a program says of itself there is not to be taken apart as
  /// text.
  borrowing func bytes(_ name: String) throws(Refusal) -> [UInt8] {
    do throws(FileError) {
      return try folder.openFile(FileName(name)).read(upTo: Self.limit)
    } catch { throw Self.refusal(error) }
  }

  /// A file of one of its threads or descriptors.
  borrowing func bytes(_ name: String, in inner: String) throws(Refusal) -> [UInt8] {
    do throws(FileError) {
      return try folder.openDirectory(FileName(inner)).openFile(FileName(name))
        .read(upTo: Self.limit)
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
}
