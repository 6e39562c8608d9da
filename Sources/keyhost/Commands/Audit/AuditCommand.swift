import CommandLineInterface

let auditCommand = Command(
  "audit", abstract: "Examine system-call filters: ours, a container tool's, or a raw program.",
  discussion: [
    """
    A filter is a file: a policy in the OCI form of `linux.seccomp`, a keyboard profile, a program \
    in binary form or as JSON `[[code, jt, jf, k], ...]`. Or it is `keyboard`, the profile that \
    ships with this program, `keyboard+open-access`, the same with the grant, or `pid:N`, the \
    filters of a running process (which root can read). Policies are compiled with libseccomp, and \
    the answers come from following the compiled program for every input there is: nothing is \
    sampled.
    """,
    """
    Exit codes: 0 proven, equal or nothing found; 1 not so, or the filter cannot be read; 2 the \
    command line is wrong.
    """,
  ],
  subcommands: [
    auditValidateCommand, auditExplainCommand, auditProveCommand, auditDiffCommand,
    auditLintCommand, auditDisassembleCommand, auditSimulateCommand, auditInspectCommand,
    auditPluginsCommand,
  ])
