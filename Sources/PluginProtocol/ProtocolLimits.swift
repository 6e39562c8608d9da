import TextInput

/// The bounds of the protocol's messages. A message beyond one of them is an error.
public enum ProtocolLimits {
  /// The longest line, in bytes, without its line feed.
  public static let lineBytes = 65_536
  /// The most edits in a transaction, each deletion counted.
  public static let edits = 4096
  /// The furthest that one edit moves the cursor, in grapheme clusters.
  public static let offset: Int64 = 1 << 20
  /// The most actions in a transaction.
  public static let actions = 4
  /// The most suggestions.
  public static let suggestions = SuggestionBar.most
  /// The longest suggestion, in bytes.
  public static let suggestionBytes = SuggestionBar.maximumTextBytes
  /// The longest name or identifier, in bytes.
  public static let nameBytes = 255
  /// The longest value of a trait, in bytes.
  public static let traitBytes = 64
  /// The most steps of one swipe.
  public static let swipeSteps: Int64 = 1000
  /// The longest text of one key of a hardware keyboard, in bytes.
  public static let hardwareKeyBytes = 256
  /// The most points in one stroke; more are left out when the host sends one.
  public static let strokePoints = 1000
  /// The furthest coordinate and the longest time of a stroke.
  public static let strokeExtent = 1_000_000.0
  /// The most bytes that a keyboard's settings take in a message; settings beyond are left out.
  public static let settingsBytes = 32_768
  /// The most bytes that the lexicon takes in a message; entries beyond are left out.
  public static let lexiconBytes = 60_000
  /// The most contacts in a message; the next request gets more.
  public static let contacts = 256
  /// The most bytes that contacts take in a message.
  public static let contactsBytes = 60_000
  /// The most phone numbers, and the most e-mail addresses, of one contact; each text of a contact has
  /// at most ``nameBytes``.
  public static let contactValues = 8
  /// The least accuracy of a location, in metres: half the way around the Earth.
  public static let accuracy = 20_040_000.0
  /// The last time of a location, in seconds since 1970: the end of the year 9999.
  public static let timestamp = 253_402_300_799.0
  /// The longest message of an error, in bytes.
  public static let errorBytes = 512
  /// The greatest id of a request: the greatest integer that every JSON library keeps exact.
  public static let maximumIdentifier: Int64 = (1 << 53) - 1
}
