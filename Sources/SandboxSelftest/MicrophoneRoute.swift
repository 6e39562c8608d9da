/// How a sound server is reached.
public enum MicrophoneRoute: String, Sendable, CaseIterable {
  case unixSocket, loopback, ownAddress
}
