/// Where the machine is.
public struct Location: Sendable, Equatable {
  /// Degrees, north positive.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double
  /// How far off it may be, in metres.
  public var horizontalAccuracy: Double
  /// When it was found out, in seconds since 1970.
  public var timestamp: Double

  /// Nil for what is no place on Earth, or no time.
  public init?(
    latitude: Double, longitude: Double, horizontalAccuracy: Double, timestamp: Double
  ) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      (0...ProtocolLimits.accuracy).contains(horizontalAccuracy),
      (0...ProtocolLimits.timestamp).contains(timestamp)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.timestamp = timestamp
  }
}
