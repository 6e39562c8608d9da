import AppProtocol

/// Which app gets the keyboard, and when.
///
/// A field that keeps keyboards away holds it: another app that wants it waits until that field's app
/// gives it up, or nothing was typed there for a while. Else any program could let keyboards run while
/// something secret is typed, and would learn from being pushed aside when a key is pressed. A window
/// that loses the focus of the window system resigns, so that nobody waits who is meant.
extension AppServer {
  /// For how long a field holds the keyboard behind what was typed there last, in milliseconds.
  static let hold: UInt64 = 5_000

  /// Gives a document the keyboard, now or when it is its turn.
  func claim(_ document: AppDocument) {
    let connection = document.connection
    if let index = claims.firstIndex(where: { $0.connection === connection }) {
      claims[index].steps.append(.focus(document))
    } else if isResponder(connection) || claims.isEmpty && heldUntil == nil {
      setResponder(document)
    } else {
      claims.append(FocusClaim(connection: connection, steps: [.focus(document)]))
    }
  }

  /// Keeps an input for a document that waits for the keyboard.
  /// - Returns: whether it waits.
  func keep(_ input: AppInput, for document: AppDocument, _ request: Int64) -> Bool {
    guard
      let index = claims.firstIndex(where: { $0.connection === document.connection }),
      claims[index].document === document
    else { return false }
    claims[index].steps.append(
      .input(input, document, request: request, bytes: document.connection.lineBytes))
    return true
  }

  /// Gives up waiting: for one document, or for all of an app.
  func withdrawClaim(of connection: AppConnection, for document: AppDocument? = nil) {
    guard let index = claims.firstIndex(where: { $0.connection === connection }) else { return }
    var kept: [FocusClaim.Step] = []
    for step in claims[index].steps {
      switch step {
      case .focus(let wanted):
        if let document, wanted !== document { kept.append(step) }
      case .input(_, let target, let request, _):
        if let document, target !== document {
          kept.append(step)
        } else {
          failUntyped(request, connection)
        }
      }
    }
    if kept.isEmpty { claims.remove(at: index) } else { claims[index].steps = kept }
  }

  /// Until when the keyboard stays where it is, whoever else wants it; nil when it may go.
  var heldUntil: HostTime? {
    guard let responder, driver.core.keepsAway(responder.id) else { return nil }
    let end = typedAt.adding(milliseconds: Self.hold)
    return end > now ? end : nil
  }

  /// Gives the keyboard to those who wait, one behind the other, as if they asked now.
  func grantClaims() {
    while let claim = claims.first, isResponder(claim.connection) || heldUntil == nil {
      claims.removeFirst()
      for step in claim.steps {
        switch step {
        case .focus(let document): if responder !== document { setResponder(document) }
        case .input(let input, let document, let request, _): take(input, document, request)
        }
      }
    }
  }

  func failUntyped(_ request: Int64, _ connection: AppConnection) {
    fail(
      request, .notFirstResponder,
      "the document does not have the keyboard: nothing was typed", connection)
  }
}
