import KeyboardHost
import PolicyAudit
import SandboxLaunch
import SandboxPolicy

extension KeyboardReport {
  /// Of one table so many rows are shown; ``--json`` has all.
  static let shownRows = 12
  /// Of keyboards that only the log knows so many are shown.
  static let shownRemoved = 20

  /// The report as one page that needs nothing else: no script, no picture, no style from outside.
  public func html() -> [UInt8] {
    var page = HTMLWriter()
    page.verbatim("<!DOCTYPE html>\n")
    page.element("html", ["lang": "en"]) { html in
      html.element("head") { writeHead(to: &$0) }
      html.newline()
      html.element("body") { body in
        body.element("main") { main in
          writeSummary(to: &main)
          writeKeyboards(to: &main)
          writePromises(to: &main)
          writeCalls(to: &main)
          writeProofs(to: &main)
        }
      }
    }
    page.newline()
    return Array(page.text.utf8)
  }

  private static let title = "What the keyboards may do, and what they did"

  private func writeHead(to head: inout HTMLWriter) {
    head.empty("meta", ["charset": "utf-8"])
    head.empty("meta", ["http-equiv": "Content-Security-Policy", "content": PageStyle.policy])
    head.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    head.empty("meta", ["name": "referrer", "content": "no-referrer"])
    head.element("title", Self.title)
    head.element("style") { $0.verbatim(PageStyle.sheet) }
  }

  private func writeSummary(to page: inout HTMLWriter) {
    page.newline()
    page.element("h1", Self.title)
    page.element("p", ["class": "quiet"], summary)
    let findings = findings
    page.newline()
    if findings.isEmpty {
      page.element("p", "No fault was found. " + Self.proofNote)
      return
    }
    page.element("h2", "Faults")
    page.element("ul") { list in
      for finding in findings { list.element("li", ["class": "finding"], finding) }
    }
  }

  // MARK: What each did

  private func writeKeyboards(to page: inout HTMLWriter) {
    page.newline()
    page.element("h2", "Keyboards")
    if keyboards.isEmpty { page.element("p", "No keyboard is installed, and none is in the log.") }
    for keyboard in keyboards where keyboard.isInstalled { write(keyboard, to: &page) }
    let removed = keyboards.filter { !$0.isInstalled }
    for keyboard in removed.prefix(Self.shownRemoved) { write(keyboard, to: &page) }
    if removed.count > Self.shownRemoved {
      page.element(
        "p", "And \(removed.count - Self.shownRemoved) more that are not installed any more.")
    }
  }

  private func write(_ keyboard: ReportedKeyboard, to page: inout HTMLWriter) {
    page.newline()
    page.element("section", ["class": "keyboard"]) { section in
      section.element("h3") { heading in
        heading.foreign(keyboard.displayName ?? keyboard.identifier)
      }
      section.element("p", ["class": "quiet"]) { line in
        line.element("code") { $0.foreign(keyboard.identifier) }
        if let version = keyboard.version {
          line.write(", version ")
          line.foreign(version)
        }
        line.write("; \(keyboard.placePhrase)\(keyboard.grantsPhrase)")
      }
      for state in keyboard.isInstalled ? keyboard.possibleGrants : [] {
        guard let policy = policy(state) else { continue }
        section.element("h4", keyboard.heading(of: state))
        section.element("ul") { list in
          for ability in keyboard.abilities(under: policy) {
            list.element("li") { $0.foreign(ability) }
          }
        }
      }
      section.element("h4", "it did")
      write(keyboard.activity, to: &section)
    }
  }

  private func write(_ activity: KeyboardActivity, to page: inout HTMLWriter) {
    guard let period = activity.period else {
      page.element("p", "Nothing that is in the log.")
      return
    }
    page.element(
      "p", ["class": "quiet"], "From \(period.lowerBound.text) to \(period.upperBound.text).")
    for kind in activity.kinds {
      let tally = activity[kind]
      let entries = tally.entries
      let shown = entries.prefix(Self.shownRows)
      // A column in which nothing stands tells nothing.
      let columns = kind.columns.indices.filter { index in
        shown.contains { !$0.cells[index].isEmpty }
      }
      page.newline()
      page.element("table") { table in
        table.element("caption", "\(kind.title): \(tally.total)")
        table.element("thead") { head in
          head.element("tr") { row in
            for heading in columns.map({ kind.heading(of: kind.columns[$0]) }) + ["count", "last"] {
              row.element("th", ["scope": "col"], heading)
            }
          }
        }
        table.element("tbody") { body in
          for entry in shown { write(entry, columns, of: kind, to: &body) }
        }
      }
      if entries.count > Self.shownRows {
        page.element(
          "p", ["class": "quiet"],
          "And \(entries.count - Self.shownRows) more kinds of them, which --json lists.")
      }
    }
  }

