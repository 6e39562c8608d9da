import Glibc

/// What the running kernel says of itself.
public enum KernelSettings {
  /// For example `6.1.0-18-amd64`.
  public static var release: String { text("kernel/osrelease") ?? "unknown" }

  /// A setting under /proc/sys, without its newline; nil if the kernel does not have it.
  public static func text(_ name: String) -> String? { line(of: "/proc/sys/\(name)") }

  /// A setting that is a number.
  public static func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// This process's place in the version 2 hierarchy of control groups, as a folder; nil if there
  /// is no such hierarchy.
  public static var controlGroup: String? {
    guard let bytes = contents(of: "/proc/self/cgroup"),
      let entry = bytes.split(separator: UInt8(ascii: "\n")).first(where: {
        $0.starts(with: "0::".utf8)
      })
    else { return nil }
    // A group's name may be anything, and so is looked for among bytes.
    let place = String(decoding: entry.dropFirst(3), as: UTF8.self)
    for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
      let folder = root + (place == "/" ? "" : place)
      if unsafe access(folder + "/cgroup.controllers", R_OK) == 0 { return folder }
    }
    return nil
  }

  /// The controllers that a control group offers to the groups beneath it.
  public static func controllers(of group: String) -> [String] {
    (line(of: group + "/cgroup.controllers") ?? "").split(separator: " ").map(String.init)
  }

  /// Whether this user may make groups beneath it and move processes there.
  public static func isDelegated(_ group: String) -> Bool {
    unsafe access(group, W_OK) == 0 && access(group + "/cgroup.procs", W_OK) == 0
  }

  private static func line(of path: String) -> String? {
    contents(of: path).map { bytes in
      String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, .read) else { return nil }
    return try? file.read(upTo: 65_536)
  }
}
