/// The keyboard that is chosen for a document, and whether it may serve it. Every key asks for that many
/// times, and it changes seldom.
final class KeyboardChoice {
  /// Nil is the system keyboard.
  let keyboard: KeyboardEntry?
  let decision: Decision
  let isEligible: Bool
  let isIncognito: Bool

  init(keyboard: KeyboardEntry?, decision: Decision) {
    self.keyboard = keyboard
    self.decision = decision
    isEligible = decision.isEligible
    isIncognito = decision.isIncognito
  }
}
