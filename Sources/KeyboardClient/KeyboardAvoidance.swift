import AppProtocol

/// Keeps the active field in sight: shrinks the visible area of a scrolled view by what the keyboard
/// covers of it, scrolls the field into the rest, once, and back when the keyboard hides.
///
/// Pure geometry, in points. The view that scrolls is a rectangle of the screen; its content is
/// moved up by the offset.
public struct KeyboardAvoidance: Sendable, Equatable {
  /// Where the view that scrolls is on the screen.
  public var viewport: Frame
  /// The height of all that can be scrolled.
  public var contentHeight: Int
  /// How far the content is scrolled: its part above the viewport's top.
  public private(set) var offset: Int
  /// How much of the viewport's height the keyboard covers.
  public private(set) var bottomInset = 0
  /// Where the content was before the keyboard came; nil while it does not show, or when the user
  /// scrolled since.
  private var offsetBefore: Int?

  public init(viewport: Frame, contentHeight: Int, offset: Int = 0) {
    self.viewport = viewport
    self.contentHeight = contentHeight
    self.offset = offset
  }

  /// The height of what can be seen.
  public var visibleHeight: Int { viewport.height - bottomInset }

  /// The greatest offset: further there is nothing to see.
  public var maximumOffset: Int { max(0, contentHeight - visibleHeight) }

  /// The keyboard shows, or changes its frame.
  /// - Parameters:
  ///   - keyboard: its frame on the screen.
  ///   - field: the active field, in the content: from its top, with its height.
  public mutating func show(keyboard: Frame, field: Range<Int>) {
    let isFirst = bottomInset == 0
    let bottom = viewport.y + viewport.height
    bottomInset = min(max(0, bottom - max(keyboard.y, viewport.y)), viewport.height)
    // A keyboard that changes its height takes in no more than what it needs.
    if isFirst && bottomInset > 0 { offsetBefore = offset }
    if field.upperBound > offset + visibleHeight {
      // A field that is higher than the rest is shown from its top.
      offset = min(field.upperBound - visibleHeight, field.lowerBound)
    } else if field.lowerBound < offset {
      offset = field.lowerBound
    }
    offset = min(max(0, offset), maximumOffset)
  }

  /// The user scrolled, which is not taken back when the keyboard hides.
  public mutating func scroll(to new: Int) {
    offset = min(max(0, new), maximumOffset)
    offsetBefore = nil
  }

  /// The keyboard hides: everything is where it was, unless the user scrolled.
  public mutating func hide() {
    bottomInset = 0
    offset = min(max(0, offsetBefore ?? offset), maximumOffset)
    offsetBefore = nil
  }
}
