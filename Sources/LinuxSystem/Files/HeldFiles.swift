import CLinux
import Glibc

/// Files that were removed and are still open or mapped: they take up room, and no folder shows
/// them.
package enum HeldFiles {
  /// Why nobody knows what a process holds.
  package enum Fault: Error, Sendable, Equatable {
    /// More mappings than it may have, or names of mapped files that are too long to read.
    case tooManyMappings
    /// More descriptors than are looked at.
    case tooManyDescriptors
    /// The kernel does not tell, or the process is gone.
    case unreadable
  }

  /// What they take up below folders, in blocks of 512 bytes: one number for each group of folders.
  ///
  /// A file belongs to a folder by its path, which begins with the mount that it was reached by.
  /// Device numbers do not tell: on overlayfs and btrfs a file's is not its folder's, and
  /// /proc/PID/maps has another one than stat(2).
  ///
  /// - Parameters:
  ///   - groups: the paths, as the process has them, of folders that count together.
  ///   - mapped: the blocks that a file counts that is only mapped, since nobody can ask for its
  ///     size.
  ///   - mappings: the most mappings that are looked at.
  ///   - descriptors: the most descriptors that are looked at, those of every thread that has a table of
  ///     its own. Each takes some microseconds, and more the longer its file's path is.
  package static func blocks(
    heldBy process: Int32, below groups: [[String]], mapped: UInt64, mappings: Int,
    descriptors: Int = .max
  ) throws(Fault) -> [UInt64] {
    var files = FilesByGroup(groups)
    // Every thread is looked at, since one can be made with descriptors of its own; where it shares
    // those of one before it, they have been seen.
    let tasks = "/proc/\(process)/task"
    var (seen, looks): ([Int32], Int) = ([], 0)
    for task in try names(tasks) {
      if let thread = task.string.flatMap({ Int32($0) }) {
        guard !seen.contains(where: { clinux_shares_descriptors(thread, $0) != 0 }) else {
          continue
        }
        // Few have ever more than one; of many, the rest is looked at each by itself.
        if seen.count < 8 { seen.append(thread) }
      }
      let path = "\(tasks)/\(task)/fd"
      guard let open = try folder(path) else { continue }
      for number in try names(path) {
        looks += 1
        guard looks <= descriptors else { throw .tooManyDescriptors }
        var status = stat()
        guard unsafe fstatat(open.descriptor, number.characters, &status, 0) == 0,
          // A folder keeps what its names took up.
          [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT), status.st_nlink == 0
        else { continue }
        let blocks = UInt64(clamping: status.st_blocks)
        do throws(FileError) {
          let path = try open.linkTarget(number)
          files.add(
            inode: UInt64(status.st_ino), blocks,
            at: path.characters.dropLast().map { UInt8(bitPattern: $0) })
        } catch  where error.code == ENOENT {
          // Closed meanwhile.
        } catch {
          // Too long a path for the kernel to tell: it could be anywhere.
          files.addEverywhere(inode: UInt64(status.st_ino), blocks)
        }
      }
    }
    try MappedFiles.eachNameless(of: process, most: mappings) { inode, path in
      files.add(inode: inode, mapped, at: path)
    }
    return files.blocks
  }

  /// Nil if there is no such folder any more.
  private static func folder(_ path: String) throws(Fault) -> DirectoryHandle? {
    do throws(FileError) {
      return try DirectoryHandle(path: path)
    } catch  where [ENOENT, ESRCH].contains(error.code) {
      return nil
    } catch {
      throw .unreadable
    }
  }

  private static func names(_ path: String) throws(Fault) -> [FileName] {
    guard let folder = try folder(path) else { return [] }
    do throws(FileError) {
      return try folder.names()
    } catch  where [ENOENT, ESRCH].contains(error.code) {
      return []
    } catch {
      throw .unreadable
    }
  }

  /// Each file once, by the group that it lies in.
  private struct FilesByGroup {
    private let prefixes: [[[UInt8]]]
    private var seen: Set<[UInt64]> = []
    private(set) var blocks: [UInt64]

    init(_ groups: [[String]]) {
      // As /proc/PID/maps has a name: with a line's end as an octal number.
      prefixes = groups.map { paths in
        paths.flatMap { path in
          [path, path.replacing("\n", with: "\\012")].map { Array("\($0)/".utf8) }
        }
      }
      blocks = groups.map { _ in 0 }
    }

    mutating func add(inode: UInt64, _ size: UInt64, at path: some Collection<UInt8>) {
      for (group, paths) in prefixes.enumerated() where paths.contains(where: path.starts) {
        add(inode, size, to: group)
      }
    }

    mutating func addEverywhere(inode: UInt64, _ size: UInt64) {
      for group in blocks.indices { add(inode, size, to: group) }
    }

    private mutating func add(_ inode: UInt64, _ size: UInt64, to group: Int) {
      guard seen.insert([UInt64(group), inode]).inserted else { return }
      blocks[group] += size
    }
  }
}
