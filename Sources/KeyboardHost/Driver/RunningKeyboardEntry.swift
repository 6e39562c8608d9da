/// The word that was left of a keyboard that runs. It is taken back when nobody holds this any more,
/// if the process has ended by then.
public final class RunningKeyboardEntry {
  private let records: RunningKeyboards
  private let process: RunningKeyboard.Process

  init(_ running: RunningKeyboard, in records: RunningKeyboards) throws {
    self.records = records
    process = running.process
    try records.enter(running)
  }

  deinit { records.leave(process) }
}
