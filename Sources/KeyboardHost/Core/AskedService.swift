import PluginManifest

/// What the user is asked about: a service for a keyboard.
struct AskedService: Hashable {
  var keyboard: String
  var service: KeyboardService
}
