import LaunchPlanFormat
import LinuxSystem

/// A root of its own: an empty file system in memory that shows what the plan names.
struct PrivateRoot {
  private let plan: LaunchPlan
  /// Where it is put together. Every system has it, and what it hides is taken before.
  private static let place = "/tmp"
  private static let attributes: MountTree.Attributes = [.noSetUser, .noDevices]

  init(_ plan: LaunchPlan) { self.plan = plan }

  func enter() throws(LayerFailure) -> LayerState {
    try attempt("making a mount namespace") { () throws(Errno) in
      try Namespaces.mount.unshare()
    }
    try attempt("keeping mounts to this namespace") { () throws(Errno) in
      try Mounts.makePrivate()
    }
    ProcessControl.setFileCreationMask(0)
    try putTogether(plan.binds[...])
    try attempt("making the root read-only") { () throws(Errno) in
      try Mounts.makeReadOnly(Self.place, attributes: Self.attributes)
    }
    try attempt("entering the private root") { () throws(Errno) in
      try ProcessControl.changeDirectory(Self.place)
      try Mounts.pivotToWorkingDirectory()
    }
    return .enforced
  }

  /// Takes each tree before the new root hides it, and puts it in place after: one frame of the
  /// recursion a tree, since such a value has one owner.
  private func putTogether(_ binds: ArraySlice<LaunchPlan.Bind>) throws(LayerFailure) {
    guard let bind = binds.first else { return try makeRoot() }
    guard let tree = try take(bind) else { return try putTogether(binds.dropFirst()) }
    let kind = try attempt("examining \(bind.source)") { () throws(Errno) in
      try tree.status().kind
    }
    try attempt("restricting \(bind.source) in the private root") { () throws(Errno) in
      try tree.set(Self.attributes(bind, kind))
    }
    try putTogether(binds.dropFirst())
    try attempt("showing \(bind.source) as \(bind.target)") { () throws(Errno) in
      let target = Self.place + bind.target
      try Self.makeParents(of: bind.target)
      if kind == .directory {
        try Mounts.makeDirectory(target, permissions: 0o755)
      } else {
        _ = try FileDescriptor.open(target, [.write, .create], permissions: 0o444)
      }
      try tree.attach(to: target)
    }
  }

  /// Nil for a source that is not there and need not be.
  private func take(_ bind: LaunchPlan.Bind) throws(LayerFailure) -> MountTree? {
    do {
      return try MountTree(copying: bind.source)
    } catch {
      if !bind.isRequired, error == .noSuchFile || error == .notDirectory { return nil }
      throw LayerFailure("taking \(bind.source) for the private root", error)
    }
  }

  private static func attributes(
    _ bind: LaunchPlan.Bind, _ kind: DescriptorStatus.Kind
  ) -> MountTree.Attributes {
    var attributes: MountTree.Attributes = [.noSetUser]
    if !bind.isWritable { attributes.insert(.readOnly) }
    if !bind.isExecutable { attributes.insert(.noExecution) }
    // The three devices are the only things shown that are neither file nor folder.
    if kind != .other { attributes.insert(.noDevices) }
    return attributes
  }

  private func makeRoot() throws(LayerFailure) {
    try attempt("making the root's file system") { () throws(Errno) in
      try Mounts.memory(
        at: Self.place, options: "size=1m,nr_inodes=1k,mode=0755", attributes: Self.attributes)
    }
    for folder in plan.memoryFolders {
      try attempt("making the private folder \(folder.path) in memory") { () throws(Errno) in
        try Self.makeParents(of: folder.path)
        try Mounts.makeDirectory(Self.place + folder.path, permissions: 0o755)
        let owner = plan.identity.map { ",uid=\($0),gid=\($0)" } ?? ""
        // The folder itself is an inode too; 0 would stand for no limit.
        try Mounts.memory(
          at: Self.place + folder.path,
          options: "size=\(max(folder.size, 1)),nr_inodes=\(folder.entries + 1),mode=0700\(owner)",
          attributes: Self.attributes.union(.noExecution))
      }
    }
    for file in plan.files {
      try attempt("writing \(file.path) of the private root") { () throws(Errno) in
        try Self.makeParents(of: file.path)
        let bytes = Array(file.contents.utf8)
        let made = try FileDescriptor.open(
          Self.place + file.path, [.write, .create, .exclusive], permissions: 0o444)
        guard try made.write(bytes[...]) == bytes.count else { throw .ioError }
      }
    }
    for link in plan.links {
      try attempt("making the link \(link.path)") { () throws(Errno) in
        try Self.makeParents(of: link.path)
        try Mounts.makeLink(Self.place + link.path, to: link.destination)
      }
    }
  }

  private static func makeParents(of path: String) throws(Errno) {
    var made = place
    for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
      made += "/\(Substring(part))"
      try Mounts.makeDirectory(made, permissions: 0o755)
    }
  }
}
