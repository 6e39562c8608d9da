import CommandLineInterface
import KeyboardHost
import PluginManifest
import StrictJSON

private let keyboardArgument = Argument(
  "KEYBOARD", "The keyboard's id, as `keyhost keyboards list` shows it.")
private let capabilityArgument = Argument(
  "CAPABILITY", choices: ["open-access"] + KeyboardService.allCases.map(\.rawValue),
  "What is granted.")

let grantCommand = Command(
  "grant", abstract: "Grant a keyboard what it asks for.",
  discussion: [
    """
    With open access a keyboard may write into its app's shared container and make TCP connections \
    to public addresses of the Internet. It must ask for it (`RequestsOpenAccess` in its \
    Info.plist). A keyboard that runs is ended and started anew.
    """,
    """
    Private addresses, those of the local network and of this machine, stay closed. Open one \
    address and port with --allow-host, also for a keyboard that has open access already. This \
    machine's own services cannot be opened.
    """,
    """
    A keyboard may have kept what was typed while it could not send it anywhere. So its private \
    container is emptied first, unless you answer no or give --keep-container. The answer is read \
    from the standard input, a pipe too; where that is empty it is yes.
    """,
    """
    With `contacts` it is told the names, phone numbers and e-mail addresses of the contacts whose \
    folders you named with `keyhost contacts`; with `location`, where the machine is (`keyhost \
    location`). Each needs open access, which takes them along when it is revoked, and a reason in \
    the keyboard's Info.plist, which is shown.
    """,
  ],
  arguments: [keyboardArgument, capabilityArgument],
  options: [
    .flag("keep-container", "Do not empty the keyboard's private container, and do not ask."),
    .flag("empty-container", "Empty it, and do not ask."),
    .value(
      "allow-host", "ADDRESS:PORT", isRepeatable: true,
      "Also let it connect to this address and port, such as 192.168.1.10:8080 or [fd00::1]:443."),
    .json,
  ],
  action: { invocation, console in
    guard !invocation.has("keep-container") || !invocation.has("empty-container") else {
      throw UsageError("`--keep-container` and `--empty-container` exclude each other")
    }
    let context = try HostContext()
    let keyboard = invocation.argument("KEYBOARD")
    let allowedHosts = invocation.values("allow-host")
    let log = try context.openLog()
    if let service = KeyboardService(rawValue: invocation.argument("CAPABILITY")) {
      guard ["keep-container", "empty-container", "allow-host"].allSatisfy({ !invocation.has($0) })
      else { throw UsageError("`\(service.rawValue)` is granted without options") }
      return try grant(service, to: keyboard, context, log, invocation, console)
    }
    // Nobody is asked about a grant that is refused anyway.
    let isNew = try context.choices.checkGrant(keyboard, allowedHosts: allowedHosts, log: log)
    var container = KeyboardChoices.ContainerTreatment.empty
    if invocation.has("keep-container") || !isNew {
      container = .keep
    } else if !invocation.has("empty-container") {
      if console.isInteractive {
        console.printError(
          "With open access \(keyboard) sees what you type in the fields it serves, and can send it "
            + "to any public address.\nIn its private container it may have kept what you typed "
            + "before.")
      }
      if try console.confirm("Empty the private container of \(keyboard) first?") == false {
        container = .keep
      }
    }
    try context.choices.grantOpenAccess(
      keyboard, container: container, allowedHosts: allowedHosts, log: log)
    let listed = try context.choices.list().first { $0.identifier == keyboard }
    let (hosts, services) = (listed?.allowedHosts ?? [], listed?.services ?? [])
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("keyboard", keyboard)
        writer.member("openAccess", true)
        writer.member("container", container.rawValue)
        writer.member("allowedHosts", strings: hosts)
        writer.member("services", strings: services)
        writer.endObject()
      }
    } else {
      try console.print(
        "\(keyboard) has open access. Its private container was "
          + (container == .empty ? "emptied." : "kept."))
      if !hosts.isEmpty {
        try console.print(
          "Beside public addresses it may connect to \(hosts.joined(separator: ", ")).")
      }
    }
    return .success
  })

let revokeCommand = Command(
  "revoke", abstract: "Take back what was granted to a keyboard.",
  discussion: [
    """
    A keyboard that runs is ended, with its connections. The addresses that were opened with \
    `grant --allow-host` are closed too, and contacts and location are taken back; --host closes \
    single addresses and leaves open access.
    """
  ],
  arguments: [
    keyboardArgument,
    Argument(
      "CAPABILITY", choices: ["open-access"] + KeyboardService.allCases.map(\.rawValue),
      "What is taken back."),
  ],
  options: [
    .value(
      "host", "ADDRESS:PORT", isRepeatable: true,
      "Only close this address and port again, as `keyhost keyboards list` shows it."),
    .json,
  ],
  action: { invocation, console in
    let context = try HostContext()
    let keyboard = invocation.argument("KEYBOARD")
    let hosts = invocation.values("host")
    if let service = KeyboardService(rawValue: invocation.argument("CAPABILITY")) {
      guard hosts.isEmpty else {
        throw UsageError("`\(service.rawValue)` is revoked without options")
      }
      return try revoke(service, from: keyboard, context, invocation, console)
    }
    try context.takeAway(console) { log, unrecorded throws(StoreError) in
      if hosts.isEmpty {
        try context.choices.revokeOpenAccess(keyboard, log: log, unrecorded: unrecorded)
      } else {
        try context.choices.revokeAllowedHosts(
          keyboard, hosts: hosts, log: log, unrecorded: unrecorded)
      }
    }
    let listed = try context.choices.list().first { $0.identifier == keyboard }
    let (left, services) = (listed?.allowedHosts ?? [], listed?.services ?? [])
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("keyboard", keyboard)
        writer.member("openAccess", !hosts.isEmpty)
        writer.member("allowedHosts", strings: left)
        writer.member("services", strings: services)
        writer.endObject()
      }
    } else if hosts.isEmpty {
      try console.print("\(keyboard) has open access no more.")
    } else {
      try console.print(
        "\(keyboard) may connect to public addresses"
          + (left.isEmpty ? " only." : " and to \(left.joined(separator: ", "))."))
    }
    return .success
  })
