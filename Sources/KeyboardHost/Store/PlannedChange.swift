/// A change to the user's choices that has been thought through but not made.
struct PlannedChange<Result> {
  /// What the caller wants to know.
  var result: Result
  /// Written before anything takes effect.
  var events: [AuditEvent] = []
  /// What is done to files, after the settings were replaced.
  var apply: () throws(StoreError) -> Void = { () throws(StoreError) in }
  /// Takes away what was prepared, when the change is not made.
  var cancel: () -> Void = {}
}
