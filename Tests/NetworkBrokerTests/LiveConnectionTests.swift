import Testing

@testable import NetworkBroker

@Suite("A connection as the kernel tells of it") struct LiveConnectionTests {
  /// `struct inet_diag_msg` with a state and an inode.
  private func answer(state: UInt8, inode: UInt32, count: Int = 72) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 68) + KernelQuestion.bytes(inode)
    bytes[1] = state
    return Array(bytes.prefix(count))
  }

  @Test("counts until its buffers are gone, and what is only remembered does not")
  func remembered() {
    // ESTABLISHED, FIN_WAIT1, CLOSE_WAIT, LAST_ACK, CLOSING: data may wait in them.
    for state: UInt8 in [1, 4, 8, 9, 11] {
      #expect(!LiveConnection.isRemembered(answer(state: state, inode: 0)))
      #expect(!LiveConnection.isRemembered(answer(state: state, inode: 7)))
    }
    #expect(LiveConnection.isRemembered(answer(state: 6, inode: 0)))
    // FIN_WAIT2 can still receive, as long as somebody has it.
    #expect(LiveConnection.isRemembered(answer(state: 5, inode: 0)))
    #expect(!LiveConnection.isRemembered(answer(state: 5, inode: 7)))
    #expect(!LiveConnection.isRemembered(answer(state: 6, inode: 0, count: 71)))
  }
}
