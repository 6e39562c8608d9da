import Glibc

/// The unit in which the kernel counts memory.
public enum MemoryPage {
  /// In bytes.
  public static let size = Int(sysconf(Int32(_SC_PAGESIZE)))
}
