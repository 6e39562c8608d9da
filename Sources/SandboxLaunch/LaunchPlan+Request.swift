import ClassicBPF
import LinuxSystem

extension LaunchPlan {
  /// Everything the launcher must do for a request.
  ///
  /// - Throws: if the request contradicts itself, or the kernel's ids.
  init(_ request: LaunchRequest, isRoot: Bool) throws(LaunchError) {
    self.init()
    try Self.check(request, isRoot: isRoot)
    layers = Set(SandboxLayer.allCases).subtracting(request.leftOutLayers)
    if isRoot {
      layers.remove(.userNamespace)
      if request.identity == nil { layers.remove(.identity) }
    } else {
      layers.remove(.identity)
    }
    allowWeaker = request.allowWeaker.union(request.omittedLayers)
    // The user namespace is there for the sake of the others alone.
    let others: Set<SandboxLayer> = [.privateRoot, .networkNamespace, .processNamespace]
    if layers.isDisjoint(with: others) { layers.remove(.userNamespace) }
    if allowWeaker.isSuperset(of: others) { allowWeaker.insert(.userNamespace) }
    identity = isRoot ? request.identity : nil
    emulatedLandlockABI = request.emulatedLandlockABI.map { Int32(clamping: $0) }
    filter = request.program.bytes
    notifies = request.program.notifiesExecution
    processLimit = request.limits.processes
    limits = Self.limits(request.limits)

    let places = LaunchPlaces(request, hasPrivateRoot: layers.contains(.privateRoot))
    executable = places.bundle + request.executable.dropFirst(request.bundlePath.count)
    arguments = [executable] + request.arguments
    workingDirectory = places.container
    environment = Self.environment(request, places)
    pathRules = places.pathRules(request.files)
    binds = places.binds(request.files)
    links = places.links
    files = places.ownFiles(request.files)
    memoryFolders = places.memoryFolders(request.files)
  }

  private static func check(_ request: LaunchRequest, isRoot: Bool) throws(LaunchError) {
    func refuse(_ layer: SandboxLayer?, _ step: String, _ advice: String) -> LaunchError {
      LaunchError(layer: layer, step: step, errno: nil, advice: advice)
    }
    let paths =
      [request.executable, request.bundlePath]
      + [request.containerPath, request.interpreter, request.sharedContainerPath].compactMap(\.self)
    for path in paths {
      let slash = UInt8(ascii: "/")
      guard path.utf8.first == slash, path.utf8.last != slash,
        !path.utf8.split(separator: slash).contains(where: { $0.elementsEqual("..".utf8) })
      else {
        throw refuse(nil, "\(path) is not a plain absolute path", "Install the keyboard again.")
      }
    }
    guard request.executable.hasPrefix(request.bundlePath + "/") else {
      throw refuse(
        nil, "the executable \(request.executable) is not in the bundle \(request.bundlePath)",
        "Install the keyboard again.")
    }
    if request.containerPath == nil, request.leftOutLayers.contains(.privateRoot) {
      throw refuse(
        .privateRoot,
        "a container that is thrown away is made in the private root, which is left out",
        "Leave out no layer for this keyboard.")
    }
    for (name, _) in request.environment where !LaunchEnvironment.allows(name) {
      throw refuse(
        .environment, "the variable \(name) is not on the allow list",
        "Keyboards get only the variables that Keyhost names.")
    }
    if isRoot {
      switch request.identity {
      case nil where !request.allowWeaker.contains(.identity):
        throw refuse(
          .identity, "as root, a keyboard needs a user id of its own",
          "Install the keyboard again, so that it gets one.")
      case 0?, UInt32.max?:
        throw refuse(
          .identity, "a keyboard cannot have user id \(request.identity ?? 0)",
          "Install the keyboard again, so that it gets one of its own.")
      default: break
      }
    } else if let identity = request.identity, identity != ProcessControl.user {
      throw refuse(
        .identity, "only root can give a keyboard the user id \(identity)",
        "Run the host as the user who installed the keyboard.")
    }
    guard request.program.notifiesExecution || !request.program.notifiesAnything else {
      throw refuse(
        .seccomp, "the filter notifies calls but not execve, so that nobody could listen in time",
        "Notify execve in the policy.")
    }
  }

  private static func limits(_ limits: ResourceLimits) -> [Limit] {
    var result = [
      // The policy says 1 and not 0: a core pattern that is a pipe ignores 0, and a core holds field
      // text.
      Limit(resource: Resource.core.rawValue, value: limits.coreSize),
      Limit(resource: Resource.openFiles.rawValue, value: limits.openFiles),
      Limit(resource: Resource.fileSize.rawValue, value: limits.fileSize),
      Limit(resource: Resource.data.rawValue, value: limits.data),
      Limit(resource: Resource.lockedMemory.rawValue, value: 0),
      Limit(resource: Resource.messageQueues.rawValue, value: 0),
      Limit(resource: Resource.pendingSignals.rawValue, value: 64),
      Limit(resource: Resource.nice.rawValue, value: 0),
      Limit(resource: Resource.realTimePriority.rawValue, value: 0),
    ]
    if let addressSpace = limits.addressSpace {
      result.append(Limit(resource: Resource.addressSpace.rawValue, value: addressSpace))
    }
    return result
  }

  private static func environment(
    _ request: LaunchRequest, _ places: LaunchPlaces
  ) -> [String] {
    var own = [
      ("HOME", places.container), ("TMPDIR", places.temporary),
      ("KEYHOST_BUNDLE", places.bundle), ("KEYHOST_CONTAINER", places.container),
    ]
    if let shared = places.sharedContainer { own.append(("KEYHOST_SHARED_CONTAINER", shared)) }
    let names = Set(own.map(\.0))
    return (own + request.environment.filter { !names.contains($0.0) }).map { "\($0.0)=\($0.1)" }
  }
}

extension LaunchRequest {
  /// Layers that are not tried, by the user's choice or a test's.
  var leftOutLayers: Set<SandboxLayer> {
    allowWeaker.intersection([.privateRoot, .seccomp]).union(omittedLayers)
  }
}

extension BPFProgram {
  /// SECCOMP_RET_USER_NOTIF.
  private static let userNotification: UInt32 = 0x7fc0_0000

  /// Whether any of its answers is a notification.
  var notifiesAnything: Bool {
    // BPF_RET | BPF_K is 0x06.
    instructions.contains { $0.code == 0x06 && $0.k == Self.userNotification }
  }

  /// Whether it notifies the launcher's execve.
  var notifiesExecution: Bool {
    run(on: .nativeExecution) & 0xffff_0000 == Self.userNotification
  }
}
