import NetworkBroker

/// Questions for names are read strictly and answered in kind; no notation and no form of a
/// private address is ever allowed.
func checkNetwork(_ bytes: [UInt8]) throws(FuzzFinding) {
  try checkQuery(bytes)
  try checkFraming(bytes)
  try checkAddress(bytes)
}

private func checkQuery(_ bytes: [UInt8]) throws(FuzzFinding) {
  let query: NameQuery
  do throws(NameQuery.Fault) { query = try NameQuery(parsing: bytes) } catch {
    guard let reply = NameReply.refusal(error) else {
      try demand(bytes.count < 2, "a question with a number gets no answer")
      return
    }
    try demand(
      reply.count == 12 && reply[..<2] == bytes[..<2] && reply[3] & 0x0F != 0,
      "the answer to a question that is refused is none")
    return
  }
  try demand(bytes.count <= NameQuery.maximumSize, "a question was read that is too long")
  let labels = query.name.split(separator: ".", omittingEmptySubsequences: false)
  try demand(query.name.utf8.count <= 253, "a name was read that is too long")
  for label in labels {
    try demand(
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }, "a name was read that no host can have")
  }
  try demand(InternetAddress(query.name) == nil, "an address was read as a name")
  let question = Array(bytes[12..<min(12 + query.name.utf8.count + 6, bytes.count)])
  let address = InternetAddress(
    bytes: Array(repeating: 8, count: query.kind == .aaaa ? 16 : 4))
  let answers = (0..<40).compactMap { _ in address }
  for (reply, code) in [
    (NameReply.addresses(answers, to: query), UInt8(0)), (NameReply.addresses([], to: query), 0),
    (NameReply.noSuchName(to: query), 3), (NameReply.failure(to: query), 2),
  ] {
    try demand(reply[..<2] == bytes[..<2], "an answer has another number than the question")
    try demand(reply[2] & 0x80 != 0 && reply[3] & 0x0F == code, "an answer has a wrong header")
    try demand(reply[12..<12 + question.count].elementsEqual(question), "the question changed")
    try demand(reply.count <= 65_535, "an answer does not fit its length")
  }
}

private func checkFraming(_ bytes: [UInt8]) throws(FuzzFinding) {
  func read(_ pieces: [[UInt8]]) -> (messages: [[UInt8]], isOverrun: Bool) {
    var framer = NameFramer()
    var messages: [[UInt8]] = []
    do throws(NameFramer.Overrun) {
      for piece in pieces {
        framer.append(piece)
        while let message = try framer.next() { messages.append(message) }
      }
      return (messages, false)
    } catch { return (messages, true) }
  }
  let whole = read([bytes])
  let cut = read(bytes.pieces(seed: bytes.last ?? 0))
  try demand(
    whole.messages == cut.messages && whole.isOverrun == cut.isOverrun,
    "the messages depend on how the stream was cut")
  let stream = whole.messages.flatMap { NameFramer.frame($0) }
  try demand(bytes.starts(with: stream), "the messages are not those of the stream")
}

private func checkAddress(_ bytes: [UInt8]) throws(FuzzFinding) {
  var found: [SocketAddress] = []
  if let address = try? SocketAddress(decoding: bytes) {
    try demand(
      (try? SocketAddress(decoding: address.bytes)) == address, "an address changes when written")
    found.append(address)
  }
  if let text = String(validating: bytes, as: UTF8.self), let address = SocketAddress(text) {
    found.append(address)
  }
  // An address of 4 or 16 bytes in every form that could hide it.
  if bytes.count >= 6, let four = InternetAddress(bytes: Array(bytes[..<4])) {
    let port = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
    found.append(SocketAddress(four, port: port))
    for (prefix, place) in [
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 12), ([0, 0x64, 0xFF, 0x9B], 12),
      ([0x20, 0x02], 2), ([UInt8](), 12),
    ] as [([UInt8], Int)] {
      var sixteen = prefix + [UInt8](repeating: 0, count: 16 - prefix.count)
      sixteen.replaceSubrange(place..<place + 4, with: four.bytes)
      guard let six = InternetAddress(bytes: sixteen) else { continue }
      let target = SocketAddress(six, port: port)
      found.append(target)
      if isLocal(four.bytes) {
        try demand(
          AddressRule().judge(target, own: []) != .allowed,
          "\(target) is allowed, which is \(four) in another form")
      }
    }
  }
  for target in found {
    if let again = SocketAddress(target.description) {
      try demand(again == target, "\(target) is written as \(again)")
    } else {
      try demand(target.port == 0, "\(target) is not read")
    }
    let verdict = AddressRule().judge(target, own: [])
    if verdict == .allowed {
      try demand(target.port != 0, "port 0 is allowed")
      try demand(!isLocal(target.address.mappedOrSelf.bytes), "\(target) is allowed")
      let own: Set = [target.address, target.address.mappedOrSelf]
      try demand(
        AddressRule(exceptions: [target]).judge(target, own: own) != .allowed,
        "an address of this machine is allowed")
    }
    try demand(
      !(AddressRule().reaches(target.address, own: []) && target.port != 0) || verdict == .allowed,
      "an address is found by name that cannot be connected to")
  }
}

/// Private, loopback, link-local, multicast and reserved addresses, written down apart from the
/// rule that is checked.
private func isLocal(_ bytes: [UInt8]) -> Bool {
  if bytes.count == 4 {
    return switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (224..., _), (169, 254), (192, 168), (172, 16...31),
      (100, 64...127):
      true
    default: false
    }
  }
  let isNearZero = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
  return isNearZero || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFF
    || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
}
