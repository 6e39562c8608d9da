import CommandLineInterface
import KeyboardHost
import SandboxLaunch
import TextInput

let typeCommand = Command(
  "type",
  abstract: "Type into documents through the enabled keyboard.",
  discussion: [
    "Reads text from the standard input, types it character by character into a document, and "
      + "prints the document's text when the input ends. Notes on the standard error output say "
      + "which keyboard typed, and why it was not another. It is typed as by a hardware keyboard: the "
      + "system keyboard corrects and replaces none of it, unless its setting `hardwareKeys` is on.",
    "With --events the standard input is a script: one JSON event a line, which is taken when "
      + "everything before it was handled. A line that cannot be read may have been about the "
      + "focus: it is given up, and nothing is typed before the next `focus`. Events:",
  ] + ScriptStep.verbs.map { "  \($0.name) \($0.meaning)" } + [
    "A document's text is printed when it is closed, or at the end. With --json each handled "
      + "input is printed as it happens.",
    "The exit code is 0 when all input was typed, and 1 when some was not understood or could "
      + "not be typed. A keyboard that fails is no error: the system keyboard types instead.",
  ],
  options: [
    .value("field", "JSON", "The document's traits, such as {\"keyboardType\":\"URL\"}."),
    .value(
      "field-type", "TYPE", choices: KeyboardType.allCases.map(\.rawValue),
      "The document's keyboard type; a short form of --field."),
    .flag("secure", "The document is a secure field; a short form of --field."),
    .value("app", "ID", "The app the document belongs to."),
    .value(
      "answer", "ANSWER", choices: AppAnswer.allCases.map(\.rawValue),
      "What the app says when asked whether it allows custom keyboards."),
    .value(
      "keyboard", "ID",
      "Type with this enabled keyboard, as if it was the first in the list; `system` is the "
        + "host's own, and with it no other is started unless a script switches."),
    .value("text", "TEXT", "What stands in the document at the start."),
    .flag("events", "The standard input is a script of events."),
    .value(
      "allow-weaker", "LAYER",
      choices: SandboxLayer.allCases.filter { $0 != .seccomp && $0 != .noNewPrivileges }
        .map(\.rawValue), isRepeatable: true,
      "Do without this layer of the sandbox in this run, where it cannot be had."),
    .flag(
      "trace",
      "Show each line between the host and keyboards, with the time since the start in seconds: "
        + "what is typed, in clear. The audit log says that it was done."),
    .value(
      "trace-file", "FILE",
      "Write that to a new file, for the user alone to read, in place of showing it."),
    .value(
      "debug", "ID",
      "Type with this enabled keyboard, which stops before its first instruction and waits for a "
        + "debugger from outside; in its sandbox, but with all the time it takes."),
    .flag("show-output", "Show at the end what keyboards printed, escaped."),
    .json,
  ],
  action: { try TypeSession($0, console: $1).run() })
