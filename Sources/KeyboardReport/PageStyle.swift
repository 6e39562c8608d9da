import ClassicBPF

/// The page's style sheet. It is named by its digest in the page's content security policy, so that
/// no other style, and no script at all, is taken from anywhere.
enum PageStyle {
  static let sheet: StaticString = """
    :root{color-scheme:light dark;--ink:#1c1e21;--paper:#fff;--line:#c4c8ce;--quiet:#565c64;\
    --good:#14663a;--part:#7a5a00;--host:#1d4fa8;--bad:#a31621}
    @media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#16181b;--line:#454a51;\
    --quiet:#a9b0b8;--good:#6fd39b;--part:#e2bd5a;--host:#8db4ff;--bad:#ff8f88}}
    body{margin:0 auto;padding:1rem;max-width:62rem;color:var(--ink);background:var(--paper);\
    font:1rem/1.45 system-ui,sans-serif;overflow-wrap:break-word}
    h3,li,td,code{overflow-wrap:anywhere}td{min-width:4.5rem}
    h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1.05rem}
    section.keyboard{border:1px solid var(--line);border-radius:.4rem;padding:0 1rem;margin:1rem 0}
    table{border-collapse:collapse;width:100%;margin:.6rem 0}
    caption{text-align:start;font-weight:600;padding:.3rem 0}
    th,td{text-align:start;vertical-align:top;padding:.2rem .6rem .2rem 0;\
    border-top:1px solid var(--line)}
    th{font-weight:600}td.number{text-align:end;font-variant-numeric:tabular-nums}
    td.time,td.number{white-space:nowrap;overflow-wrap:normal;min-width:0;width:1%}
    code{font-size:.9em}p.quiet,dd.quiet{color:var(--quiet)}
    .finding{color:var(--bad);font-weight:600}
    svg.calls{width:100%;height:auto;max-width:46rem}
    .allowed{fill:var(--good)}.some{fill:var(--part)}.host{fill:var(--host)}
    .refused{fill:var(--quiet)}.ends{stroke:var(--bad);stroke-width:2;fill:none}
    .ring{fill:none;stroke:var(--ink);stroke-width:1}
    @media print{body{max-width:none}section.keyboard{break-inside:avoid}}
    """

  /// The content security policy: this style, and nothing else from anywhere.
  static var policy: String {
    let digest = base64(SHA256.digest(of: Array("\(sheet)".utf8)))
    return "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'"
  }

  /// RFC 4648, with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var result = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
      for place in 0..<4 {
        result.append(place > group.count ? "=" : letters[bits >> (18 - 6 * place) & 63])
      }
    }
    return result
  }
}
