/// A text of one of the scripts that are hard on an editor.
public struct ScriptSample: Sendable {
  public var name: String
  /// The characters as people see them, one element each.
  public var clusters: [String]
  public var text: String { clusters.joined() }

  public static let all = [
    ScriptSample(name: "emoji families", clusters: ["👨‍👩‍👧‍👦", "a", "👩🏾‍❤️‍💋‍👨🏻", "🏳️‍🌈", "❤️", "👋🏽", "1️⃣"]),
    ScriptSample(
      name: "flags",
      clusters: ["🇫🇷", "🇩🇪", "x", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "🇯🇵"]),
    ScriptSample(
      name: "combining marks",
      clusters: ["e\u{301}", "o\u{302}\u{323}", "n", "a\u{300}\u{301}\u{302}\u{303}", "Z\u{351}"]),
    ScriptSample(
      name: "Hangul",
      clusters: ["한", "\u{1112}\u{1161}\u{11AB}", "글", "\u{1100}\u{1161}", "\u{AC00}\u{11A8}", " "]),
    ScriptSample(name: "Devanagari", clusters: ["न", "म", "स्", "ते", "क्ष", "हि", "न्", "दी"]),
    ScriptSample(name: "CRLF", clusters: ["a", "\r\n", "\r\n", "b", "\n", "\r", "c"]),
    ScriptSample(
      name: "right to left",
      clusters: ["ש", "ל\u{5B9}", "ו", "ם", " ", "ا\u{64B}", "ل", "\u{200F}", "ع"]),
  ]
}
