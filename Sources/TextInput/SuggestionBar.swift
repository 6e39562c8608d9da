/// The suggestions above a keyboard: none to three, distinct, in order.
public struct SuggestionBar: Sendable, Equatable {
  /// The most suggestions that any bar shows.
  public static let most = 3
  /// The longest suggestion, in bytes of UTF-8.
  public static let maximumTextBytes = 256

  /// The most that the bar shows, none to ``most``.
  public var maximum: Int {
    get { limit }
    set {
      limit = min(max(newValue, 0), Self.most)
      trim()
    }
  }
  /// What the bar shows, the oldest first.
  public private(set) var items: [String] = []
  private var limit = SuggestionBar.most

  /// An empty bar.
  public init(maximum: Int = SuggestionBar.most) { self.maximum = maximum }

  /// Shows these and nothing else: the first ones that are distinct and can be shown.
  public mutating func set(_ suggestions: [String]) {
    items = []
    for text in suggestions where items.count < limit && canShow(text) && !items.contains(text) {
      items.append(text)
    }
  }

  /// Adds one; the oldest is pushed out when there is no room. One that is there stays in its place.
  public mutating func add(_ suggestion: String) {
    guard canShow(suggestion), !items.contains(suggestion) else { return }
    items.append(suggestion)
    trim()
  }

  /// Takes one away.
  public mutating func remove(_ suggestion: String) {
    items.removeAll { $0 == suggestion }
  }

  /// Takes all away.
  public mutating func removeAll() { items = [] }

  private mutating func trim() { items.removeFirst(max(items.count - limit, 0)) }

  private func canShow(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Self.maximumTextBytes
      && !text.unicodeScalars.contains(where: \.isControlOrFormatting)
  }
}
