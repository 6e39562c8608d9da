import CLinux

/// What can be learned of a path that somebody untrusted chose.
package enum CachedPath {
  /// Whether something is there, a link itself counting, as far as the kernel has it in memory. It
  /// asks nothing of a disk, a network or an automounter, which could be told a name by it, or
  /// never answer; what is there and not in memory counts as missing, and so does everything
  /// before Linux 5.12.
  package static func exists(_ path: String) -> Bool {
    unsafe path.withCString { unsafe clinux_is_cached($0) } == 0
  }
}
