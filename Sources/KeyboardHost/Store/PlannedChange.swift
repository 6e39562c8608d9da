/// A change to the user's choices that has been thought through but not made.
struct PlannedChange<Result> {
  /// What the caller wants to know.
  var result: Result
  /// Written before anything takes effect.
  var events: [AuditEvent] = []
  /// Whether it does nothing but take away. Then neither a full disk nor a log that cannot be
  /// written stands in its way, and what of it was done stays done.
  var takesAway = false
  /// What is done to files before the settings are replaced, which is when a running host follows
  /// them; it is not undone.
  var prepare: () throws(StoreError) -> Void = { () throws(StoreError) in }
  /// Whether the settings are written also where they stay as they are, so that a running host
  /// looks at what was prepared before anything is applied.
  var isAnnounced = false
  /// A keyboard whose processes are ended, though the settings give it what they gave before.
  var endsKeyboard: String?
  /// What is done to files, after the settings were replaced.
  var apply: () throws(StoreError) -> Void = { () throws(StoreError) in }
  /// Takes away what was prepared, when the change is not made.
  var cancel: () -> Void = {}
}
