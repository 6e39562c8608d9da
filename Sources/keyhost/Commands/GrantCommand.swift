import CommandLineInterface
import KeyboardHost
import StrictJSON

private let keyboardArgument = Argument(
  "KEYBOARD", "The keyboard's id, as `keyhost keyboards list` shows it.")
private let capabilityArgument = Argument(
  "CAPABILITY", choices: ["open-access"], "What is granted.")

let grantCommand = Command(
  "grant", abstract: "Grant a keyboard what it asks for.",
  discussion: [
    """
    With open access a keyboard may write into its app's shared container and reach the network. \
    It must ask for it (`RequestsOpenAccess` in its Info.plist). A keyboard that runs is ended and \
    started anew.
    """,
    """
    A keyboard may have kept what was typed while it could not send it anywhere. So its private \
    container is emptied first, unless you answer no or give --keep-container.
    """,
  ],
  arguments: [keyboardArgument, capabilityArgument],
  options: [
    .flag("keep-container", "Do not empty the keyboard's private container."),
    .value(
      "allow-weaker", "LAYER", choices: [OpenAccessSupport.weakerNetwork], isRepeatable: true,
      "Do without a layer of the sandbox that is not available; it is recorded."),
    .json,
  ],
  action: { invocation, console in
    let context = try HostContext()
    let keyboard = invocation.argument("KEYBOARD")
    var container = KeyboardChoices.ContainerTreatment.empty
    if invocation.has("keep-container") {
      container = .keep
    } else if console.confirm("Empty the private container of \(keyboard) first?") == false {
      container = .keep
    }
    let weaker = Set(invocation.values("allow-weaker"))
    try context.choices.grantOpenAccess(
      keyboard, container: container, allowedWeakenings: weaker, log: try context.openLog())
    let settings = try context.registry.load()
    let weakened = settings.weakenings[keyboard, default: []].sorted()
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("keyboard", keyboard)
        writer.member("openAccess", true)
        writer.member("container", container.rawValue)
        writer.member("weakened", strings: weakened)
        writer.endObject()
      }
    } else {
      try console.print(
        "\(keyboard) has open access. Its private container was "
          + (container == .empty ? "emptied." : "kept."))
      for layer in weakened {
        try console.print("It may run without a layer of the sandbox: \(layer).")
      }
    }
    return .success
  })

let revokeCommand = Command(
  "revoke", abstract: "Take back what was granted to a keyboard.",
  arguments: [keyboardArgument, capabilityArgument], options: [.json],
  action: { invocation, console in
    let context = try HostContext()
    let keyboard = invocation.argument("KEYBOARD")
    try context.choices.revokeOpenAccess(keyboard, log: try context.openLog())
    if invocation.wantsJSON {
      try console.printJSON { writer in
        writer.beginObject()
        writer.member("keyboard", keyboard)
        writer.member("openAccess", false)
        writer.endObject()
      }
    } else {
      try console.print("\(keyboard) has open access no more.")
    }
    return .success
  })
