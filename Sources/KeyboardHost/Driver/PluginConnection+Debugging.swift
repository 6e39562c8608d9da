import LinuxSystem
import SandboxLaunch

// A debugger at a keyboard, from outside its sandbox: `keyhost type --debug`.
extension PluginConnection {
  /// How often it is looked whether a debugger came or went, in milliseconds.
  private static let debuggerInterval: UInt64 = 20

  func awaitDebugger() {
    setDebugger(.awaited)
    nextDebuggerLook = driver.now.adding(milliseconds: Self.debuggerInterval)
  }

  func lookForDebugger() {
    nextDebuggerLook = driver.now.adding(milliseconds: Self.debuggerInterval)
    guard let tracer = child.tracer() else { return }
    if tracer != 0 {
      guard debugger != .attached(process: tracer) else { return }
      setDebugger(.attached(process: tracer))
      driver.feed(.debugger(id, isAttached: true))
    } else if case .attached = debugger {
      // Its stop was the host's. A debugger that lets go leaves it as it found it.
      do { try child.resume() } catch { return }
      setDebugger(.detached)
      driver.feed(.debugger(id, isAttached: false))
    }
  }

  private func setDebugger(_ state: DebuggerState) {
    debugger = state
    driver.onDebugger(keyboard, child.processIdentifier, state)
  }
}
