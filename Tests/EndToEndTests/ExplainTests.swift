import StrictJSON
import TestSupport
import Testing

/// `keyhost explain`: every row of the rules, offline.
@Suite("Explain")
struct ExplainTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var field: String
    var eligible: Bool
    /// The code of a reason that must be among those given.
    var reason: String
    /// Whether the keyboard says IsASCIICapable.
    var isASCIICapable = true
    var testDescription: String { field + (isASCIICapable ? "" : " (not ASCII-capable)") }
  }

  static let rows: [Row] = [
    // Keyboard types.
    Row(field: #"{}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"default"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"asciiCapable"}"#, eligible: true, reason: "field-allows"),
    Row(
      field: #"{"keyboardType":"asciiCapable"}"#, eligible: false, reason: "not-ascii-capable",
      isASCIICapable: false),
    Row(
      field: #"{"keyboardType":"numbersAndPunctuation"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"URL"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"numberPad"}"#, eligible: true, reason: "numeric-pad-allows"),
    Row(field: #"{"keyboardType":"phonePad"}"#, eligible: false, reason: "phone-pad"),
    Row(field: #"{"keyboardType":"namePhonePad"}"#, eligible: false, reason: "name-phone-pad"),
    Row(field: #"{"keyboardType":"emailAddress"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"decimalPad"}"#, eligible: true, reason: "numeric-pad-allows"),
    Row(field: #"{"keyboardType":"twitter"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"webSearch"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"keyboardType":"asciiCapableNumberPad"}"#, eligible: true, reason: "app-"),
    Row(
      field: #"{"keyboardType":"asciiCapableNumberPad"}"#, eligible: false,
      reason: "not-ascii-capable", isASCIICapable: false),
    Row(
      field: #"{"keyboardType":"emailAddress"}"#, eligible: true, reason: "field-allows",
      isASCIICapable: false),
    // Secure entry.
    Row(field: #"{"isSecureTextEntry":true}"#, eligible: false, reason: "secure-entry"),
    Row(field: #"{"isSecureTextEntry":false}"#, eligible: true, reason: "field-allows"),
    Row(
      field: #"{"isSecureTextEntry":true,"keyboardType":"numberPad"}"#, eligible: false,
      reason: "secure-entry"),
    // Content types.
    Row(field: #"{"textContentType":"password"}"#, eligible: false, reason: "sensitive-content"),
    Row(field: #"{"textContentType":"newPassword"}"#, eligible: false, reason: "sensitive-content"),
    Row(field: #"{"textContentType":"oneTimeCode"}"#, eligible: false, reason: "sensitive-content"),
    Row(
      field: #"{"textContentType":"creditCardSecurityCode"}"#, eligible: false,
      reason: "sensitive-content"),
    Row(
      field: #"{"textContentType":"creditCardNumber"}"#, eligible: true,
      reason: "incognito-card-number"),
    Row(field: #"{"isPrivate":true}"#, eligible: true, reason: "incognito-private"),
    Row(field: #"{"isTerminal":true}"#, eligible: true, reason: "incognito-terminal"),
    Row(field: #"{"textContentType":"username"}"#, eligible: true, reason: "field-allows"),
    Row(field: #"{"textContentType":"emailAddress"}"#, eligible: true, reason: "field-allows"),
    // What is unknown is refused.
    Row(field: #"{"keyboardType":"hologram"}"#, eligible: false, reason: "unknown-trait-value"),
    Row(field: #"{"textContentType":"dna"}"#, eligible: false, reason: "unknown-trait-value"),
    Row(field: #"{"returnKeyType":"explode"}"#, eligible: false, reason: "unknown-trait-value"),
    Row(field: #"{"isClassified":true}"#, eligible: false, reason: "unknown-trait"),
  ]

  @Test("each field is decided by the rules, with the reason", arguments: rows)
  func field(_ row: Row) throws {
    let home = try Self.home(isASCIICapable: row.isASCIICapable)
    let plain = try home.keyhost("explain", "--field", row.field)
    #expect(plain.end == .exited(row.eligible ? 0 : 1), "\(plain)")
    let firstWord = plain.standardOutput.prefix { $0.isLetter }
    #expect(firstWord == (row.eligible ? "eligible" : "refused"), "\(plain)")

    let json = try home.keyhost("explain", "--json", "--field", row.field)
    #expect(json.end == plain.end, "\(json)")
    _ = try JSONDocument(parsing: json.standardOutputBytes)
    #expect(json.standardOutput.contains("\"\(row.reason)"), "\(json)")
  }

  @Test("every reason is given, not the first alone")
  func everyReason() throws {
    let home = try Self.home()
    let result = try home.keyhost(
      "explain", "--json", "--field",
      #"{"isSecureTextEntry":true,"keyboardType":"phonePad","textContentType":"oneTimeCode"}"#)
    #expect(result.exitCode == 1)
    for code in ["secure-entry", "phone-pad", "sensitive-content-type"] {
      #expect(result.standardOutput.contains("\"\(code)\""), "\(result)")
    }
  }

  @Test("without an enabled keyboard the field is refused")
  func nothingEnabled() throws {
    let home = try TemporaryHome()
    let result = try home.keyhost("explain", "--field", "{}")
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.standardOutput.hasPrefix("refused"), "\(result)")
  }

  @Test(
    "a field that is not JSON, or of wrong types, is an error with its place, not a verdict",
    arguments: [
      "", "{", "[]", "null", "{\"keyboardType\":7}", "{\"isSecureTextEntry\":\"NO\"}",
      "{\"keyboardType\":\"default\",\"keyboardType\":\"URL\"}", "{} trailing", "\u{FEFF}{}",
    ])
  func badField(_ field: String) throws {
    let home = try Self.home()
    let result = try home.keyhost("explain", "--field", field)
    #expect(result.exitCode == 2, "\(result)")
    #expect(!result.standardOutput.hasPrefix("eligible"), "\(result)")
    #expect(!result.standardError.isEmpty)
    expectPlainText(result.standardError)
  }

  /// A home with one enabled keyboard.
  static func home(isASCIICapable: Bool = true) throws -> TemporaryHome {
    let home = try TemporaryHome()
    let app = try FixtureApp(keyboards: [
      FixtureKeyboard(script: BundleTests.script, isASCIICapable: isASCIICapable)
    ]).write(to: home.work)
    let installed = try home.keyhost("apps", "install", app)
    try #require(installed.exitCode == 0, "\(installed)")
    let added = try home.keyhost("keyboards", "add", "org.example.fixture.keyboard")
    try #require(added.exitCode == 0, "\(added)")
    return home
  }
}
