/// Decides where a keyboard with open access may connect to: addresses that the Internet at large
/// reaches, and what the user listed. Pure: the machine's own addresses are given to it.
public struct AddressRule: Sendable, Equatable {
  public enum Verdict: Sendable, Equatable {
    case allowed
    /// The reason, in words for people and the log.
    case refused(String)
  }

  /// What the user listed, each exactly as it stands; see ``faultOfException(_:)``.
  public var exceptions: Set<SocketAddress>

  public init(exceptions: Set<SocketAddress> = []) { self.exceptions = exceptions }

  /// - Parameter own: the addresses of this machine, at this moment.
  public func judge(_ target: SocketAddress, own: Set<InternetAddress>) -> Verdict {
    guard target.port != 0 else { return .refused("port 0") }
    if let fault = Self.faultOfAny(target.address, own: own) { return .refused(fault) }
    if lists(target) { return .allowed }
    return Self.globalFault(target.address).map { .refused($0) } ?? .allowed
  }

  /// Whether the user listed it, also in its IPv4-mapped form.
  public func lists(_ target: SocketAddress) -> Bool {
    exceptions.contains(
      SocketAddress(target.address.mapped ?? target.address, port: target.port))
  }

  /// Whether the user listed some port of an address.
  public func lists(_ address: InternetAddress) -> Bool {
    let plain = address.mapped ?? address
    return exceptions.contains { $0.address == plain }
  }

  /// Whether some port of an address may be connected to: what a name may resolve to.
  public func reaches(_ address: InternetAddress, own: Set<InternetAddress>) -> Bool {
    if Self.faultOfAny(address, own: own) != nil { return false }
    return lists(address) || Self.globalFault(address) == nil
  }

  /// Why an address and port cannot be opened by the user; nil if they can. This machine's own
  /// services stay closed whatever is listed, its sound server among them: no keyboard reaches a
  /// microphone.
  /// - Parameter own: the addresses of this machine, where a choice is made. None are given where
  ///   an earlier choice is read: the machine may have got an address since, which then is refused
  ///   at each connect.
  public static func faultOfException(
    _ listed: SocketAddress, own: Set<InternetAddress> = []
  ) -> String? {
    if listed.address.mapped != nil { return "write the IPv4 address itself" }
    if let fault = faultOfAny(listed.address, own: own) { return fault }
    if listed.address.begins(with: linkLocal, length: 10) {
      return "an address of one link only (fe80::/10) cannot be listed"
    }
    return nil
  }

  /// What no list opens: this machine, nobody in particular, and everybody at once.
  private static func faultOfAny(
    _ address: InternetAddress, own: Set<InternetAddress>
  ) -> String? {
    for (form, part) in parts(of: address) {
      let inside = form.map { "\($0) form of \(part), " } ?? ""
      if own.contains(part) { return inside + "an address of this machine" }
      let block = SpecialPurposeRegistry.block(of: part)
      if closedBlocks.contains(block.name) {
        return inside + "\(block.name) (\(block.prefix)/\(block.length))"
      }
    }
    return nil
  }

  private static func globalFault(_ address: InternetAddress) -> String? {
    let isMapped = address.mapped != nil
    for (form, part) in parts(of: address) where !(isMapped && form == nil) {
      let block = SpecialPurposeRegistry.block(of: part)
      guard block.reachability != .global else { continue }
      let inside = form.map { "\($0) form of \(part), " } ?? ""
      return inside + "not globally reachable: \(block.name) (\(block.prefix)/\(block.length))"
    }
    return nil
  }

  /// The parts first, since they say more.
  private static func parts(
    of address: InternetAddress
  ) -> [(form: String?, address: InternetAddress)] {
    address.embedded.map { ($0.form, $0.address) } + [(nil, address)]
  }

  private static let linkLocal = InternetAddress("fe80::")!
  private static let closedBlocks: Set<String> = [
    "\"This network\"", "\"This host on this network\"", "Loopback", "Loopback Address",
    "Unspecified Address", "Multicast", "Reserved", "Limited Broadcast",
  ]
}
