import CSandboxProbe

// sandbox-probe ATTACK ARGUMENT...
//
// Makes one attack, in just the way that its arguments say, and reports raw results. It is the
// attacker of `keyhost selftest` and of the security suite, and is never believed: they judge from
// outside. By hand: it waits for a line on its standard input before it attacks, and for the end of
// it before it leaves.
let words = (1..<max(1, Int(probe_argument_count()))).map {
  String(cString: probe_argument(Int32($0)))
}
guard let attack = words.first, let body = attacks[attack] else {
  Report.line("usage: sandbox-probe ATTACK ARGUMENT..., with ATTACK one of:")
  for name in attacks.keys.sorted() { Report.line("  \(name)") }
  Kernel.exit(2)
}
Report.line("ready")
Kernel.waitForInput()
body(Array(words.dropFirst()))
Report.line("end")
while Kernel.waitForInput() {}
Kernel.exit(0)
