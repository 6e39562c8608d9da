/// First in, first out, without moving the rest at every step.
struct Queue<Element> {
  private var items: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count - head }
  var first: Element? { isEmpty ? nil : items[head] }

  mutating func append(_ item: Element) { items.append(item) }

  @discardableResult
  mutating func removeFirst() -> Element? {
    guard let item = first else { return nil }
    items[head] = nil
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 256, head > items.count / 2 {
      items.removeFirst(head)
      head = 0
    }
    return item
  }
}
