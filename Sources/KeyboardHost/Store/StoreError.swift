import LinuxSystem
import TerminalText

/// Why the host's own files could not be read or changed. The message names the file and what to
/// do; nothing was changed.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// The user asked for something that is refused or does not exist.
    case refused
    /// What the user wrote cannot mean anything: a name or an address of no possible form.
    case wrongUse
    /// A file could not be read or written.
    case file
    /// A file holds what it must not hold; it is kept as it is.
    case damaged
    /// Another process holds the lock.
    case busy
    /// The audit line could not be written, so the change was not made.
    case audit
  }
  public var kind: Kind
  /// Safe to show: much of what it quotes comes from bundles, files and arguments.
  public let message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = VisibleText.escape(message)
  }

  public var description: String { message }
}

/// Runs file operations, turning their error into the store's.
func fileOperation<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(StoreError) -> Result {
  do { return try body() } catch { throw StoreError(.file, VisibleText.escape("\(error)")) }
}
