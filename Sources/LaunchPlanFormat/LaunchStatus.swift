/// What the launcher tells the host while it works, one message a write on its status pipe.
///
/// When the pipe ends after `.ready`, the program has started (its end is closed on exec); when it
/// ends before, the launcher is gone.
public enum LaunchStatus: Sendable, Equatable {
  /// The process that will become the keyboard, as the host counts processes.
  case process(Int32)
  /// A layer is done.
  case layer(SandboxLayer, LayerState)
  /// Nothing will be started: `step` failed in `layer` (nil: before any layer, or in the exec).
  case failure(SandboxLayer?, step: String, errno: Int32)
  /// Only the filter and the exec are left. The notification listener will have this number;
  /// negative when the filter asks for none.
  case ready(listener: Int32, landlockABI: Int32)
}

extension LaunchStatus {
  /// No message is larger, so that the pipe takes each whole (PIPE_BUF is 4,096).
  public static let maximumSize = 2048

  /// The message with its length in front (32 bits, little-endian, itself not counted).
  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.put(UInt32(0))
    switch self {
    case .process(let process):
      writer.put(UInt8(1))
      writer.put(UInt32(bitPattern: process))
    case .layer(let layer, let state):
      writer.put(UInt8(2))
      writer.put(Self.number(of: layer))
      switch state {
      case .enforced: writer.put(UInt8(0))
      case .partly(let text):
        writer.put(UInt8(1))
        Self.put(text, into: &writer)
      case .unavailable(let text):
        writer.put(UInt8(2))
        Self.put(text, into: &writer)
      case .notRequested: writer.put(UInt8(3))
      }
    case .failure(let layer, let step, let errno):
      writer.put(UInt8(3))
      writer.put(layer.map(Self.number) ?? UInt8.max)
      Self.put(step, into: &writer)
      writer.put(UInt32(bitPattern: errno))
    case .ready(let listener, let abi):
      writer.put(UInt8(4))
      writer.put(UInt32(bitPattern: listener))
      writer.put(UInt32(bitPattern: abi))
    }
    writer.replace(at: 0, with: UInt32(writer.bytes.count - 4))
    return writer.bytes
  }

  /// Takes the first whole message from `buffer`; nil until there is one.
  public static func take(
    from buffer: inout [UInt8]
  ) throws(LaunchPlanError) -> LaunchStatus? {
    guard buffer.count >= 4 else { return nil }
    var header = ByteReader(buffer)
    let length = Int(try header.uint32())
    guard length <= maximumSize else { throw header.error("a status message is too long") }
    guard buffer.count >= 4 + length else { return nil }
    var reader = ByteReader(Array(buffer[4..<(4 + length)]))
    buffer.removeFirst(4 + length)
    let message: LaunchStatus
    switch try reader.uint8() {
    case 1: message = .process(Int32(bitPattern: try reader.uint32()))
    case 2:
      guard let layer = layer(number: try reader.uint8()) else {
        throw reader.error("a layer nobody knows")
      }
      switch try reader.uint8() {
      case 0: message = .layer(layer, .enforced)
      case 1: message = .layer(layer, .partly(try reader.string()))
      case 2: message = .layer(layer, .unavailable(try reader.string()))
      case 3: message = .layer(layer, .notRequested)
      default: throw reader.error("a layer's state nobody knows")
      }
    case 3:
      let layer = layer(number: try reader.uint8())
      let step = try reader.string()
      message = .failure(layer, step: step, errno: Int32(bitPattern: try reader.uint32()))
    case 4:
      message = .ready(
        listener: Int32(bitPattern: try reader.uint32()),
        landlockABI: Int32(bitPattern: try reader.uint32()))
    default: throw reader.error("a status message nobody knows")
    }
    guard reader.isAtEnd else { throw reader.error("a status message with bytes too many") }
    return message
  }

  private static func number(of layer: SandboxLayer) -> UInt8 {
    UInt8(SandboxLayer.allCases.firstIndex(of: layer) ?? 0)
  }

  private static func layer(number: UInt8) -> SandboxLayer? {
    let all = SandboxLayer.allCases
    return Int(number) < all.count ? all[Int(number)] : nil
  }

  /// Cut to what fits a message: a status that cannot be sent would hide the failure it tells of.
  private static func put(_ text: String, into writer: inout ByteWriter) {
    var cut = text.replacing("\0", with: "?")
    while cut.utf8.count > 1024 { cut.removeLast(max(1, (cut.utf8.count - 1024) / 4)) }
    writer.put(UInt32(cut.utf8.count))
    writer.bytes += Array(cut.utf8)
  }
}
