/// A picture of every system call in one state of the grants: one mark a call, in the order of the
/// state with fewest rights, so that what a grant changes shows. Marks differ in shape, not in
/// colour alone, and do so without the style sheet as well.
struct CallPicture {
  let policy: ProvenPolicy
  /// The state that gives the order, and what is compared with.
  let first: ProvenPolicy

  /// Marks in a row.
  private static let columns = 40
  /// From one mark to the next.
  private static let step = 14
  private static let size = 10

  /// The calls as they stand in the picture, with whether they differ from the first state.
  var marks: [(call: ProvenPolicy.Call, isChanged: Bool)] {
    let here = Dictionary(policy.calls.map { ($0.number, $0) }) { first, _ in first }
    let order = CallTreatment.allCases.flatMap { treatment in
      first.calls.filter { $0.treatment == treatment }
    }
    return order.compactMap { before in
      here[before.number].map { (call: $0, isChanged: $0.treatment != before.treatment) }
    }
  }

  /// - Parameter id: a name for the picture's parts that no other picture of the page has.
  func write(to page: inout HTMLWriter, id: String) {
    let marks = marks
    let rows = (marks.count + Self.columns - 1) / Self.columns
    let (width, height) = (Self.columns * Self.step, max(rows, 1) * Self.step)
    let counts = CallTreatment.allCases.map { "\(policy.count($0)) \($0.meaning)" }
      .joined(separator: ", ")
    page.element(
      "svg",
      [
        "viewBox": "0 0 \(width) \(height)", "role": "img", "class": "calls",
        "aria-labelledby": "\(id)-title \(id)-text",
      ]
    ) { svg in
      svg.element("title", ["id": "\(id)-title"], "System calls \(policy.grants.phrase)")
      svg.element(
        "desc", ["id": "\(id)-text"],
        "One mark for each of \(policy.calls.count) calls of \(policy.architecture): \(counts).")
      for (index, mark) in marks.enumerated() {
        svg.newline()
        let change = mark.isChanged ? ", changed by the grant" : ""
        svg.element("g", ["class": mark.isChanged ? "changed" : "same"]) { group in
          group.element(
            "title", "\(mark.call.name): \(mark.call.treatment.meaning)\(change)")
          Self.draw(
            mark.call.treatment, x: index % Self.columns * Self.step + 2,
            y: index / Self.columns * Self.step + 2, in: &group)
          if mark.isChanged {
            group.empty(
              "rect",
              [
                "class": "ring", "fill": "none", "stroke": "currentColor",
                "x": "\(index % Self.columns * Self.step)",
                "y": "\(index / Self.columns * Self.step)", "width": "\(Self.size + 4)",
                "height": "\(Self.size + 4)",
              ])
          }
        }
      }
    }
  }

  /// One mark for the legend; the words stand beside it.
  static func writeMark(_ treatment: CallTreatment, to page: inout HTMLWriter) {
    page.element(
      "svg",
      [
        "viewBox": "0 0 \(size) \(size)", "width": "\(size + 4)", "height": "\(size + 4)",
        "aria-hidden": "true",
      ]
    ) { draw(treatment, x: 0, y: 0, in: &$0) }
  }

  private static func draw(
    _ treatment: CallTreatment, x: Int, y: Int, in svg: inout HTMLWriter
  ) {
    let (right, bottom, half) = (x + size, y + size, size / 2)
    switch treatment {
    case .allowed:
      svg.empty(
        "rect",
        ["class": "allowed", "x": "\(x)", "y": "\(y)", "width": "\(size)", "height": "\(size)"])
    case .someArguments:
      svg.empty("path", ["class": "some", "d": "M\(x) \(y)V\(bottom)H\(right)Z"])
    case .byHost:
      svg.empty("circle", ["class": "host", "cx": "\(x + half)", "cy": "\(y + half)", "r": "5"])
    case .refused:
      svg.empty(
        "circle", ["class": "refused", "cx": "\(x + half)", "cy": "\(y + half)", "r": "1.5"])
    case .ends:
      svg.empty(
        "path",
        [
          "class": "ends", "fill": "none", "stroke": "currentColor",
          "d": "M\(x + 1) \(y + 1)L\(right - 1) \(bottom - 1)"
            + "M\(right - 1) \(y + 1)L\(x + 1) \(bottom - 1)",
        ])
    }
  }
}
