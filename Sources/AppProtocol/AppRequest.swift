import TextInput

/// What an app asks of the host. Offsets and ranges are in Unicode scalars of the whole text.
public enum AppRequest: Sendable, Equatable {
  /// The first request.
  case initialize(AppIntroduction)
  /// A field comes to be. Its name is the app's choice.
  case openDocument(String, DocumentDescription)
  case closeDocument(String)
  /// The field gets the keyboard.
  case becomeFirstResponder(String)
  /// None of the app's fields has the keyboard any more.
  case resignFirstResponder
  /// All traits of a field anew: what is left out is absent.
  case setTraits(String, TextInputTraits)
  case reloadInputViews(String, InputViews)
  /// The app changed the text itself, in the text of `baseRevision`. Without a selection the cursor
  /// stands behind the new text.
  case replaceText(
    String, baseRevision: UInt64, range: Range<Int>, text: String, selection: Range<Int>?)
  /// The app or the user moved the cursor, in the text of `baseRevision`.
  case select(String, baseRevision: UInt64, selection: Range<Int>)
  /// The user did something with the keyboard that is shown.
  case event(String, AppInput)
  /// A key of the app's own input view was pressed: may it be heard?
  case playInputClick(String)
  case setScreen(Screen)
  /// The globe's long press.
  case listKeyboards(String)
}
