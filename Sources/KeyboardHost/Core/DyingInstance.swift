/// One that was killed, and that the kernel may not be done with.
struct DyingInstance: Equatable {
  /// The keyboard that it was of.
  var keyboard: String
  /// Whether it was one that forgets.
  var isIncognito: Bool
  /// How long inputs wait for its end, before the system keyboard handles them.
  var patienceEnds: HostTime
}
