import LaunchPlanFormat
import LinuxSystem

/// Why a layer could not be applied: what was being done, and what the kernel said.
struct LayerFailure: Error {
  let step: String
  let errno: Errno?

  init(_ step: String, _ errno: Errno? = nil) {
    self.step = step
    self.errno = errno
  }
}

/// Runs `body`, and says in a failure what it was about.
func attempt<Value: ~Copyable>(
  _ step: @autoclosure () -> String, _ body: () throws(Errno) -> Value
) throws(LayerFailure) -> Value {
  do { return try body() } catch { throw LayerFailure(step(), error) }
}

/// The whole course of a launch, in the order of `SandboxLayer`.
struct Launcher {
  private let plan: LaunchPlan
  /// Status messages not yet written: one write wakes the host once.
  private var unsent: [UInt8] = []
  private var landlockABI = 0

  private init(_ plan: LaunchPlan) { self.plan = plan }

  static func run() -> Never {
    // It was started by a descriptor's number, which says nothing in a list of processes.
    ProcessControl.setName("keyhost-launch")
    let plan: LaunchPlan
    do {
      plan = try PlanReader.read()
    } catch {
      refuse(error)
    }
    var launcher = Launcher(plan)
    launcher.applyLayers()
    launcher.execute()
  }

  /// Nothing of the sandbox is there yet: this is said to whoever started the launcher, and to the
  /// host if it is the host.
  private static func refuse(_ failure: LayerFailure) -> Never {
    let reason = failure.errno.map { "\(failure.step): \($0)" } ?? failure.step
    let text = "keyhost-launcher: \(reason).\n  Keyboards are started by keyhost, not by hand.\n"
    _ = try? FileDescriptor.write(
      Array(text.utf8)[...], to: LaunchDescriptors.standardError)
    let message = LaunchStatus.failure(
      nil, step: failure.step, errno: failure.errno?.rawValue ?? 0)
    if PlanReader.hasStatusPipe {
      _ = try? FileDescriptor.write(message.encoded()[...], to: LaunchDescriptors.status)
    }
    ProcessControl.exit(LaunchExitCode.refusedPlan)
  }

  private mutating func applyLayers() {
    apply(.session, SessionLayer.apply)
    do { try DescriptorLayer.closeOwnOnExecution() } catch { fail(.descriptors, error) }
    apply(.descriptors, DescriptorLayer.apply)
    let plan = plan
    apply(.environment) { () throws(LayerFailure) in try EnvironmentLayer.check(plan.environment) }
    apply(.limits) { () throws(LayerFailure) in try LimitLayer.apply(plan) }

    apply(.userNamespace) { () throws(LayerFailure) in
      try NamespaceLayers.enterUserNamespace(plan)
    }
    apply(.privateRoot) { () throws(LayerFailure) in try PrivateRoot(plan).enter() }
    apply(.networkNamespace, NamespaceLayers.enterNetworkNamespace)
    var announcement: Int32?
    apply(.processNamespace) { () throws(LayerFailure) in
      let (state, reader) = try NamespaceLayers.enterProcessNamespace()
      announcement = reader
      return state
    }
    // With the namespace, the first launcher announces its successor.
    if announcement == nil { announce(ProcessControl.identifier) }

    apply(.identity) { () throws(LayerFailure) in try IdentityLayer.apply(plan) }
    apply(.capabilities, CapabilityLayer.apply)
    apply(.noNewPrivileges, NoNewPrivilegesLayer.apply)
    apply(.parentDeath, ParentDeathLayer.apply)
    ProcessControl.setFileCreationMask(0o077)
    do {
      try attempt("entering the folder \(plan.workingDirectory)") { () throws(Errno) in
        try ProcessControl.changeDirectory(plan.workingDirectory)
      }
    } catch { fail(.privateRoot, error) }
    if plan.layers.contains(.landlock) {
      let (state, abi) = landlock()
      landlockABI = abi
      note(.landlock, state)
    }
    if let announcement {
      do {
        try NamespaceLayers.awaitAnnouncement(announcement)
      } catch { fail(.processNamespace, error) }
    }
  }

