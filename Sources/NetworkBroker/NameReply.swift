/// What is sent back for a question.
public enum NameReply {
  /// The most addresses in one reply.
  public static let maximumAddresses = 32

  /// The addresses of the question's kind; none is an answer too. They may not be kept (TTL 0):
  /// what may be connected to can change at any moment.
  public static func addresses(_ addresses: [InternetAddress], to query: NameQuery) -> [UInt8] {
    let fitting = addresses.filter { $0.isIPv6 == (query.kind == .aaaa) }
      .prefix(maximumAddresses)
    var bytes = header(query.identifier, code: 0, questions: 1, answers: fitting.count)
    bytes += query.question
    for address in fitting {
      // The name is the question's, which begins at byte 12.
      bytes += [0xc0, 0x0c, 0, UInt8(query.kind.rawValue), 0, 1, 0, 0, 0, 0]
      bytes += [0, UInt8(address.bytes.count)] + address.bytes
    }
    return bytes
  }

  /// There is no such name.
  public static func noSuchName(to query: NameQuery) -> [UInt8] {
    header(query.identifier, code: 3, questions: 1, answers: 0) + query.question
  }

  /// It could not be found out.
  public static func failure(to query: NameQuery) -> [UInt8] {
    header(query.identifier, code: 2, questions: 1, answers: 0) + query.question
  }

  /// For a question that could not be read, or is not served; nil when not even its number is
  /// known.
  public static func refusal(_ fault: NameQuery.Fault) -> [UInt8]? {
    fault.identifier.map {
      header($0, code: fault.refusal.rawValue, questions: 0, answers: 0)
    }
  }

  private static func header(
    _ identifier: UInt16, code: UInt8, questions: UInt8, answers: Int
  ) -> [UInt8] {
    // QR and RD, then RA with the code.
    [
      UInt8(identifier >> 8), UInt8(identifier & 0xff), 0x81, 0x80 | code, 0, questions, 0,
      UInt8(answers), 0, 0, 0, 0,
    ]
  }
}
