import AppProtocol

/// An app that waits for the keyboard, and what it did since: in its order.
struct FocusClaim {
  enum Step {
    case focus(AppDocument)
    /// `bytes` are those of the line.
    case input(AppInput, AppDocument, request: Int64, bytes: Int)
  }

  /// Beyond so many bytes of inputs its app is not read from. They take some more in memory, of as many apps as
  /// are connected.
  static let maximumBytes = 65_536

  unowned let connection: AppConnection
  var steps: [Step]

  var isFull: Bool {
    var bytes = 0
    for case .input(_, _, _, let more) in steps { bytes += more }
    return bytes >= Self.maximumBytes
  }

  /// The document that has the keyboard at the end.
  var document: AppDocument? {
    for step in steps.reversed() {
      if case .focus(let document) = step { return document }
    }
    return nil
  }
}
