/// Which keyboard the user picked last for a use of a field, such as a conversation, so that the next
/// field for the same begins with it. In memory alone, and bounded.
struct RememberedKeyboards {
  /// A use of a field: the app names it.
  struct Context: Hashable {
    var app: String?
    var name: String
  }

  /// More uses than that are forgotten, the one that was not picked for the longest first.
  static let maximum = 1_024

  private var keyboards: [Context: (keyboard: String, order: UInt64)] = [:]
  private var lastOrder: UInt64 = 0

  subscript(context: Context) -> String? { keyboards[context]?.keyboard }

  mutating func note(_ keyboard: String, for context: Context) {
    lastOrder += 1
    keyboards[context] = (keyboard, lastOrder)
    guard keyboards.count > Self.maximum else { return }
    if let oldest = keyboards.min(by: { $0.value.order < $1.value.order })?.key {
      keyboards[oldest] = nil
    }
  }
}
