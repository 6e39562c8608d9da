import AppProtocol
import TextInput

/// A document of a connected app: what the app knows of it.
final class AppDocument {
  let id: DocumentID
  /// The app's name for it.
  let name: String
  unowned let connection: AppConnection
  var views: InputViews
  /// The text as the app was told, or told it.
  var told: TextDocument
  /// Effects that came while the app's own edit was being made, which it has to know first.
  var held: [CoreEffect]?
  /// Whether the core refused the edit.
  var isRefused = false

  init(
    id: DocumentID, name: String, connection: AppConnection, views: InputViews, told: TextDocument
  ) {
    self.id = id
    self.name = name
    self.connection = connection
    self.views = views
    self.told = told
  }
}
