import CGeoClue

/// The system's service for the location, asked over D-Bus.
public struct GeoClue: Sendable {
  /// A location as the service tells it, checked to be one on Earth.
  public struct Fix: Sendable, Equatable {
    /// Degrees, north and east positive.
    public var latitude: Double
    public var longitude: Double
    /// How far off it may be, in metres.
    public var accuracy: Double
  }

  /// Why there is no location, in words; not safe to show as they are.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public var description: String
  }

  /// The name by which GeoClue knows this program: what its own settings allow or refuse.
  public static let desktopID = "keyhost"
  /// Where the system's bus is, where nothing else says so.
  public static let systemBus = "unix:path=/run/dbus/system_bus_socket"
  /// The farthest there is, in metres: half the way around the Earth.
  static let farthest = 20_040_000.0

  /// The address of the bus, as the D-Bus specification writes it.
  public var address: String

  public init(address: String = GeoClue.systemBus) { self.address = address }

  /// Whether the D-Bus library is there.
  public static var isThere: Bool { cgeoclue_is_there() != 0 }

  /// Asks once, and waits: call it where waiting harms nobody.
  /// - Parameter milliseconds: how long to wait at the most.
  public func locate(milliseconds: UInt32) throws(Problem) -> Fix {
    var location = cgeoclue_location()
    var message = [CChar](repeating: 0, count: 512)
    let result = unsafe cgeoclue_locate(
      address, Self.desktopID, milliseconds, &location, &message, message.count)
    guard result == 0 else {
      let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw Problem(description: String(decoding: bytes, as: UTF8.self))
    }
    // Not a number is in no range.
    guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude),
      (0...Self.farthest).contains(location.accuracy)
    else { throw Problem(description: "GeoClue answers with what is no place on Earth") }
    return Fix(
      latitude: location.latitude, longitude: location.longitude, accuracy: location.accuracy)
  }
}
