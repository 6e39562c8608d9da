/// Where the launcher finds what the host gives it.
public enum LaunchDescriptors {
  /// The keyboard reads the host's messages here.
  public static let input: Int32 = 0
  public static let standardOutput: Int32 = 1
  public static let standardError: Int32 = 2
  /// The keyboard writes its messages here.
  public static let output: Int32 = 3
  /// The sealed plan.
  public static let plan: Int32 = 4
  /// The write end of the status pipe.
  public static let status: Int32 = 5
  /// A pidfd of the host, to see whether it is still there.
  public static let host: Int32 = 6
  /// The first number that is the launcher's own.
  public static let firstForeign: Int32 = 7
}
