import CommandLineInterface
import KeyboardHost
import PluginManifest
import StrictJSON
import TerminalText

extension KeyboardService {
  /// What a keyboard gets with it.
  var meaning: String {
    switch self {
    case .contacts: "your contacts: names, phone numbers and e-mail addresses"
    case .location: "where this machine is"
    }
  }
}

/// `keyhost grant` of a service.
func grant(
  _ service: KeyboardService, to keyboard: String, _ context: HostContext, _ log: AuditLog,
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  let usage = try context.choices.usage(of: service, by: keyboard, log: log)
  try context.choices.grant(service, to: keyboard, log: log)
  if invocation.wantsJSON {
    try report(keyboard, context, console)
  } else {
    try console.print("\(keyboard) may be told \(service.meaning).")
    try console.print("It says why: \(VisibleText.escape(usage, limit: 1024))")
    if service == .contacts, try ContactFolders(paths: context.paths).list().isEmpty {
      try console.print(
        "No contacts are known yet: `keyhost contacts add FOLDER` says where they are.")
    }
  }
  return .success
}

/// `keyhost revoke` of a service.
func revoke(
  _ service: KeyboardService, from keyboard: String, _ context: HostContext,
  _ invocation: Invocation, _ console: Console
) throws -> ExitCode {
  try context.takeAway(console) { log, unrecorded throws(StoreError) in
    try context.choices.revoke(service, from: keyboard, log: log, unrecorded: unrecorded)
  }
  if invocation.wantsJSON {
    try report(keyboard, context, console)
  } else {
    try console.print("\(keyboard) is told no more \(service.meaning).")
  }
  return .success
}

private func report(_ keyboard: String, _ context: HostContext, _ console: Console) throws {
  let listed = try context.choices.list().first { $0.identifier == keyboard }
  try console.printJSON { writer in
    writer.beginObject()
    writer.member("keyboard", keyboard)
    writer.member("openAccess", listed?.hasOpenAccess ?? false)
    writer.member("allowedHosts", strings: listed?.allowedHosts ?? [])
    writer.member("services", strings: listed?.services ?? [])
    writer.endObject()
  }
}
