/// What a user does on a keyboard.
public enum InputEvent: Sendable, Equatable {
  /// A tap on the key of that id.
  case tap(key: String)
  /// A long press on the key of that id.
  case longPress(key: String)
  /// A swipe over the keys, `count` steps long (one or more).
  case swipe(SwipeDirection, count: Int)
  /// A key of a hardware keyboard.
  case hardwareKey(HardwareKey)
  /// A pick from the suggestions shown; the text is what the user saw there.
  case suggestion(index: Int, text: String)
  /// A stroke drawn on the keyboard's canvas.
  case stroke([StrokePoint])
}
