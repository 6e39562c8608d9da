import Glibc
import LinuxSystem

/// Walks through a bundle without ever following a link, and refuses what does not belong into
/// one. What is checked is what is copied: both happen on the same open file.
struct BundleWalk {
  private var entries = 0
  private var bytes = 0

  /// - Parameter path: where the folder stands in the bundle; empty for the bundle itself.
  mutating func walk<Sink: BundleSink & ~Copyable>(
    _ source: borrowing DirectoryHandle, into sink: borrowing Sink, path: String = "",
    depth: Int = 1
  ) throws(BundleError) {
    guard depth <= BundleLimits.depth else {
      throw BundleError(
        file: path, message: "folders stand deeper than \(BundleLimits.depth) in each other")
    }
    let names = try Self.attempt(path) { () throws(FileError) in try source.names() }
    for name in names {
      guard let text = name.string else {
        throw BundleError(
          file: path, message: "a file's name is not valid UTF-8: \(quoted("\(name)"))")
      }
      let place = path.isEmpty ? text : path + "/" + text
      if let fault = BundleNames.faultOfFile(text) {
        throw BundleError(file: place, message: "the file's name \(fault)")
      }
      entries += 1
      guard entries <= BundleLimits.entries else {
        throw BundleError(
          file: place, message: "the bundle holds more than \(BundleLimits.entries) files")
      }
      let status = try Self.attempt(place) { () throws(FileError) in try source.status(name) }
      switch status.kind {
      case .directory:
        let inner = try Self.attempt(place) { () throws(FileError) in
          try source.openDirectory(name)
        }
        let copy = try Self.attempt(place) { () throws(FileError) in try sink.makeFolder(name) }
        try walk(inner, into: copy, path: place, depth: depth + 1)
      case .regular: try take(name, of: source, into: sink, place)
      case .symbolicLink:
        let target = try Self.attempt(place) { () throws(FileError) in
          try source.linkTarget(name)
        }
        try Self.check(linkTo: target, place)
        try Self.attempt(place) { () throws(FileError) in try sink.makeLink(name, to: target) }
      case .blockDevice, .characterDevice, .fifo, .socket, .unknown:
        throw BundleError(
          file: place, message: "it is a \(status.kind.rawValue), which has no place in a bundle")
      }
    }
    try Self.attempt(path) { () throws(FileError) in try sink.finishFolder() }
  }

  private mutating func take<Sink: BundleSink & ~Copyable>(
    _ name: FileName, of source: borrowing DirectoryHandle, into sink: borrowing Sink,
    _ place: String
  ) throws(BundleError) {
    let file = try Self.attempt(place) { () throws(FileError) in try source.openFile(name) }
    // Of the open file, since the name may have been given to another meanwhile.
    let status = try Self.attempt(place) { () throws(FileError) in try file.status() }
    guard status.kind == .regular else {
      throw BundleError(file: place, message: "it changed while it was read")
    }
    // Whoever may not read a file can still link to it: copied by root, it would be readable.
    guard status.links <= 1 else {
      throw BundleError(
        file: place,
        message: "it has \(status.links) hard links, and so belongs to something else as well: "
          + "copy the bundle first, with `cp -r`, and install the copy")
    }
    if status.isSetUser || status.isSetGroup {
      let bit = status.isSetUser ? "set-user-id" : "set-group-id"
      throw BundleError(
        file: place, message: "it is \(bit): take that away with `chmod ug-s`")
    }
    if status.isExecutable, status.isWritableByOthers {
      throw BundleError(
        file: place,
        message: "it is a program that everybody can write to: take that away with `chmod o-w`")
    }
    if file.hasCapabilities {
      throw BundleError(
        file: place, message: "it has file capabilities: take them away with `setcap -r`")
    }
    let room = BundleLimits.bytes - bytes
    guard status.size <= room else { throw Self.tooLarge(place) }
    do {
      bytes += try sink.takeFile(
        name, from: file, isExecutable: status.isExecutable, limit: room)
    } catch {
      throw error.code == EFBIG ? Self.tooLarge(place) : BundleError(file: place, cause: error)
    }
  }

  /// A link may lead to something below its own folder, and so never out of the bundle.
  private static func check(linkTo target: FileName, _ place: String) throws(BundleError) {
    guard let text = target.string, !text.isEmpty else {
      throw BundleError(file: place, message: "it is a link whose target is not valid UTF-8")
    }
    if text.utf8.first == UInt8(ascii: "/") {
      throw BundleError(
        file: place, message: "it is a link out of the bundle, to \(quoted(text))")
    }
    // By bytes, as the kernel does: a letter may join a slash to itself among characters.
    let parts = text.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    if parts.contains("..") {
      throw BundleError(
        file: place,
        message: "it is a link to \(quoted(text)): `..` is not allowed, since it may lead out of "
          + "the bundle")
    }
    for part in parts {
      if part != ".", let fault = BundleNames.faultOfFile(String(part)) {
        throw BundleError(file: place, message: "it is a link whose target \(fault)")
      }
    }
  }

  private static func tooLarge(_ place: String) -> BundleError {
    BundleError(
      file: place, message: "the bundle holds more than \(BundleLimits.bytes >> 20) MiB")
  }

  /// Runs a file operation on something in the bundle.
  /// - Parameter explain: a better message for some error numbers.
  static func attempt<Result: ~Copyable>(
    _ place: String, explain: (Int32) -> String? = { _ in nil },
    _ body: () throws(FileError) -> Result
  ) throws(BundleError) -> Result {
    do { return try body() } catch {
      if let message = explain(error.code) { throw BundleError(file: place, message: message) }
      throw BundleError(file: place, cause: error)
    }
  }
}

extension BundleError {
  init(file: String, cause: FileError) {
    // Some operations name their object themselves: "open the folder".
    let isComplete = ["folder", "link", "disk"].contains { cause.operation.hasSuffix(" the \($0)") }
    self.init(
      file: file,
      message: "cannot \(cause.operation)\(isComplete ? "" : " it"): \(cause.reason)")
  }
}
