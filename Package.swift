// swift-tools-version: 6.2
import PackageDescription

/// Everything that ships is held to the same rules; tests may use unsafe constructs to attack.
let test: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
]
let shipped: [SwiftSetting] = test + [.strictMemorySafety()]

/// Programs that must start fast and open nothing are static, in the release configuration only:
/// a static executable in a debug build would keep the sanitizers from working.
let staticProgram: [SwiftSetting] =
  shipped + [.unsafeFlags(["-static-executable"], .when(configuration: .release))]
let staticLinking: [LinkerSetting] = [
  .unsafeFlags(["-static-executable"], .when(configuration: .release))
]
/// The attacker also runs inside the sandbox when it is a debug build, where no Swift runtime is to
/// be found. It is held to no style of memory: it is made of what others would call faults.
let attacker: [SwiftSetting] =
  test + [
    .unsafeFlags(["-static-executable"], .when(configuration: .release)),
    .unsafeFlags(["-static-stdlib"], .when(configuration: .debug)),
  ]
let attackerLinking: [LinkerSetting] =
  staticLinking + [.unsafeFlags(["-static-stdlib"], .when(configuration: .debug))]

let package = Package(
  name: "Keyhost",
  products: [
    .library(name: "KeyboardExtension", targets: ["KeyboardExtension"]),
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  targets: [
    // Leaves: the kernel and C, wrapped once.
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CCurses", providers: [.apt(["libncurses-dev"])]),
    .target(name: "CLinux"),
    .target(name: "ErrorNames", swiftSettings: shipped),
    .target(name: "LinuxSystem", dependencies: ["CLinux", "ErrorNames"], swiftSettings: shipped),
    .target(name: "StrictJSON", swiftSettings: shipped),
    .target(name: "TerminalText", swiftSettings: shipped),
    .target(name: "ClassicBPF", swiftSettings: shipped),
    .target(name: "NetworkBroker", dependencies: ["LinuxSystem"], swiftSettings: shipped),

    // The sandbox: what is allowed, how it is compiled, how it is put around a process.
    .target(
      name: "SandboxPolicy", dependencies: ["ErrorNames", "StrictJSON", "TerminalText"],
      swiftSettings: shipped),
    .target(
      name: "Seccomp",
      dependencies: [
        "CSeccomp", "CLinux", "ErrorNames", "SandboxPolicy", "ClassicBPF",
      ],
      swiftSettings: shipped),
    .target(
      name: "PolicyAudit",
      dependencies: ["ClassicBPF", "LinuxSystem", "SandboxPolicy", "Seccomp", "StrictJSON"],
      swiftSettings: shipped),
    .target(
      name: "SandboxLaunch",
      dependencies: [
        "LinuxSystem", "LaunchPlanFormat", "Seccomp", "SandboxPolicy", "ClassicBPF", "TerminalText",
      ],
      swiftSettings: shipped),
    .target(name: "LaunchPlanFormat", swiftSettings: shipped),

    // Text and the conversation with a keyboard.
    .target(name: "TextInput", swiftSettings: shipped),
    // Found when the program runs: a machine without Hunspell types without corrections.
    .target(name: "CHunspell"),
    .target(
      name: "Spelling", dependencies: ["CHunspell", "LinuxSystem", "TerminalText", "TextInput"],
      swiftSettings: shipped),
    // Found when the program runs, as Hunspell is.
    .target(name: "CGeoClue"),
    .target(name: "GeoClue", dependencies: ["CGeoClue"], swiftSettings: shipped),
    .target(
      name: "PluginProtocol", dependencies: ["StrictJSON", "TextInput"], swiftSettings: shipped),
    .target(
      name: "AppProtocol", dependencies: ["PluginProtocol", "StrictJSON", "TextInput"],
      swiftSettings: shipped),
    .target(
      name: "KeyboardClient",
      dependencies: ["AppProtocol", "LinuxSystem", "PluginProtocol", "TextInput"],
      swiftSettings: shipped),
    .target(
      name: "KeyboardExtension", dependencies: ["PluginProtocol", "StrictJSON", "TextInput"],
      swiftSettings: shipped),

    // The host.
    .target(
      name: "PluginManifest", dependencies: ["LinuxSystem", "TerminalText"], swiftSettings: shipped),
    .target(
      name: "KeyboardHost",
      dependencies: [
        "AppProtocol", "ClassicBPF", "GeoClue", "LinuxSystem", "NetworkBroker", "StrictJSON",
        "TextInput",
        "PluginProtocol", "PluginManifest", "PolicyAudit", "SandboxPolicy", "Seccomp",
        "SandboxLaunch", "Spelling",
        "TerminalText",
      ],
      swiftSettings: shipped),
    .target(
      name: "KeyboardReport",
      dependencies: [
        "ClassicBPF", "KeyboardHost", "LinuxSystem", "PolicyAudit", "SandboxLaunch",
        "SandboxPolicy", "Seccomp", "StrictJSON", "TerminalText",
      ],
      swiftSettings: shipped),
    .target(
      name: "CommandLineInterface", dependencies: ["ErrorNames", "TerminalText"],
      swiftSettings: shipped),

    // The playground: what it shows, and the terminal it is shown on.
    .target(
      name: "Playground",
      dependencies: ["KeyboardHost", "LinuxSystem", "TerminalText", "TextInput"],
      swiftSettings: shipped),
    .target(
      name: "CursesTerminal", dependencies: ["CCurses", "Playground"], swiftSettings: shipped),

    // Programs: thin.
    .executableTarget(
      name: "keyhost",
      dependencies: [
        "KeyboardHost", "KeyboardReport", "CommandLineInterface", "ClassicBPF", "CursesTerminal",
        "GeoClue", "LinuxSystem", "Playground", "PluginManifest",
        "PluginProtocol", "PolicyAudit", "SandboxLaunch", "SandboxPolicy", "SandboxSelftest",
        "Seccomp", "Spelling", "StrictJSON",
        "TerminalText", "TextInput",
      ],
      swiftSettings: shipped),
    .executableTarget(
      name: "keyhost-launcher", dependencies: ["LaunchPlanFormat", "LinuxSystem"],
      swiftSettings: staticProgram, linkerSettings: staticLinking),
    .executableTarget(
      name: "keyhost-bench",
      dependencies: [
        "ClassicBPF", "KeyboardHost", "LinuxSystem", "PluginProtocol", "PolicyAudit",
        "SandboxPolicy", "Seccomp", "StrictJSON", "TextInput",
      ],
      swiftSettings: shipped),

    // The sandbox attacked for real, on the user's own machine.
    .target(name: "CSandboxProbe"),
    .executableTarget(
      name: "sandbox-probe", dependencies: ["CSandboxProbe"], swiftSettings: attacker,
      linkerSettings: attackerLinking),
    .target(
      name: "SandboxSelftest",
      dependencies: [
        "KeyboardHost", "LinuxSystem", "SandboxLaunch", "SandboxPolicy", "Seccomp", "ClassicBPF",
      ],
      swiftSettings: shipped),

    // Example keyboards, assembled into bundles by the Makefile.
    .executableTarget(
      name: "HabraKeyboard", dependencies: ["KeyboardExtension"],
      path: "Examples/Habra/Sources", swiftSettings: staticProgram, linkerSettings: staticLinking),

    // Tests mirror targets.
    .target(
      name: "TestSupport", dependencies: ["SandboxPolicy", "Seccomp"], path: "Tests/TestSupport",
      swiftSettings: test),
    .target(
      name: "HostSimulation",
      dependencies: [
        "KeyboardHost", "PluginManifest", "PluginProtocol", "StrictJSON", "TextInput",
      ],
      path: "Tests/HostSimulation", swiftSettings: test),
    // What the fuzzer calls, as a library: the ordinary tests call it with the committed corpus.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "AppProtocol", "ClassicBPF", "HostSimulation", "KeyboardHost", "LaunchPlanFormat",
        "LinuxSystem", "NetworkBroker", "PluginManifest", "PluginProtocol", "PolicyAudit",
        "SandboxLaunch", "SandboxPolicy", "Seccomp", "StrictJSON", "TerminalText", "TextInput",
      ],
      path: "Tests/FuzzTargets", swiftSettings: test),
    .testTarget(
      name: "FuzzTargetTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: test),
    .target(name: "CSandboxTesting", path: "Tests/CSandboxTesting"),
    .executableTarget(name: "foundation-probe", path: "Tests/FoundationProbe", swiftSettings: test),
    .executableTarget(
      name: "fault-host",
      dependencies: ["KeyboardHost", "LinuxSystem", "SandboxPolicy", "TextInput"],
      path: "Tests/FaultHost", swiftSettings: test),
    .testTarget(
      name: "AppProtocolTests",
      dependencies: [
        "AppProtocol", "KeyboardClient", "PluginProtocol", "StrictJSON", "TestSupport", "TextInput",
      ],
      swiftSettings: test),
    .testTarget(
      name: "ClassicBPFTests", dependencies: ["ClassicBPF", "CSandboxTesting", "TestSupport"],
      swiftSettings: test),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["CommandLineInterface", "NetworkBroker", "StrictJSON", "TestSupport"],
      swiftSettings: test),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["AppProtocol", "KeyboardClient", "StrictJSON", "TestSupport", "TextInput"],
      swiftSettings: test),
    .testTarget(
      name: "GeoClueTests", dependencies: ["GeoClue", "TestSupport"], exclude: ["Rig"],
      swiftSettings: test),
    .testTarget(name: "ErrorNamesTests", dependencies: ["ErrorNames"], swiftSettings: test),
    .testTarget(
      name: "KeyboardHostTests",
      dependencies: [
        "ClassicBPF", "HostSimulation", "KeyboardHost", "LinuxSystem", "NetworkBroker",
        "PluginManifest", "PluginProtocol", "SandboxLaunch", "StrictJSON", "TestSupport",
        "TextInput",
      ],
      swiftSettings: test),
    .testTarget(
      name: "KeyboardReportTests",
      dependencies: [
        "KeyboardHost", "KeyboardReport", "PolicyAudit", "SandboxLaunch", "SandboxPolicy",
        "StrictJSON", "TestSupport", "keyhost", "keyhost-launcher",
      ],
      swiftSettings: test),
    .testTarget(
      name: "NetworkBrokerTests",
      dependencies: ["LinuxSystem", "NetworkBroker", "StrictJSON", "TestSupport"],
      exclude: ["Rig"],
      swiftSettings: test),
    .testTarget(
      name: "PlaygroundTests",
      dependencies: ["KeyboardHost", "Playground", "TestSupport", "TextInput"],
      swiftSettings: test),
    .testTarget(
      name: "PluginManifestTests", dependencies: ["PluginManifest", "TestSupport"],
      swiftSettings: test),
    .testTarget(
      name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport"], swiftSettings: test),
    .testTarget(
      name: "SandboxLaunchTests",
      dependencies: [
        "SandboxLaunch", "LinuxSystem", "LaunchPlanFormat", "ClassicBPF", "Seccomp",
        "SandboxPolicy", "TestSupport", "keyhost-launcher",
      ],
      exclude: ["Probe"], swiftSettings: test),
    .testTarget(
      name: "SandboxPolicyTests", dependencies: ["SandboxPolicy", "Seccomp", "TestSupport"],
      swiftSettings: test),
    // Not of the attacker: a test bundle would take over how it is linked.
    .testTarget(
      name: "SecuritySuite",
      dependencies: [
        "LinuxSystem", "SandboxLaunch", "SandboxPolicy", "SandboxSelftest", "StrictJSON",
        "TestSupport", "fault-host", "keyhost", "keyhost-launcher",
      ],
      exclude: ["Rig"],
      swiftSettings: test),
    .testTarget(
      name: "SeccompTests",
      dependencies: [
        "ClassicBPF", "SandboxPolicy", "Seccomp", "CSandboxTesting", "TestSupport",
        "foundation-probe",
      ],
      swiftSettings: test),
    .testTarget(
      name: "PolicyAuditTests",
      dependencies: [
        "ClassicBPF", "CSandboxTesting", "LinuxSystem", "PolicyAudit", "SandboxPolicy", "Seccomp",
        "StrictJSON", "TestSupport", "keyhost",
      ],
      swiftSettings: test),
    .testTarget(
      name: "SpellingTests", dependencies: ["Spelling", "TestSupport", "TextInput"],
      swiftSettings: test),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON"], swiftSettings: test),
    .testTarget(
      name: "TerminalTextTests", dependencies: ["TerminalText"], swiftSettings: test),
    .testTarget(
      name: "TextInputTests", dependencies: ["TestSupport", "TextInput"], swiftSettings: test),
    .testTarget(
      name: "PluginProtocolTests",
      dependencies: ["PluginProtocol", "StrictJSON", "TestSupport", "TextInput"],
      swiftSettings: test),
    .testTarget(
      name: "KeyboardExtensionTests",
      dependencies: [
        "HabraKeyboard", "KeyboardExtension", "PluginProtocol", "StrictJSON", "TestSupport",
        "TextInput",
      ], swiftSettings: test),
  ]
)
