// swift-tools-version: 6.2
import PackageDescription

/// What a keyboard written in Swift needs, without the host: installed as `share/keyhost/sdk`,
/// and copied into the package that `keyhost new --language swift` writes.
let package = Package(
  name: "sdk",
  products: [
    .library(name: "KeyboardExtension", targets: ["KeyboardExtension"])
  ],
  targets: [
    .target(name: "StrictJSON"),
    .target(name: "TextInput"),
    .target(name: "PluginProtocol", dependencies: ["StrictJSON", "TextInput"]),
    .target(
      name: "KeyboardExtension", dependencies: ["PluginProtocol", "StrictJSON", "TextInput"]),
  ]
)
