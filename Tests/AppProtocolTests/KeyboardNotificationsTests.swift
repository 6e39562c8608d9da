import AppProtocol
import Testing

/// The rules of the keyboard notifications, as sequences.
@Suite("Keyboard notifications")
struct KeyboardNotificationsTests {
  typealias Machine = KeyboardNotifications<String>

  private static let upright = Screen(width: 400, height: 800, orientation: .portrait)
  private static let across = Screen(width: 800, height: 400, orientation: .landscape)

  private static func field(
    _ owner: String, _ screen: Screen = upright, accessory: Int = 0, inputView: Int? = nil
  ) -> Machine.Responder {
    Machine.Responder(
      owner: owner, screen: screen,
      views: InputViews(inputViewHeight: inputView, inputAccessoryViewHeight: accessory))
  }

  /// `owner name begin>end`, with the top of the frames.
  private static func told(_ deliveries: [Machine.Delivery]) -> [String] {
    deliveries.map {
      let notification = $0.notification
      return "\($0.owner) \(notification.name.rawValue.dropFirst(8)) "
        + "\(notification.frameBegin.y)>\(notification.frameEnd.y)"
    }
  }

  @Test("the first field shows the keyboard, and resigning hides it")
  func showAndHide() {
    var machine = Machine()
    #expect(
      Self.told(machine.update(Self.field("a"))) == ["a WillShow 800>584", "a DidShow 800>584"])
    #expect(Self.told(machine.update(nil)) == ["a WillHide 584>800", "a DidHide 584>800"])
    #expect(machine.update(nil).isEmpty)
  }

  @Test("another field of the same app shows nothing, for the keyboard shows already")
  func sameApp() {
    var machine = Machine()
    _ = machine.update(Self.field("a"))
    #expect(machine.update(Self.field("a")).isEmpty)
  }

  @Test("another app gets it without a did hide for the old owner")
  func otherOwner() {
    var machine = Machine()
    _ = machine.update(Self.field("a"))
    #expect(
      Self.told(machine.update(Self.field("b", accessory: 44)))
        == ["a WillHide 584>800", "b WillShow 800>540", "b DidShow 800>540"])
    #expect(
      Self.told(machine.update(Self.field("a")))
        == ["b WillHide 540>800", "a WillShow 800>584", "a DidShow 800>584"])
  }

  @Test("another orientation hides and shows, each where it belongs")
  func orientation() {
    var machine = Machine()
    _ = machine.update(Self.field("a"))
    #expect(
      Self.told(machine.update(Self.field("a", Self.across))) == [
        "a WillHide 584>800", "a DidHide 584>800", "a WillShow 400>238", "a DidShow 400>238",
      ])
    // While it is hidden nothing is told.
    _ = machine.update(nil)
    #expect(machine.update(nil).isEmpty)
  }

  @Test("another height while it shows changes the frame, and shows nothing again")
  func height() {
    var machine = Machine()
    _ = machine.update(Self.field("a"))
    #expect(
      Self.told(machine.update(Self.field("a", accessory: 44)))
        == ["a WillChangeFrame 584>540", "a DidChangeFrame 584>540"])
    #expect(
      Self.told(machine.update(Self.field("a", accessory: 44, inputView: 300)))
        == ["a WillChangeFrame 540>456", "a DidChangeFrame 540>456"])
    // A view of the app's own that is as high as the keyboard changes nothing to be told.
    _ = machine.update(Self.field("a"))
    #expect(machine.update(Self.field("a", inputView: 216)).isEmpty)
  }

  @Test("an owner that has gone is told nothing, and the next one is shown a keyboard")
  func gone() {
    var machine = Machine()
    _ = machine.update(Self.field("a"))
    machine.forget("b")
    #expect(machine.shown != nil)
    machine.forget("a")
    #expect(
      Self.told(machine.update(Self.field("b"))) == ["b WillShow 800>584", "b DidShow 800>584"])
  }

  @Test("the keyboard never covers more than the screen")
  func bounds() {
    let tiny = Screen(width: 10, height: 100, orientation: .portrait)
    #expect(Self.field("a", tiny).frame == Frame(x: 0, y: 50, width: 10, height: 50))
    #expect(
      Self.field("a", tiny, accessory: 1_000).frame == Frame(x: 0, y: 0, width: 10, height: 100))
  }
}
