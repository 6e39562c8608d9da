import AppProtocol
import KeyboardClient
import Testing

@Suite("The helper that keeps the active field in sight")
struct KeyboardAvoidanceTests {
  private static let keyboard = Frame(x: 0, y: 400, width: 300, height: 200)

  private static func view(_ contentHeight: Int = 1_000) -> KeyboardAvoidance {
    KeyboardAvoidance(
      viewport: Frame(x: 0, y: 50, width: 300, height: 550), contentHeight: contentHeight)
  }

  @Test("the visible area shrinks by what the keyboard covers, and comes back")
  func shrinks() {
    var view = Self.view()
    view.show(keyboard: Self.keyboard, field: 0..<30)
    #expect(view.bottomInset == 200)
    #expect(view.visibleHeight == 350)
    #expect(view.offset == 0)
    view.hide()
    #expect(view == Self.view())
  }

  @Test("a covered field is scrolled in, once, and back")
  func scrolls() {
    var view = Self.view()
    view.show(keyboard: Self.keyboard, field: 500..<530)
    #expect(view.offset == 180)
    // The same again moves nothing.
    view.show(keyboard: Self.keyboard, field: 500..<530)
    #expect(view.offset == 180)
    view.hide()
    #expect(view.offset == 0)
  }

  @Test("a field above is scrolled in as well, and one that is too high is shown from its top")
  func above() {
    var view = KeyboardAvoidance(
      viewport: Frame(x: 0, y: 50, width: 300, height: 550), contentHeight: 1_000, offset: 300)
    view.show(keyboard: Self.keyboard, field: 100..<130)
    #expect(view.offset == 100)
    view.hide()
    #expect(view.offset == 300)
    view.show(keyboard: Self.keyboard, field: 400..<900)
    #expect(view.offset == 400)
  }

  @Test("where the user scrolled to stays")
  func userScrolls() {
    var view = Self.view()
    view.show(keyboard: Self.keyboard, field: 500..<530)
    view.scroll(to: 250)
    view.hide()
    #expect(view.offset == 250)
    view.scroll(to: 9_999)
    #expect(view.offset == 450)
  }

  @Test("a keyboard that grows takes the field along, and hiding goes back to the beginning")
  func grows() {
    var view = Self.view()
    view.show(keyboard: Self.keyboard, field: 500..<530)
    view.show(keyboard: Frame(x: 0, y: 356, width: 300, height: 244), field: 500..<530)
    #expect(view.offset == 224)
    view.hide()
    #expect(view.offset == 0)
  }

  @Test("a keyboard beside the view, or over all of it, is no fault")
  func extremes() {
    var view = Self.view()
    view.show(keyboard: Frame(x: 0, y: 600, width: 300, height: 100), field: 500..<530)
    #expect(view.bottomInset == 0)
    #expect(view.offset == 0)
    view.show(keyboard: Frame(x: 0, y: 0, width: 300, height: 700), field: 500..<530)
    #expect(view.visibleHeight == 0)
    #expect(view.offset == 500)
  }
}
