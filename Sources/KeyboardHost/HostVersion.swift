/// The version of the program.
public enum HostVersion {
  public static let current = "0.1.0"
}
