import LaunchPlanFormat
import LinuxSystem

/// The namespaces that a process can enter by itself.
enum NamespaceLayers {
  /// For a host that is not root: the right to make the other namespaces, and in there no id but
  /// the user's own, which is not 0.
  static func enterUserNamespace(_ plan: LaunchPlan) throws(LayerFailure) -> LayerState {
    let user = ProcessControl.user
    let group = ProcessControl.group
    guard user != 0 else { throw LayerFailure("root needs no user namespace") }
    // /proc/self/uid_map belongs to root as long as the process is not dumpable.
    try attempt("making the launcher's own files its own") { () throws(Errno) in
      try ProcessControl.setDumpable(true)
    }
    try attempt("making a user namespace") { () throws(Errno) in
      try Namespaces.user.unshare()
    }
    try attempt("mapping user \(user) into the user namespace") { () throws(Errno) in
      try Namespaces.mapOneself(user: user, group: group)
    }
    // In here the kernel counts this keyboard's processes alone.
    try LimitLayer.limitProcesses(plan)
    return .enforced
  }

  /// One with nothing in it but a loopback interface that is down.
  static func enterNetworkNamespace() throws(LayerFailure) -> LayerState {
    try attempt("making a network namespace") { () throws(Errno) in
      try Namespaces.network.unshare()
    }
    return .enforced
  }

  /// Nobody else to see or to signal, and none of the system's shared memory, message queues and
  /// names. The namespace begins with the next child, so the launcher goes on in one, which is the
  /// host's child as the launcher is.
  ///
  /// - Returns: the state, and where the first launcher says that the host knows its successor.
  static func enterProcessNamespace() throws(LayerFailure) -> (LayerState, announcement: Int32) {
    try attempt("making namespaces for shared memory and names") { () throws(Errno) in
      let namespaces: Namespaces = [.interprocess, .hostName, .controlGroup]
      try namespaces.unshare()
      try Namespaces.setHostName("keyhost")
    }
    let pipe = try attempt("making a pipe") { () throws(Errno) in try Pipe() }
    let process = try attempt("making a process namespace") { () throws(Errno) in
      try ProcessControl.clone(.process, isSibling: true)
    }
    if process != 0 { handOver(to: process, pipe.writeEnd) }
    return try goOn(isFirst: process != 0, pipe.closeWriteEnd().release())
  }

  /// The first launcher's last deed: it tells the host who goes on, then lets it go on.
  private static func handOver(to process: Int32, _ pipe: borrowing FileDescriptor) {
    let message = LaunchStatus.process(process).encoded()
    let told = try? FileDescriptor.write(message[...], to: LaunchDescriptors.status)
    if told == message.count { _ = try? pipe.write([1]) }
  }

  /// The launcher that the host started ends here; the other is the first process of the namespace.
  private static func goOn(
    isFirst: Bool, _ reader: Int32
  ) throws(LayerFailure) -> (LayerState, announcement: Int32) {
    if isFirst { ProcessControl.exit(0) }
    try attempt("beginning a session") { () throws(Errno) in try ProcessControl.beginSession() }
    return (.enforced, reader)
  }

  /// Waits until the host knows this process, since nobody would look after it otherwise. It comes
  /// last, so that the two launchers work at the same time until then.
  static func awaitAnnouncement(_ reader: Int32) throws(LayerFailure) {
    let word = try attempt("waiting for the first launcher") { () throws(Errno) in
      try FileDescriptor.read(from: reader, upTo: 1)
    }
    guard word == [1] else { throw LayerFailure("the first launcher ended early") }
    FileDescriptor.close(reader)
  }
}
