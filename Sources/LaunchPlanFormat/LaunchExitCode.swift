/// The launcher's exit codes, for those who start it by hand; the host reads the status pipe.
public enum LaunchExitCode {
  /// The plan is missing, not sealed, damaged or of another release.
  public static let refusedPlan: Int32 = 2
  /// A layer could not be applied.
  public static let failedLayer: Int32 = 3
  /// The program could not be started.
  public static let failedExecution: Int32 = 4
}
