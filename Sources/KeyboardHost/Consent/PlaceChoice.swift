/// The place that the user says the machine is at.
///
/// It is not recorded in the audit log, which holds nothing of the user's own; whom it is given to is.
public struct PlaceChoice: Sendable {
  private let settings: SettingsStore

  public init(paths: HostPaths) { settings = SettingsStore(paths: paths) }

  public func current() throws(StoreError) -> FixedPlace? { try settings.load().place }

  /// - Parameter place: nil leaves it to GeoClue.
  public func set(_ place: FixedPlace?, log: AuditLog) throws(StoreError) {
    try settings.update(log: log) { (settings) throws(StoreError) in
      settings.place = place
      return PlannedChange(result: ())
    }
  }
}
