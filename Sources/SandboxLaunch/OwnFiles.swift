import SandboxPolicy

/// Files of the private root that are not this machine's: how names are found with open access. The
/// machine's own would tell a keyboard about its network, and name servers that it cannot reach.
enum OwnFiles {
  /// Nil for a place that is shown as it is on this machine.
  static func contents(of place: FileRule.Place) -> String? {
    guard case .path(let path) = place else { return nil }
    return switch path {
    case "/etc/resolv.conf":
      // By TCP, since a keyboard has no other sockets; the host answers in the server's place.
      "nameserver \(NameServer.address)\noptions use-vc\n"
    case "/etc/nsswitch.conf": "hosts: files dns\n"
    case "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n"
    default: nil
    }
  }
}

/// The name server that keyboards with open access are told of. There is none: the host answers
/// what is sent to it.
public enum NameServer {
  /// Of a block for documentation (RFC 5737), which no network has.
  public static let address = "192.0.2.53"
  public static let port: UInt16 = 53
}
