import AppProtocol
import TextInput

/// Phrases of the app's own above the keyboard, as an accessory view of the field: shown while it is
/// empty and there are any, without corrections meanwhile.
extension TextInputClient {
  /// The phrases to show now; none once something is typed.
  public var shownPhrases: [String] { text.isEmpty ? phrases.items : [] }

  /// The user picked a phrase: it is appended, with a space, and the view goes.
  public func pick(_ phrase: String) throws(KeyboardClientError) {
    let end = text.unicodeScalars.count
    try replace(end..<end, with: phrase + " ")
  }

  /// Whether the host corrects: it does not while phrases show.
  public var effectiveAutocorrection: Trait<AutocorrectionType> {
    effectiveTraits.autocorrectionType
  }

  /// The traits as the host has them.
  var effectiveTraits: TextInputTraits {
    var effective = traits
    if !shownPhrases.isEmpty { effective.autocorrectionType = .known(.no) }
    return effective
  }

  /// The views as the host has them.
  var effectiveViews: InputViews {
    var effective = inputViews
    if !shownPhrases.isEmpty { effective.inputAccessoryViewHeight += phrasesHeight }
    return effective
  }

  /// Tells the host when the phrases come or go, and the app whenever they are others.
  func followPhrases() {
    let shown = shownPhrases
    guard !isEnding, shown != toldPhrases else { return }
    let isOther = shown.isEmpty != toldPhrases.isEmpty
    toldPhrases = shown
    if isOther {
      // When the connection has ended, the next call says so.
      try? client.request(.setTraits(name, effectiveTraits))
      try? client.request(.reloadInputViews(name, effectiveViews))
    }
    onPhrases(self)
  }
}
