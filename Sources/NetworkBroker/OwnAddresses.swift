import Glibc
import LinuxSystem

/// The addresses of this machine, in the network namespace of this process.
public enum OwnAddresses {
  /// Every address of every interface, up or down (`getifaddrs(3)`), as it is now.
  public static func current() throws(Errno) -> Set<InternetAddress> {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { throw Errno(rawValue: errno) }
    defer { unsafe freeifaddrs(first) }
    var found: Set<InternetAddress> = []
    var next = unsafe first
    while let entry = unsafe next {
      unsafe next = unsafe entry.pointee.ifa_next
      guard let address = unsafe entry.pointee.ifa_addr else { continue }
      let (offset, count) =
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET: (4, 4)
        case AF_INET6: (8, 16)
        default: (0, 0)
        }
      guard count > 0 else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(address).advanced(by: offset), count: count)
      found.insert(InternetAddress(unsafe Array(bytes)))
    }
    return found
  }
}
