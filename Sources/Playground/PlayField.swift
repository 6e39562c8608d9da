import KeyboardHost
import TextInput

/// A field of the playground's make-believe apps.
public struct PlayField: Sendable, Equatable {
  public var document: DocumentID
  public var name: String
  public var app: String
  public var answer: AppAnswer
  public var traits: TextInputTraits
  /// The one with an eye that shows what was typed.
  public var hasEye = false

  /// A field for each kind of answer that the model gives.
  public static let all: [PlayField] = [
    PlayField("comment", "Comment", app: "org.example.notes"),
    PlayField("password", "Password", app: "org.example.notes", hasEye: true) {
      $0.isSecureTextEntry = .known(true)
      $0.autocapitalizationType = .known(.none)
    },
    PlayField("phone", "Phone", app: "org.example.notes") { $0.keyboardType = .known(.phonePad) },
    PlayField("address", "URL", app: "org.example.notes") { $0.keyboardType = .known(.URL) },
    PlayField("transfer", "Bank app", app: "org.example.bank", answer: .deny),
    PlayField("card", "Card", app: "org.example.shop") {
      $0.textContentType = .known(.creditCardNumber)
    },
  ]

  private init(
    _ document: String, _ name: String, app: String, answer: AppAnswer = .notImplemented,
    hasEye: Bool = false, _ change: (inout TextInputTraits) -> Void = { _ in }
  ) {
    self.document = DocumentID(document)
    self.name = name
    self.app = app
    self.answer = answer
    self.hasEye = hasEye
    traits = TextInputTraits()
    change(&traits)
  }

  /// Whether the text is hidden just now.
  public var isHidden: Bool { traits.isSecureTextEntry == .known(true) }
}
