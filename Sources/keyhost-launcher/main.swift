// keyhost-launcher: becomes one keyboard, behind every layer of the sandbox.
//
// The host starts it with a sealed plan; it is of no use by hand. It has one thread and no
// Foundation. Exit codes: 2 the plan was refused, 3 a layer failed, 4 the keyboard's program could
// not be started.
Launcher.run()
