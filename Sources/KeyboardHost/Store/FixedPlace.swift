/// A place that the user set.
public struct FixedPlace: Sendable, Equatable {
  /// Degrees, north positive, from -90 to 90.
  public var latitude: Double
  /// Degrees, east positive, from -180 to 180.
  public var longitude: Double
  /// How far off it may be, in metres.
  public var accuracy: Double

  /// The accuracies there can be, in metres: the longest is half the way around the Earth.
  public static let accuracies = 0.0...20_040_000.0

  /// Nil for what is no place on Earth.
  public init?(latitude: Double, longitude: Double, accuracy: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      Self.accuracies.contains(accuracy)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }
}
