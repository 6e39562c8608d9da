// swift-tools-version: 6.2
import PackageDescription

/// As strict as the code was written. Warnings are no errors here: a later compiler's new warning is
/// not the keyboard author's to mend.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .strictMemorySafety()]

/// What a keyboard written in Swift needs, without the host: installed as `share/keyhost/sdk`,
/// and copied into the package that `keyhost new --language swift` writes.
let package = Package(
  name: "sdk",
  products: [
    .library(name: "KeyboardExtension", targets: ["KeyboardExtension"])
  ],
  targets: [
    .target(name: "StrictJSON", swiftSettings: strict),
    .target(name: "TextInput", swiftSettings: strict),
    .target(
      name: "PluginProtocol", dependencies: ["StrictJSON", "TextInput"], swiftSettings: strict),
    .target(
      name: "KeyboardExtension", dependencies: ["PluginProtocol", "StrictJSON", "TextInput"],
      swiftSettings: strict),
  ]
)
