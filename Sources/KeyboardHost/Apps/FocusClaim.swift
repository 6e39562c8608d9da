import AppProtocol

/// An app that waits for the keyboard, and what it did since: in its order.
struct FocusClaim {
  enum Step {
    case focus(AppDocument)
    case input(AppInput, AppDocument, request: Int64)
  }

  unowned let connection: AppConnection
  var steps: [Step]

  /// The document that has the keyboard at the end.
  var document: AppDocument? {
    for step in steps.reversed() {
      if case .focus(let document) = step { return document }
    }
    return nil
  }
}