  private func write(
    _ entry: Tally.Entry, _ columns: [Int], of kind: ActivityKind, to body: inout HTMLWriter
  ) {
    body.element("tr") { row in
      for index in columns {
        let (column, cell) = (kind.columns[index], entry.cells[index])
        row.element("td") { $0.foreign(kind == .launches ? launchCell(column, cell) : cell) }
      }
      row.element("td", ["class": "number"], "\(entry.count)")
      row.element("td", ["class": "time"], entry.last.text)
    }
  }

  // MARK: What they may

  private func writePromises(to page: inout HTMLWriter) {
    page.newline()
    page.element("h2", "What no keyboard can do")
    page.element("table") { table in
      table.element("caption", "Promises, the proofs behind them, and the layers here")
      table.element("thead") { head in
        head.element("tr") { row in
          row.element("th", ["scope": "col"], "a keyboard cannot")
          for policy in policies { row.element("th", ["scope": "col"], policy.grants.phrase) }
          row.element("th", ["scope": "col"], "layers, and what holds here")
        }
      }
      table.element("tbody") { body in
        for evidence in PromiseEvidence.all {
          body.newline()
          body.element("tr") { row in
            row.element("th", ["scope": "row"], evidence.promise.meaning)
            for policy in policies { row.element("td", evidence.phrase(in: policy)) }
            let state = evidence.state(trial)?.phrase ?? "not known here"
            row.element("td", "\(evidence.promise.layersPhrase): \(state)")
          }
        }
      }
    }
  }

  private func writeCalls(to page: inout HTMLWriter) {
    guard let first = policies.first else { return }
    page.newline()
    page.element("h2", "System calls by grant")
    page.element("table") { table in
      table.element("caption", "What becomes of the \(first.calls.count) calls")
      table.element("thead") { head in
        head.element("tr") { row in
          row.element("th", ["scope": "col"], "calls that are")
          for policy in policies { row.element("th", ["scope": "col"], policy.grants.phrase) }
        }
      }
      table.element("tbody") { body in
        for treatment in CallTreatment.allCases {
          body.element("tr") { row in
            row.element("th", ["scope": "row"]) { cell in
              CallPicture.writeMark(treatment, to: &cell)
              cell.write(" \(treatment.meaning)")
            }
            for policy in policies {
              row.element("td", ["class": "number"], "\(policy.count(treatment))")
            }
          }
        }
      }
    }
    for policy in policies {
      page.newline()
      page.element("h3", "Each call \(policy.grants.phrase)")
      CallPicture(policy: policy, first: first).write(
        to: &page, id: "calls-\(policy.grants.stateName)")
    }
    let added = addedCalls
    page.newline()
    if !added.isEmpty {
      page.element("p", "Open access adds: " + added.joined(separator: ", ") + ".")
    }
  }

  private func writeProofs(to page: inout HTMLWriter) {
    page.newline()
    page.element("h2", "How this is known")
    page.element("p", Self.proofNote)
    for policy in policies {
      page.newline()
      page.element("details") { details in
        let proven = policy.claims.count { $0.isProven }
        details.element(
          "summary",
          "The program, the files and the claims \(policy.grants.phrase): \(proven) of "
            + "\(policy.claims.count) proven")
        details.element("p") { line in
          line.write("\(policy.instructions) instructions, SHA-256 ")
          line.element("code", policy.digest)
        }
        details.element("ul") { list in
          for access in policy.fileAccess {
            list.element("li", "Files to \(access.use): \(access.places).")
          }
        }
        details.element("dl") { list in
          for claim in policy.claims {
            list.element("dt", "\(claim.isProven ? "proven" : "NOT PROVEN"): \(claim.name)")
            list.element("dd", ["class": "quiet"], claim.title)
          }
        }
      }
    }
  }
}
