import PluginProtocol

/// Where the machine is, for a keyboard with open access that was granted it.
public final class LocationManager {
  /// Called with the location, or with why there is none to be had.
  public typealias Completion = (Result<Location, ServiceError>) -> Void

  var requests: [Completion] = []

  /// Asks for the location, once.
  public func requestLocation(completion: @escaping Completion) { requests.append(completion) }
}
