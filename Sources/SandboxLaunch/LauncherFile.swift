import LinuxSystem

/// The launcher, opened once: what was checked is what runs.
struct LauncherFile: ~Copyable {
  private let descriptor: FileDescriptor

  /// - Throws: if it is missing, no program, not of root or of this user, or can be changed by
  ///   anybody else.
  init(_ path: String) throws(LaunchError) {
    func refuse(_ step: String, _ errno: Errno? = nil) -> LaunchError {
      LaunchError(
        layer: nil, step: "the launcher \(path) \(step)", errno: errno,
        advice: "Install Keyhost again.")
    }
    guard path.hasPrefix("/") else { throw refuse("is not an absolute path") }
    let opened: FileDescriptor
    do {
      opened = try FileDescriptor.open(path, .pathOnly)
    } catch {
      throw refuse("cannot be opened", error)
    }
    let status: DescriptorStatus
    do { status = try opened.status() } catch { throw refuse("cannot be examined", error) }
    guard status.kind == .regular else { throw refuse("is not a file") }
    guard status.permissions & 0o111 != 0 else { throw refuse("is not executable") }
    guard status.permissions & 0o6000 == 0 else { throw refuse("is set-user-id or set-group-id") }
    guard status.owner == 0 || status.owner == ProcessControl.user else {
      throw refuse("belongs to user \(status.owner), not to root or to you")
    }
    guard status.permissions & 0o002 == 0 else { throw refuse("can be changed by anybody") }
    guard status.permissions & 0o020 == 0 || status.group == 0 else {
      throw refuse("can be changed by group \(status.group)")
    }
    do {
      descriptor = try opened.duplicate(minimum: SandboxedChild.lowestSource)
    } catch {
      throw refuse("cannot be held open", error)
    }
  }

  /// A path that leads to the very file that was checked, whatever now lies at its old path.
  var executablePath: String { "/proc/self/fd/\(descriptor.rawValue)" }
}
