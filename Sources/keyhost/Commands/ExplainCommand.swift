import CommandLineInterface
import KeyboardHost
import StrictJSON
import TerminalText
import TextInput

let explainCommand = Command(
  "explain", abstract: "Say whether a keyboard may serve a field, and why, starting nothing.",
  discussion: [
    """
    The first word is `eligible` or `refused`, and the last of that line `incognito` where an \
    instance of the keyboard serves the field that forgets; each reason follows on a line of its \
    own. The exit code is 0 or 1.
    """,
    "  keyhost explain --field '{\"keyboardType\":\"phonePad\"}'",
  ],
  options: [
    .value("field", "JSON", "The field's traits, by their names; {} if not given."),
    .value(
      "field-type", "TYPE", choices: KeyboardType.allCases.map(\.rawValue),
      "The field's keyboard type; a short form of --field."),
    .flag("secure", "The field is secure; a short form of --field."),
    .flag("was-secure", "The field was secure before."),
    .flag("was-incognito", "The field was incognito before."),
    .value("app", "ID", "The app the field belongs to; it is only repeated."),
    .value(
      "answer", "ANSWER", choices: AppAnswer.allCases.map(\.rawValue),
      "What the app says when asked whether it allows custom keyboards; none if not given."),
    .value("keyboard", "ID", "The keyboard; if not given, the first one in the list."),
    .json,
  ],
  action: explain)

@Sendable private func explain(
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let field = FieldDescription(
    traits: try FieldOptions.traits(invocation), wasSecure: invocation.has("was-secure"),
    wasIncognito: invocation.has("was-incognito"), appAnswer: FieldOptions.answer(invocation))
  let context = try HostContext()
  let settings = try context.registry.load()
  // Where the list begins with the system keyboard, no custom keyboard gets the field.
  let first = settings.enabledKeyboards.first.flatMap {
    $0 == HostSettings.systemKeyboard ? nil : $0
  }
  let identifier = invocation.value("keyboard") ?? first
  let decision = try decide(field, identifier, settings, try context.registry.list())
  if invocation.wantsJSON {
    try console.printJSON { writer in
      writer.beginObject()
      writer.member("keyboard", orNull: identifier)
      writer.member("app", orNull: invocation.value("app"))
      decision.encodeMembers(into: &writer)
      writer.endObject()
    }
  } else {
    let name = identifier.map { " " + VisibleText.escape($0) } ?? ""
    try console.print(decision.verdict + name + (decision.isIncognito ? ", incognito" : ""))
    for reason in decision.reasons {
      try console.print("  \(VisibleText.escape(reason.description)) (\(reason.code))")
    }
  }
  return decision.isEligible ? .success : .failure
}

/// The rules decide on fields and installed keyboards; what is in the list is known only here.
/// - Parameter identifier: the keyboard asked for, or the one that the list gives; nil if it gives
///   none.
private func decide(
  _ field: FieldDescription, _ identifier: String?, _ settings: HostSettings,
  _ listing: AppListing
) throws -> Decision {
  guard let identifier else {
    return Eligibility.decide(
      field: field, candidate: nil, systemIsChosen: !settings.enabledPlugins.isEmpty)
  }
  if identifier == HostSettings.systemKeyboard {
    return Decision(reasons: [.systemServesEveryField])
  }
  guard let manifest = listing.keyboard(identifier)?.manifest else {
    let any = Eligibility.Candidate(identifier: identifier, isASCIICapable: true)
    let decision = Eligibility.decide(field: field, candidate: any)
    let refusals = decision.reasons.filter { $0.scope != .none }
    let fault = listing.fault(ofKeyboard: identifier)
    return Decision(
      reasons: refusals
        + [fault.map { .keyboardDamaged($0.story) } ?? .keyboardNotInstalled(identifier)])
  }
  return Eligibility.decide(
    field: field,
    candidate: Eligibility.Candidate(
      identifier: identifier, isASCIICapable: manifest.isASCIICapable,
      isEnabled: settings.enabledKeyboards.contains(identifier)))
}
