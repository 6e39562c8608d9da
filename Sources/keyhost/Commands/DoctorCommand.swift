import CommandLineInterface
import KeyboardHost
import KeyboardReport
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import Spelling
import StrictJSON
import TerminalText

let doctorCommand = Command(
  "doctor", abstract: "Say what this machine's kernel enforces, and what a keyboard would get.",
  discussion: [
    """
    Launches a program that does nothing as a keyboard would be launched, and reports each layer \
    of the sandbox and each promise they keep, and says whether the system keyboard can correct \
    what is typed. The exit code is 1 if a required layer is missing: no keyboard is started then.
    """
  ],
  options: [.json],
  action: examine)

@Sendable private func examine(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let resources = try InstalledResources()
  let prepared = try PreparedPolicy(resources.profile(), grants: SandboxGrants())
  let doctor = SandboxDoctor(
    profile: prepared.profile, program: prepared.program,
    launcher: try resources.trustedLauncher(),
    // The last of the range is the last to be given to a keyboard.
    identity: ProcessControl.user == 0 ? KeyboardIdentity.range.upperBound : nil)
  let paths = try HostPaths(environment: HostPaths.processEnvironment())
  if invocation.wantsJSON {
    try console.printJSON { doctor.encode(into: &$0, SpellingState(), paths) }
  } else {
    try doctor.print(to: console, SpellingState(), paths)
  }
  return doctor.isHealthy ? .success : .failure
}

/// Whether the system keyboard has a dictionary. Without one it types without corrections, which is
/// no fault.
private struct SpellingState {
  var language: String
  var dictionary: String?
  var problem: String?
  /// The model that common words for keyboards come from, or why there are none.
  var commonWords: String?
  var commonWordsProblem: String?

  init() {
    let locale = HostPaths.processLocale()
    // Settings that cannot be read are told by the commands that need them.
    let choices = (try? HostContext()).flatMap { try? UserChoices(paths: $0.paths) } ?? .none
    language =
      choices.configuration(hostVersion: HostVersion.current, locale: locale).typingLanguage
    do throws(SpellingProblem) {
      dictionary = try HunspellDictionary(language: language).path
    } catch { problem = error.description }
    do throws(CommonWordList.Problem) {
      commonWords = try CommonWordList(language: language).path
    } catch { commonWordsProblem = error.description }
  }

  func encode(into writer: inout JSONWriter) {
    writer.key("spelling")
    writer.beginObject()
    writer.member("language", language)
    writer.member("dictionary", orNull: dictionary)
    writer.member("problem", orNull: problem)
    writer.member("commonWords", orNull: commonWords)
    writer.endObject()
  }
}

extension SandboxDoctor {
  /// What went wrong, for people; nil if nothing did.
  var problem: String? {
    switch trial {
    case .works: nil
    case .fails(let error): error.description
    case .ends(_, let status):
      "a program that does nothing \(status) under the policy. Install Keyhost again."
    }
  }

  fileprivate func print(
    to console: Console, _ spelling: SpellingState, _ paths: HostPaths
  ) throws {
    try console.print("kernel \(VisibleText.escape(kernel.release))")
    let missing = kernel.seccompActions.filter { !$0.value }.keys.sorted()
    var rows = [
      ["  landlock", kernel.landlockABI == 0 ? "not there" : "ABI \(kernel.landlockABI)"],
      [
        "  seccomp", missing.isEmpty ? "all actions" : "without " + missing.joined(separator: ", "),
      ],
      [
        "  notifications",
        kernel.supportsWaitKillable ? "not interrupted by a stop" : "interrupted by a stop",
      ],
    ]
    rows += kernel.facts.map { fact in
      ["  " + fact.name, fact.value + (fact.advice.map { " (\($0))" } ?? "")]
    }
    try console.printTable(rows)
    try console.print("\nlayers of a keyboard started here and now")
    if let report {
      try console.printTable(report.layers.map { ["  \($0.layer.rawValue)", $0.phrase] })
      try console.print("\na keyboard cannot")
      try console.printTable(
        SandboxPromise.all.map { promise in
          return [
            "  " + promise.meaning, promise.state(report).phrase, "(\(promise.layersPhrase))",
          ]
        })
    }
    try console.print("\nspelling")
    try console.print(
      "  \(VisibleText.escape(spelling.language)): "
        + VisibleText.escape(
          spelling.dictionary ?? "no corrections, because \(spelling.problem ?? "")"))
    try console.print(
      "  common words for keyboards: "
        + VisibleText.escape(
          spelling.commonWords ?? "none, because \(spelling.commonWordsProblem ?? "")"))
    try console.print("\nyour files")
    try console.printTable([
      ["  settings", VisibleText.escape(paths.configuration)],
      ["  apps and what they keep", VisibleText.escape(paths.data)],
      ["  audit log", VisibleText.escape(paths.auditLog)],
    ])
    if let problem {
      try console.print("  \(VisibleText.escape(problem))")
    } else {
      try console.print("\nall required layers are in force")
    }
  }

