/// When an app is told that the keyboard shows, hides or changes its frame: a state machine
/// without I/O.
///
/// The rules, for the app that owns the keyboard (the one with the first responder) and no other:
/// - a first responder where there was none: will show, did show;
/// - none where there was one: will hide, did hide;
/// - another app's field: will hide to the old owner, without did hide, since the keyboard stays on
///   the screen; will show and did show to the new owner;
/// - another field of the same app: nothing, for it shows already, unless the height changes;
/// - another orientation or size of the screen: will hide and did hide at the old place, will show
///   and did show at the new one;
/// - another height while it shows (a view above it, an input view of the app's own): will change
///   frame and did change frame, never a second show. The keys of a layout do not change the
///   height: it depends on the orientation alone.
public struct KeyboardNotifications<Owner: Hashable & Sendable>: Sendable {
  /// The field that the keyboard is shown for, as far as the frame needs it.
  public struct Responder: Sendable, Equatable {
    public var owner: Owner
    public var screen: Screen
    public var views: InputViews

    public init(owner: Owner, screen: Screen, views: InputViews) {
      self.owner = owner
      self.screen = screen
      self.views = views
    }
  }

  /// A notification and whom to tell.
  public struct Delivery: Sendable, Equatable {
    public var owner: Owner
    public var notification: KeyboardNotification

    public init(owner: Owner, notification: KeyboardNotification) {
      self.owner = owner
      self.notification = notification
    }
  }

  /// What is shown now, and for whom; nil when the keyboard is hidden.
  public private(set) var shown: Responder?

  public init() {}

  /// Another field, another screen or other views; nil when no field has the keyboard.
  /// - Returns: what to tell, in order.
  public mutating func update(_ next: Responder?) -> [Delivery] {
    let old = shown
    guard old != next else { return [] }
    shown = next
    switch (old, next) {
    case (nil, nil): return []
    case (nil, let next?): return show(next)
    case (let old?, nil): return hide(old)
    case (let old?, let next?):
      if old.owner != next.owner { return [hide(old)[0]] + show(next) }
      if old.screen != next.screen { return hide(old) + show(next) }
      let begin = old.frame
      let end = next.frame
      if begin == end { return [] }
      return [KeyboardNotification.Name.willChangeFrame, .didChangeFrame].map {
        next.delivery($0, begin, end)
      }
    }
  }

  /// The owner has gone: nobody is told that the keyboard hides.
  public mutating func forget(_ owner: Owner) {
    if shown?.owner == owner { shown = nil }
  }

  private func show(_ responder: Responder) -> [Delivery] {
    [KeyboardNotification.Name.willShow, .didShow].map {
      responder.delivery($0, responder.hiddenFrame, responder.frame)
    }
  }

  private func hide(_ responder: Responder) -> [Delivery] {
    [KeyboardNotification.Name.willHide, .didHide].map {
      responder.delivery($0, responder.frame, responder.hiddenFrame)
    }
  }
}

extension KeyboardNotifications.Responder {
  /// The height of the keyboard alone, in points, as it is on the phone without a suggestion bar;
  /// never more than half of the screen.
  private var keyboardHeight: Int {
    min(screen.orientation == .portrait ? 216 : 162, screen.height / 2)
  }

  /// Where the keyboard is while it shows, with the view above it.
  public var frame: Frame {
    let height = min(
      (views.inputViewHeight ?? keyboardHeight) + views.inputAccessoryViewHeight, screen.height)
    return Frame(x: 0, y: screen.height - height, width: screen.width, height: height)
  }

  /// Where it is while it does not show: just below the screen.
  public var hiddenFrame: Frame {
    var hidden = frame
    hidden.y = screen.height
    return hidden
  }

  fileprivate func delivery(
    _ name: KeyboardNotification.Name, _ begin: Frame, _ end: Frame
  ) -> KeyboardNotifications.Delivery {
    KeyboardNotifications.Delivery(
      owner: owner, notification: KeyboardNotification(name, frameBegin: begin, frameEnd: end))
  }
}
