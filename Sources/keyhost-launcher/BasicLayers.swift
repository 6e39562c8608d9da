import LaunchPlanFormat
import LinuxSystem

/// Signals and terminal reset, a session of its own.
enum SessionLayer {
  static func apply() throws(LayerFailure) -> LayerState {
    try attempt("resetting the signals") { () throws(Errno) in try Signals.resetAll() }
    try attempt("beginning a session") { () throws(Errno) in try ProcessControl.beginSession() }
    return .enforced
  }
}

/// Nothing open but what the keyboard needs, and what the launcher needs until the exec.
enum DescriptorLayer {
  /// The launcher's own descriptors end with it, whether this layer is asked for or not: by the
  /// end of the status pipe the host knows that the program has taken over.
  static func closeOwnOnExecution() throws(LayerFailure) {
    for number in [LaunchDescriptors.plan, LaunchDescriptors.status, LaunchDescriptors.host] {
      try attempt("closing descriptor \(number) on exec") { () throws(Errno) in
        try FileDescriptor.setCloseOnExec(number, true)
      }
    }
  }

  static func apply() throws(LayerFailure) -> LayerState {
    do {
      try FileDescriptor.closeRange(LaunchDescriptors.firstForeign)
    } catch {
      guard error == .notImplemented || error == .notPermitted else {
        throw LayerFailure("closing descriptors", error)
      }
      try closeListed()
    }
    return .enforced
  }

  /// Before Linux 5.9: one by one, as /proc lists them.
  private static func closeListed() throws(LayerFailure) {
    let open = try attempt("listing the open descriptors") { () throws(Errno) in
      try FileDescriptor.listOpen()
    }
    for number in open where number >= LaunchDescriptors.firstForeign {
      FileDescriptor.close(number)
    }
  }
}

/// The variables are the plan's alone; the launcher checks once more what the host put into it.
enum EnvironmentLayer {
  static func check(_ environment: [String]) throws(LayerFailure) -> LayerState {
    var seen: Set<Substring> = []
    for entry in environment {
      guard let equals = entry.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw LayerFailure("a variable has no value")
      }
      let name = entry[..<equals]
      guard LaunchEnvironment.allows(String(name)) else {
        throw LayerFailure("the variable \(name) is not on the allow list")
      }
      guard seen.insert(name).inserted else {
        throw LayerFailure("the variable \(name) is given twice")
      }
    }
    return .enforced
  }
}

/// setrlimit(2), soft and hard alike.
enum LimitLayer {
  static func apply(_ plan: LaunchPlan) throws(LayerFailure) -> LayerState {
    for limit in plan.limits {
      guard let resource = Resource(rawValue: limit.resource) else {
        throw LayerFailure("nobody knows resource \(limit.resource)")
      }
      try attempt("setting \(resource.name) to \(limit.value)") { () throws(Errno) in
        try resource.limit(to: limit.value)
      }
    }
    // The kernel counts processes by user and user namespace: without either of its own, the
    // keyboard would be refused for what the user runs elsewhere.
    guard plan.layers.contains(.userNamespace) || plan.identity != nil else {
      return .partly(
        "processes are limited by the filter alone: no user id or namespace of its own")
    }
    return .enforced
  }

  /// To be set once the ids or the namespace are the keyboard's own.
  static func limitProcesses(_ plan: LaunchPlan) throws(LayerFailure) {
    guard plan.layers.contains(.limits) else { return }
    try attempt("setting RLIMIT_NPROC to \(plan.processLimit)") { () throws(Errno) in
      try Resource.processes.limit(to: plan.processLimit)
    }
  }
}

/// As root: the keyboard's own id.
enum IdentityLayer {
  static func apply(_ plan: LaunchPlan) throws(LayerFailure) -> LayerState {
    guard let identity = plan.identity, identity != 0 else {
      throw LayerFailure("the plan gives no user id")
    }
    try LimitLayer.limitProcesses(plan)
    // While there is still the right to do it; root's own ids must give nothing back later.
    try attempt("locking the securebits") { () throws(Errno) in
      try ProcessControl.lockSecureBits()
    }
    try attempt("emptying the bounding set") { () throws(Errno) in
      try Capabilities.clearBounding()
    }
    try attempt("giving up the supplementary groups") { () throws(Errno) in
      try Credentials.dropSupplementaryGroups()
    }
    try attempt("becoming group \(identity)") { () throws(Errno) in
      try Credentials.setGroup(identity)
    }
    try attempt("becoming user \(identity)") { () throws(Errno) in
      try Credentials.setUser(identity)
    }
    guard Credentials.areExactly(user: identity, group: identity, allowGroups: false) else {
      throw LayerFailure("the ids are not all \(identity) after becoming it")
    }
    return .enforced
  }
}

/// No capability is left, and none can come back.
enum CapabilityLayer {
  static func apply() throws(LayerFailure) -> LayerState {
    var reservation: String?
    if !Capabilities.boundingIsEmpty || !ProcessControl.secureBitsAreLocked {
      do {
        try ProcessControl.lockSecureBits()
        try Capabilities.clearBounding()
      } catch {
        guard error == .notPermitted else { throw LayerFailure("emptying the bounding set", error) }
        // An ordinary user without a namespace; no new privileges keeps it from mattering.
        reservation = "bounding set and securebits need CAP_SETPCAP; no new privileges covers them"
      }
    }
    try attempt("emptying the ambient set") { () throws(Errno) in try Capabilities.clearAmbient() }
    try attempt("emptying the capability sets") { () throws(Errno) in try Capabilities.clear() }
    guard Capabilities.areEmpty else { throw LayerFailure("capabilities are left") }
    return reservation.map { .partly($0) } ?? .enforced
  }
}

enum NoNewPrivilegesLayer {
  static func apply() throws(LayerFailure) -> LayerState {
    try attempt("setting no new privileges") { () throws(Errno) in
      try ProcessControl.setNoNewPrivileges()
    }
    guard ProcessControl.hasNoNewPrivileges else {
      throw LayerFailure("no new privileges did not stay set")
    }
    return .enforced
  }
}

/// SIGKILL when the host dies. After the ids: a change of credentials clears it.
enum ParentDeathLayer {
  static func apply() throws(LayerFailure) -> LayerState {
    try attempt("asking for the parent-death signal") { () throws(Errno) in
      try ProcessControl.setParentDeathSignal(Signals.kill)
    }
    // A host that died before that would send nothing. getppid(2) cannot tell: it is 0 inside a
    // process namespace.
    var entries = [PollEntry(LaunchDescriptors.host, .input)]
    let count = try attempt("looking for the host") { () throws(Errno) in
      try poll(&entries, milliseconds: 0)
    }
    guard count == 0 else {
      throw LayerFailure(
        entries[0].returned.contains(.invalid)
          ? "there is no descriptor of the host" : "the host is gone")
    }
    return .enforced
  }
}
