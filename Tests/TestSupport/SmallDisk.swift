import Glibc

/// Runs shell scripts in a mount namespace of their own, in which they may mount small disks in
/// memory and fill them.
public struct SmallDisk: Sendable {
  private let program: Program
  private let options: [String]

  /// Nil where this user may not mount anything: then it is not testable here.
  public init?(environment: [String: String]) {
    // An ordinary user keeps its id, and gets the right to mount in a user namespace.
    options =
      Products.isRoot ? ["--mount"] : ["--mount", "--map-current-user", "--keep-caps"]
    program = Program("/usr/bin/unshare", environment: environment)
    let mounting = try? program.run(options + ["/bin/mount", "-t", "tmpfs", "none", "/tmp"])
    guard mounting?.exitCode == 0 else { return nil }
  }

  /// Whether this user may mount disks.
  public static var isAvailable: Bool {
    SmallDisk(environment: Program.plainEnvironment) != nil
  }

  /// Whether keyboards are started there: where an ordinary user mounts, everybody
  /// else is nobody, root too, and a launcher of nobody's is not trusted.
  public static var startsKeyboards: Bool {
    guard isAvailable else { return false }
    var launcher = stat()
    return Products.isRoot
      || stat(Products.launcher, &launcher) == 0 && launcher.st_uid == geteuid()
  }

  /// Functions for a script: `disk FOLDER SIZE` puts a disk under a folder, with what is in it;
  /// `fill FOLDER` fills it to the last block; `pad FILE` makes an audit log end with its block, so
  /// that the next line needs another.
  private static let functions = #"""
    set -eu
    disk() {
      mkdir -p "$1"
      local kept=$HOME/work/kept-$RANDOM
      cp -a "$1" "$kept"
      mount -t tmpfs -o "size=$2,mode=$(stat -c %a "$1")" none "$1"
      cp -a "$kept/." "$1/"
    }
    pad() {
      local line='{"time":"2026-01-31T12:00:00.000Z","event":"repair","filler":"' size need
      size=$(stat -c %s "$1")
      need=$((8192 - size % 4096 - ${#line} - 3))
      printf '%s%*s"}\n' "$line" "$need" "" >>"$1"
    }
    fill() {
      for part in 64k 1k 1; do
        dd if=/dev/zero bs=$part >>"$1/filling" 2>/dev/null || true
      done
    }

    """#

  /// Runs a script; its arguments are `$1` and so on.
  public func run(_ script: String, _ arguments: String...) throws -> ProgramResult {
    try program.run(options + ["/bin/bash", "-c", Self.functions + script, "-"] + arguments)
  }
}
