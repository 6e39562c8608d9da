import CLinux

/// Landlock(7): file, network and scope restrictions that a process puts on itself.
public enum Landlock {
  /// The newest ABI whose rights this code knows. A newer kernel works with these.
  public static let newestKnownABI = 7

  /// The running kernel's ABI; 0 when it has no Landlock, or has it switched off.
  public static var kernelABI: Int { max(0, clinux_landlock_abi()) }
}
