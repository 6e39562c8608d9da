import PluginManifest
import StrictJSON

extension HostSettings {
  /// The services that a keyboard may use: granted, still asked for, and with open access.
  func servicesInForce(_ manifest: KeyboardManifest) -> Set<KeyboardService> {
    guard manifest.requestsOpenAccess, openAccess.contains(manifest.identifier) else { return [] }
    return (services[manifest.identifier] ?? []).filter { manifest.usageDescriptions[$0] != nil }
  }

  func encodeServices(into writer: inout JSONWriter) {
    writer.beginObject()
    for (keyboard, granted) in services.sorted(by: { $0.key < $1.key }) {
      writer.key(keyboard)
      writer.beginArray()
      for service in granted.map(\.rawValue).sorted() { writer.value(service) }
      writer.endArray()
    }
    writer.endObject()
  }

  static func services(_ names: [String], _ value: JSONValue) throws(JSONError) -> Set<
    KeyboardService
  > {
    var found: Set<KeyboardService> = []
    for name in names {
      guard let service = KeyboardService(rawValue: name) else {
        throw value.error("an element of `services` is no service")
      }
      found.insert(service)
    }
    return found
  }

  func encodePlace(into writer: inout JSONWriter) {
    guard let place else { return writer.null() }
    writer.beginObject()
    writer.member("latitude", place.latitude)
    writer.member("longitude", place.longitude)
    writer.member("accuracy", place.accuracy)
    writer.endObject()
  }

  static func place(_ value: JSONValue) throws(JSONError) -> FixedPlace? {
    if value.isNull { return nil }
    for (key, _) in try object(value, "place")
    where !["latitude", "longitude", "accuracy"].contains(key) {
      throw value.error("`place` has a key that is not known")
    }
    guard let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double,
      let accuracy = value["accuracy"]?.double,
      let place = FixedPlace(latitude: latitude, longitude: longitude, accuracy: accuracy)
    else { throw value.error("`place` is no place on Earth") }
    return place
  }
}
