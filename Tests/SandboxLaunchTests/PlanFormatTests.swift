import LaunchPlanFormat
import Testing

@Suite("The launch plan and the status messages are read strictly")
struct PlanFormatTests {
  private static let plan: LaunchPlan = {
    var plan = LaunchPlan()
    plan.executable = "/bundle/täst"
    plan.arguments = ["/bundle/täst", ""]
    plan.environment = ["HOME=/container", "LANG=C.UTF-8"]
    plan.workingDirectory = "/container"
    plan.limits = [LaunchPlan.Limit(resource: 7, value: 128), .init(resource: 4, value: .max)]
    plan.processLimit = 64
    plan.identity = 70_000
    plan.layers = [.session, .landlock, .seccomp]
    plan.allowWeaker = [.landlock]
    plan.binds = [
      LaunchPlan.Bind(
        source: "/usr/lib", target: "/usr/lib", isWritable: false, isExecutable: true,
        isRequired: true)
    ]
    plan.links = [LaunchPlan.Link(path: "/lib", destination: "usr/lib")]
    plan.memoryFolders = [
      LaunchPlan.MemoryFolder(path: "/tmp", size: 4 << 20, entries: 4_096),
      LaunchPlan.MemoryFolder(path: "/container", size: 128 << 20, entries: 10_000),
    ]
    plan.pathRules = [LaunchPlan.PathRule(path: "/bundle", rights: 13, isRequired: true)]
    plan.emulatedLandlockABI = -1
    plan.filter = [UInt8](0..<64)
    plan.notifies = true
    return plan
  }()

  @Test("what was written is what is read")
  func roundTrip() throws {
    #expect(try LaunchPlan(decoding: Self.plan.encoded()) == Self.plan)
    #expect(try LaunchPlan(decoding: LaunchPlan().encoded()) == LaunchPlan())
  }

  @Test("a plan that ends anywhere but at its end is refused, its length corrected or not")
  func truncated() throws {
    let bytes = try Self.plan.encoded()
    for count in 0..<bytes.count {
      #expect(throws: LaunchPlanError.self) { try LaunchPlan(decoding: Array(bytes[..<count])) }
      guard count >= 12 else { continue }
      var shorter = Array(bytes[..<count])
      for index in 0..<4 { shorter[8 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
      #expect(throws: LaunchPlanError.self) { try LaunchPlan(decoding: shorter) }
    }
  }

  @Test("no single changed byte makes the reader trap, and none in the header passes")
  func changed() throws {
    let bytes = try Self.plan.encoded()
    for index in bytes.indices {
      for value in [UInt8.min, 1, 0x7f, 0xff] where bytes[index] != value {
        var changed = bytes
        changed[index] = value
        let plan = try? LaunchPlan(decoding: changed)
        if index < 12 { #expect(plan == nil) }
        // Whatever is read is a plan that says the same when written again.
        if let plan { #expect(try plan.encoded() == changed) }
      }
    }
  }

  @Test("what the launcher would not read is not written")
  func tooLarge() {
    var plan = Self.plan
    plan.filter = [UInt8](repeating: 0, count: 32_776)
    #expect(throws: LaunchPlanError.self) { try plan.encoded() }
    plan = Self.plan
    plan.executable = String(repeating: "x", count: 4_097)
    #expect(throws: LaunchPlanError.self) { try plan.encoded() }
    plan = Self.plan
    plan.arguments = ["a\0b"]
    #expect(throws: LaunchPlanError.self) { try plan.encoded() }
    plan.arguments = Array(repeating: "x", count: 1_025)
    #expect(throws: LaunchPlanError.self) { try plan.encoded() }
  }

  private static let messages: [LaunchStatus] = [
    .process(4_711), .layer(.session, .enforced), .layer(.landlock, .partly("truncate")),
    .layer(.seccomp, .unavailable("nöt there")), .layer(.identity, .notRequested),
    .failure(nil, step: "starting the program /bundle/x", errno: 2),
    .failure(.privateRoot, step: "", errno: 0), .ready(listener: 4, landlockABI: 7),
    .ready(listener: -1, landlockABI: 0),
  ]

  @Test("messages come out whole, whatever pieces they arrive in", arguments: [1, 2, 3, 7, 4096])
  func pieces(_ size: Int) throws {
    var rest = Self.messages.flatMap { $0.encoded() }[...]
    var buffer: [UInt8] = []
    var taken: [LaunchStatus] = []
    while !rest.isEmpty {
      buffer += rest.prefix(size)
      rest = rest.dropFirst(size)
      while let message = try LaunchStatus.take(from: &buffer) { taken.append(message) }
    }
    #expect(taken == Self.messages)
    #expect(buffer.isEmpty)
  }

  @Test("a text that is too long is cut, so that the message still fits")
  func longText() throws {
    let long = String(repeating: "ä", count: 5_000)
    var bytes = LaunchStatus.failure(.landlock, step: long, errno: 13).encoded()
    #expect(bytes.count <= LaunchStatus.maximumSize)
    guard case .failure(.landlock, let step, 13) = try LaunchStatus.take(from: &bytes) else {
      Issue.record("another message")
      return
    }
    #expect(long.hasPrefix(step) && step.utf8.count > 500)
  }

  @Test("nonsense in place of a message is an error")
  func nonsense() {
    for bytes: [UInt8] in [
      [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0], [1, 0, 0, 0, 9], [2, 0, 0, 0, 1, 2],
      [3, 0, 0, 0, 2, 99, 0], [4, 0, 0, 0, 2, 0, 9, 0], [6, 0, 0, 0, 1, 0, 0, 0, 0, 0],
    ] {
      var buffer = bytes
      #expect(throws: LaunchPlanError.self, "\(bytes)") { try LaunchStatus.take(from: &buffer) }
    }
  }

  @Test("only variables of the list are allowed, and none that changes how programs load")
  func environment() {
    for name in ["LANG", "TZ", "HOME", "KEYHOST_CONTAINER", "LC_MONETARY"] {
      #expect(LaunchEnvironment.allows(name))
    }
    for name in [
      "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONSTARTUP", "GLIBC_TUNABLES", "",
      "KEYHOST_ä", "KEYHOST_x", "KEYHOST=", "BASH_ENV",
    ] {
      #expect(!LaunchEnvironment.allows(name), "\(name)")
    }
  }
}
