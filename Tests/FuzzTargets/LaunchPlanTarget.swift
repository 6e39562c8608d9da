import LaunchPlanFormat

/// There is one way to write a plan: what is read is what `encoded()` writes, to the last byte.
/// Status messages come out the same however the pipe was read.
func checkLaunchPlan(_ bytes: [UInt8]) throws(FuzzFinding) {
  if let plan = try? LaunchPlan(decoding: bytes) {
    let written = try mustNotThrow("a plan is not written") { () throws(LaunchPlanError) in
      try plan.encoded()
    }
    try demand(written == bytes, "two forms of one plan are read")
  }
  // The length is the one thing a fuzzer would never get right.
  if bytes.count >= 12 {
    var plan = bytes
    for index in 0..<4 {
      plan[8 + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index))
    }
    if let read = try? LaunchPlan(decoding: plan) {
      let again = try? read.encoded()
      try demand(again == plan, "two forms of one plan are read")
    }
  }
  let whole = take([bytes])
  let cut = take(bytes.pieces(seed: bytes.first ?? 0))
  try demand(whole == cut, "the status messages depend on how the pipe was read")
  for message in whole {
    guard case .message(let status) = message else { continue }
    var encoded = status.encoded()
    try demand(encoded.count <= 4 + LaunchStatus.maximumSize, "a status message is too long")
    let length = encoded.count
    let again = try mustNotThrow("a status is not read") { () throws(LaunchPlanError) in
      try LaunchStatus.take(from: &encoded)
    }
    guard let again else { throw FuzzFinding("a status message of \(length) bytes is not whole") }
    try demand(again.encoded().count == length, "a status message changes when written")
  }
}

private enum Taken: Equatable {
  case message(LaunchStatus)
  case fault
}

private func take(_ pieces: [[UInt8]]) -> [Taken] {
  var buffer: [UInt8] = []
  var result: [Taken] = []
  do throws(LaunchPlanError) {
    for piece in pieces {
      buffer += piece
      while let message = try LaunchStatus.take(from: &buffer) { result.append(.message(message)) }
    }
  } catch { result.append(.fault) }
  return result
}
