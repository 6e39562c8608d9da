import Glibc

/// Waits for any of `entries`, for at most `milliseconds` (negative: without end).
///
/// - Returns: how many have something to tell; 0 after the time, or after a signal.
public func poll(_ entries: inout [PollEntry], milliseconds: Int32) throws(Errno) -> Int {
  var descriptors = entries.map {
    pollfd(fd: $0.descriptor, events: $0.requested.rawValue, revents: 0)
  }
  let found = unsafe Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  if found < 0 {
    if errno == EINTR { return 0 }
    throw Errno(rawValue: errno)
  }
  for index in entries.indices {
    entries[index].returned = PollEvents(rawValue: descriptors[index].revents)
  }
  return Int(found)
}
