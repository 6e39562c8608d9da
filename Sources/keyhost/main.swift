import CommandLineInterface
import Glibc
import KeyboardHost
import LinuxSystem

// Without them a file of the host's would take what is meant for a person.
do { try StandardDescriptors.fill() } catch { exit(ExitCode.internalError.rawValue) }

Signals.ignoreFileSizeLimit()

/// The whole program: a table of commands.
let program = Program(
  name: "keyhost", version: HostVersion.current,
  abstract: "Runs third-party keyboards in a sandbox: install them, choose them, type with them.",
  discussion: [
    """
    Exit codes: 0 all is well; 1 a fault was found, or what was asked for is refused; 2 the \
    command line is wrong; 70 a fault of the program itself.
    """
  ],
  commands: [
    appsCommand, keyboardsCommand, grantCommand, revokeCommand, replacementsCommand,
    contactsCommand, locationCommand, settingsCommand, explainCommand, typeCommand, playCommand,
    serveCommand,
    logCommand, auditCommand, doctorCommand, selftestCommand, newCommand, checkCommand,
  ],
  helpTopics: ["enable": ["keyboards", "how-to"]],
  isUsageFault: { ($0 as? StoreError)?.kind == .wrongUse })

exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
