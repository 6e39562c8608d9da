import StrictJSON
import TestSupport
import Testing

/// The host tells in its log which path a keyboard tried. To look the path up would tell its name,
/// which can be what the person typed, to whoever serves that file system, or wait for them.
@Suite("Nobody is told a name that a keyboard chose")
struct AutomounterTests {
  @Test(
    "an automounter never hears of the paths that a keyboard opens, runs or makes its root",
    .enabled(if: Products.isRoot, "only root can be an automounter"))
  func automounter() throws {
    // Of a mount namespace of its own. A place below /tmp would be the keyboard's to write to.
    let folder = "/mnt"
    let home = try TemporaryHome(keyboards: [
      "one": PythonKeyboard.script(
        """
        place = "\(folder)/typed-secret/x"
        attempts = [lambda: os.open(place, os.O_WRONLY | os.O_CREAT),
                    lambda: os.execv(place, [place]), lambda: os.chroot(place)]
        def attempt(request):
            answer(request)
            try:
                attempts[number() - 1]()
            except OSError:
                pass
        serve(attempt)
        """)
    ])
    let program = Program("/usr/bin/unshare", environment: home.environment, deadline: 120)
    let result = try program.run(
      "-m", "/usr/bin/python3", SourceTree.root + "/Tests/SecuritySuite/Rig/automounter.py", folder,
      "60", Products.keyhost, "type", input: "abc")
    if result.standardError.hasPrefix("mount: ") {
      print("not testable here: this kernel has no autofs (\(result.standardError))")
      return
    }
    #expect(result.exitCode == 0, "\(result)")
    let report = try JSONDocument(parsing: result.standardOutputBytes).root
    // It works, and is told what others look up.
    let afterwards = report["afterwards"]?.elements?.map(\.string)
    #expect(afterwards?.contains("control") == true, "\(result)")
    #expect(report["output"]?.string == "abc\n", "\(result)")
    let log = try home.keyhost("log", "--json").standardOutput
    for call in ["openat of /mnt/… for writing", "execve of /mnt/…", "chroot of /mnt/…"] {
      #expect(log.contains(call), "\(call): \(log)")
    }
    #expect(report["during"]?.elements?.map(\.string) == [], "\(result)")
  }
}
