/// What a decoy is made of. All lie in a folder of the run's own.
public enum DecoyKind: Sendable, Equatable {
  case none
  /// A file that holds the secret: `{file}`.
  case secretFile
  /// A file that anybody may write to: `{file}`.
  case targetFile
  /// A file that is not there, in a folder that anybody may write to: `{file}`.
  case missingFile
  /// A terminal: `{terminal}`; what it shows, and what was typed into it, can be seen.
  case terminal
  /// A terminal into which somebody has typed the secret.
  case typedTerminal
  /// A device node in the run's folder, for the null device: `{file}`. Root makes it.
  case device
  /// A listener on a Unix socket, at a path or with an abstract name: `{address}`.
  case unixListener, unixDatagram, abstractListener
  /// A listener on 127.0.0.1, on ::1, or on another address of the machine: `{address}`.
  case tcpListener, tcp6Listener, ownAddressListener, udpListener
  /// One that takes connections to every address of the machine, in both versions: `{port}`.
  case everyAddressListener
  /// Another process of the same user, with the secret in its memory, at `{place}`, and in a file
  /// only it has open, as `{descriptor}`: `{pid}`.
  case victim
  /// A victim whose memory does not hold the secret.
  case ignorantVictim
  /// A victim in namespaces of its own.
  case victimElsewhere
  /// Memory, messages or a semaphore that others share: `{key}`, or `{name}` for a message queue.
  case sharedMemory, sharedMessages, sharedSemaphore, messageQueue
  /// A file of the user's in the folder for shared memory: `{file}`.
  case sharedMemoryFile
  /// A file in the attacker's own bundle: `{file}`.
  case bundleFile
  /// A program that takes its owner's rights: `{file}`.
  case setUserProgram
  /// A sound server whose microphone plays a tone: `{address}`.
  case microphone(MicrophoneRoute)
  /// An open file with the secret in it, and its folder, that the starter forgot to close; or one
  /// without it.
  case inherited, inheritedTarget
  /// One end of a connection that the starter forgot to close.
  case inheritedSocket
}
