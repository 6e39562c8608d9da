/// How a cell looks. What it means is always said in words too: colours may be missing.
public struct Style: Sendable, Equatable {
  /// What a colour stands for.
  public enum Tone: Sendable, Equatable {
    case plain, allowed, refused, network, accent
  }

  public var tone = Tone.plain
  public var isBold = false
  public var isDim = false
  public var isReversed = false

  public init(
    _ tone: Tone = .plain, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    self.tone = tone
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  public static let plain = Style()
  public static let bold = Style(isBold: true)
  public static let dim = Style(isDim: true)
}
