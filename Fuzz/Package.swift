// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The coverage-guided fuzzer: one program around the entry points of `FuzzTargets`.
///
/// A package of its own, because all it links is built with the fuzzer's instrumentation, which
/// nothing that is shipped or tested may carry.
let package = Package(
  name: "KeyhostFuzz",
  dependencies: [.package(name: "Keyhost", path: "..")],
  targets: [
    .target(name: "CFuzzer", path: "Sources/CFuzzer"),
    .executableTarget(
      name: "keyhost-fuzz",
      dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "Keyhost")],
      path: "Sources/keyhost-fuzz", swiftSettings: settings),
  ]
)