  private mutating func apply(
    _ layer: SandboxLayer, _ body: () throws(LayerFailure) -> LayerState
  ) {
    guard plan.layers.contains(layer) else { return }
    do {
      note(layer, try body())
    } catch {
      guard plan.allowWeaker.contains(layer) else { fail(layer, error) }
      let why = error.errno.map { "\(error.step): \($0)" } ?? error.step
      note(layer, .unavailable(why))
    }
  }

  private mutating func landlock() -> (LayerState, Int) {
    do {
      return try LandlockLayer.apply(plan)
    } catch {
      guard plan.allowWeaker.contains(.landlock) else { fail(.landlock, error) }
      return (.unavailable(error.errno.map { "\(error.step): \($0)" } ?? error.step), 0)
    }
  }

  private mutating func note(_ layer: SandboxLayer, _ state: LayerState) {
    unsent += LaunchStatus.layer(layer, state).encoded()
  }

  /// Tells the host which process will become the keyboard.
  private mutating func announce(_ process: Int32) {
    unsent += LaunchStatus.process(process).encoded()
  }

  private mutating func send() {
    var rest = unsent[...]
    while !rest.isEmpty {
      // A host that does not read any more is gone, and takes the launcher with it.
      guard let count = try? FileDescriptor.write(rest, to: LaunchDescriptors.status) else {
        ProcessControl.exit(LaunchExitCode.failedLayer)
      }
      rest = rest.dropFirst(count)
    }
    unsent = []
  }

  private mutating func fail(_ layer: SandboxLayer?, _ failure: LayerFailure) -> Never {
    unsent +=
      LaunchStatus.failure(layer, step: failure.step, errno: failure.errno?.rawValue ?? 0)
      .encoded()
    send()
    ProcessControl.exit(LaunchExitCode.failedLayer)
  }

  /// The filter, and then nothing but the exec: whatever else the launcher did after loading it
  /// would have to be allowed to every keyboard.
  private mutating func execute() -> Never {
    let execution = PreparedExecution(
      plan.executable, arguments: plan.arguments, environment: plan.environment)
    var failure = LaunchStatus.failure(
      nil, step: "starting the program \(plan.executable)", errno: 0
    ).encoded()
    guard plan.layers.contains(.seccomp) else {
      unsent += LaunchStatus.ready(listener: -1, landlockABI: Int32(landlockABI)).encoded()
      send()
      report(execution.perform(), in: &failure)
    }

    let number: Int32
    do {
      FileDescriptor.close(LaunchDescriptors.plan)
      FileDescriptor.close(LaunchDescriptors.host)
      // The host takes the listener out of this process, which it may only if it is dumpable; a
      // change of ids has ended that. The exec decides anew.
      try ProcessControl.setDumpable(true)
      number = try FileDescriptor.lowestFree()
    } catch {
      fail(.seccomp, LayerFailure("preparing for the filter", error))
    }
    var options: SystemCallFilter.Options = plan.notifies ? [.newListener, .waitKillable] : []
    var state = LayerState.enforced
    if plan.notifies, !SystemCallFilter.supportsWaitKillable {
      options.remove(.waitKillable)
      state = .partly("a stop can interrupt a notified call before Linux 5.19")
    }
    note(.seccomp, state)
    unsent +=
      LaunchStatus.ready(
        listener: plan.notifies ? number : -1, landlockABI: Int32(landlockABI)
      ).encoded()
    send()
    do {
      let listener = try SystemCallFilter.load(plan.filter, options)
      if plan.notifies, listener != number { ProcessControl.exit(LaunchExitCode.failedLayer) }
    } catch {
      fail(.seccomp, LayerFailure("loading the filter", error))
    }
    report(execution.perform(), in: &failure)
  }

  /// Sends a message made beforehand, with the error put into its last four bytes: there may be no
  /// memory to be had here.
  private func report(_ errno: Errno, in message: inout [UInt8]) -> Never {
    let end = message.count
    for index in 0..<4 {
      message[end - 4 + index] = UInt8(truncatingIfNeeded: errno.rawValue >> Int32(8 * index))
    }
    _ = try? FileDescriptor.write(message[...], to: LaunchDescriptors.status)
    ProcessControl.exit(LaunchExitCode.failedExecution)
  }
}
