/// What an observer outside sees when an attack works.
public enum Evidence: Sendable, Equatable {
  /// The attacker got the secret, which it was not told.
  case secretTaken
  /// The secret, which the attacker was told, arrived at the decoy.
  case secretArrived
  /// The attacker has a descriptor of this kind open, as /proc/PID/fd names it.
  case descriptor(String)
  /// There is a second process.
  case process
  /// So many at least.
  case processes(Int)
  /// Another program runs in its place.
  case program
  /// This program runs in its place.
  case executable(String)
  /// A keyring whose name has the secret.
  case key
  /// It is in other namespaces than it was given.
  case namespace
  /// The decoy file's kind, mode, size, times or name are not what they were.
  case changed
  /// The attacker learned the decoy's size.
  case sizeTaken
  /// The victim has ended, or stopped, or runs otherwise than it did.
  case victimChanged
  /// A file of /proc/PID of the attacker's own holds this line, its spaces taken as one.
  case state(file: String, line: String)
  /// It uses so many bytes of memory at least.
  case memory(Int)
  /// It has so many descriptors at least.
  case descriptors(Int)
  /// A file in its container or temporary folder has so many bytes at least, by its own /proc.
  case fileSize(Int)
  /// A file of its own takes up so many bytes on the disk at least, whatever its size is.
  case fileRoom(Int)
  /// Another program finds the decoy file locked.
  case locked
  /// It still runs, after all that.
  case survival
  /// It recorded the tone.
  case tone
  /// Somebody traces it.
  case traced
  /// Others can connect to it.
  case listening
}
