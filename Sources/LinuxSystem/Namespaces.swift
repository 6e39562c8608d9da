import CLinux

/// CLONE_NEW*: what of the system a process sees for itself alone.
public struct Namespaces: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// CLONE_NEWNS.
  public static let mount = Namespaces(rawValue: 0x0002_0000)
  /// CLONE_NEWCGROUP.
  public static let controlGroup = Namespaces(rawValue: 0x0200_0000)
  /// CLONE_NEWUTS: host and domain name.
  public static let hostName = Namespaces(rawValue: 0x0400_0000)
  /// CLONE_NEWIPC.
  public static let interprocess = Namespaces(rawValue: 0x0800_0000)
  /// CLONE_NEWUSER.
  public static let user = Namespaces(rawValue: 0x1000_0000)
  /// CLONE_NEWPID: begins with the next child.
  public static let process = Namespaces(rawValue: 0x2000_0000)
  /// CLONE_NEWNET.
  public static let network = Namespaces(rawValue: 0x4000_0000)

  /// unshare(2).
  public func unshare() throws(Errno) { _ = try Errno.check(clinux_unshare(rawValue)) }

  /// Maps this process's user and group, and nobody else, to themselves in its new user namespace.
  /// user_namespaces(7): groups can be mapped by an ordinary user only after setgroups(2) is given
  /// up for good.
  public static func mapOneself(user: UInt32, group: UInt32) throws(Errno) {
    try write("deny", to: "/proc/self/setgroups")
    try write("\(user) \(user) 1", to: "/proc/self/uid_map")
    try write("\(group) \(group) 1", to: "/proc/self/gid_map")
  }

  /// sethostname(2), in a host name namespace of one's own.
  public static func setHostName(_ name: String) throws(Errno) {
    _ = try Errno.check(unsafe clinux_sethostname(name))
  }

  private static func write(_ text: String, to path: String) throws(Errno) {
    let file = try FileDescriptor.open(path, .write)
    _ = try file.write(Array(text.utf8)[...])
  }
}
