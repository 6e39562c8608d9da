/// The counting of what a keyboard keeps before it is started: one that was ended for what it kept would be
/// ended again, and have written some more. Another keyboard of its app, which runs, can make whoever counts
/// wait at the folder that they share: so it is for a thread that nobody waits for.
public struct StartCheck: Sendable {
  /// What came of it.
  public struct Finding: Sendable, Equatable {
    /// What it keeps in its own container beyond the quota, for people; nil if nothing.
    public var excess: String?
    /// The same of the container that its app's keyboards share, where it may write there.
    public var sharedExcess: String?
    /// What the folders that it may write to hold, in bytes; nil if unknown.
    var stored: UInt64?
  }

  let request: LaunchRequest

  /// Counts, and takes its time.
  public func run() -> Finding {
    Finding(
      excess: request.containerExcess(), sharedExcess: request.sharedContainerExcess(),
      stored: request.stored())
  }
}
