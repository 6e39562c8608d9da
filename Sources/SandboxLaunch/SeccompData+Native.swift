import ClassicBPF

extension SeccompData {
  /// The launcher's own execve, as the filter sees it on this architecture.
  static var nativeExecution: SeccompData {
    #if arch(x86_64)
      SeccompData(number: 59, architecture: 0xc000_003e)
    #elseif arch(arm64)
      SeccompData(number: 221, architecture: 0xc000_00b7)
    #else
      #error("the number of execve and the architecture's AUDIT_ARCH value are needed here")
    #endif
  }
}