  fileprivate func encode(
    into writer: inout JSONWriter, _ spelling: SpellingState, _ paths: HostPaths
  ) {
    writer.beginObject()
    writer.member("isHealthy", isHealthy)
    writer.member("problem", orNull: problem)
    if case .fails(let error) = trial {
      writer.member("failedLayer", orNull: error.layer?.rawValue)
    } else {
      writer.member("failedLayer", orNull: nil)
    }
    writer.key("kernel")
    writer.beginObject()
    writer.member("release", kernel.release)
    writer.member("landlockABI", kernel.landlockABI)
    writer.key("seccompActions")
    writer.beginObject()
    for (name, isThere) in kernel.seccompActions.sorted(by: { $0.key < $1.key }) {
      writer.member(name, isThere)
    }
    writer.endObject()
    writer.member("supportsWaitKillable", kernel.supportsWaitKillable)
    writer.key("facts")
    writer.beginArray()
    for fact in kernel.facts {
      writer.beginObject()
      writer.member("name", fact.name)
      writer.member("value", fact.value)
      writer.member("advice", orNull: fact.advice)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    encodeLayers(into: &writer)
    spelling.encode(into: &writer)
    writer.key("files")
    writer.beginObject()
    writer.member("settings", paths.configuration)
    writer.member("data", paths.data)
    writer.member("auditLog", paths.auditLog)
    writer.endObject()
    writer.endObject()
  }

  private func encodeLayers(into writer: inout JSONWriter) {
    writer.key("layers")
    writer.beginArray()
    for entry in report?.layers ?? [] {
      writer.beginObject()
      writer.member("name", entry.layer.rawValue)
      writer.member("state", entry.state.code)
      writer.member("detail", orNull: entry.state.detail)
      writer.member("isRequired", SandboxLayer.required.contains(entry.layer))
      writer.endObject()
    }
    writer.endArray()
    writer.key("promises")
    writer.beginArray()
    for promise in report == nil ? [] : SandboxPromise.all {
      writer.beginObject()
      writer.member("name", promise.name)
      writer.member("meaning", promise.meaning)
      writer.member("first", strings: promise.first.map(\.rawValue).sorted())
      writer.member("second", strings: promise.second.map(\.rawValue).sorted())
      writer.member("remark", orNull: promise.remark)
      writer.member("state", report.map { promise.state($0).rawValue } ?? "")
      writer.endObject()
    }
    writer.endArray()
  }
}

extension EnforcementReport.Entry {
  /// For people, who are to see at once whether something is missing.
  fileprivate var phrase: String {
    guard state == .notRequested, !isMissing else { return "\(state)" }
    switch layer {
    case .userNamespace: return "not needed: you are root"
    case .identity: return "not needed: the user namespace does that"
    default: return "\(state)"
    }
  }
}

extension LayerState {
  fileprivate var code: String {
    switch self {
    case .enforced: "enforced"
    case .partly: "partly"
    case .unavailable: "unavailable"
    case .notRequested: "notRequested"
    }
  }

  fileprivate var detail: String? {
    switch self {
    case .partly(let text), .unavailable(let text): text
    case .enforced, .notRequested: nil
    }
  }
}
