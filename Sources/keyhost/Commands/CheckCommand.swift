import CommandLineInterface
import KeyboardHost

let checkCommand = Command(
  "check", abstract: "Check the keyboards of a bundle against the guidelines.",
  discussion: [
    """
    Runs each keyboard of an app in the sandbox that it would get, in a throw-away home, without open \
    access: it has to start, to answer every key in every type of field, to come back after a field \
    that refuses it, and to leave the globe, emoji and dictation keys to the host. What it tried and \
    was refused is told, and whether its app has a HowTo.txt.
    """,
    "The exit code is 0 when nothing failed, and 1 when something did or the bundle is refused.",
  ],
  arguments: [Argument("BUNDLE", "The app's folder, NAME.app.")],
  options: [.json],
  action: { invocation, console in
    let results = try ConformanceRun(bundle: invocation.argument("BUNDLE")).run()
    let hasFailed = results.contains { $0.verdict == .failed }
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("conforms", !hasFailed)
        writer.key("results")
        writer.beginArray()
        for result in results {
          writer.beginObject()
          writer.member("keyboard", result.keyboard)
          writer.member("check", result.check.rawValue)
          writer.member("verdict", result.verdict.rawValue)
          writer.member("detail", orNull: result.detail)
          writer.endObject()
        }
        writer.endArray()
        writer.endObject()
      }
    } else {
      var keyboard: String?
      for result in results {
        if result.keyboard != keyboard {
          keyboard = result.keyboard
          try console.print(result.keyboard)
        }
        let detail = result.detail.map { ": \($0)" } ?? ""
        try console.print("  \(result.verdict.rawValue) \(result.check.rawValue)\(detail)")
      }
    }
    return hasFailed ? .failure : .success
  })
