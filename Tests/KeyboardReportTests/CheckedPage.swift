import StrictJSON
import TestSupport
import Testing

/// A page as a parser of another make reads it: Python's, which is strict about nothing, with the
/// checks that a page must pass.
struct CheckedPage {
  /// What is wrong with the page; empty if nothing is.
  let faults: [String]
  /// Headings, captions and column headings in their order, as `h2 Keyboards`.
  let outline: [String]
  /// All text that is shown.
  let text: String
  /// The titles of the pictures' marks, by the picture's id.
  let marks: Int

  init(_ html: [UInt8]) throws {
    let home = try TemporaryHome()
    try Files.write(html, to: "\(home.work)/page.html")
    let result = try Program("/usr/bin/python3").run(
      ["-I", "-c", Self.script, "\(home.work)/page.html"])
    try #require(result.exitCode == 0, "\(result)")
    let root = try JSONDocument(parsing: result.standardOutput).root
    func strings(_ name: String) -> [String] {
      root[name]?.elements?.compactMap(\.string) ?? []
    }
    faults = strings("faults")
    outline = strings("outline")
    text = root["text"]?.string ?? ""
    marks = root["marks"]?.int64.map { Int($0) } ?? 0
  }

  private static let script = """
    import base64, hashlib, html.parser, json, re, sys

    void = {"meta", "rect", "path", "circle"}
    allowed = void | set(
        "html head title style body main h1 h2 h3 h4 p ul li section table caption thead tbody tr"
        " th td code bdi svg desc g details summary dl dt dd".split())
    outlined = {"h1", "h2", "h3", "h4", "caption", "th", "summary", "title"}

    class Page(html.parser.HTMLParser):
        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.open, self.faults, self.outline, self.ids, self.refs = [], [], [], set(), []
            self.text, self.marks, self.policy, self.style = [], 0, None, ""
        def handle_decl(self, decl):
            if decl.lower() != "doctype html": self.faults.append("declaration " + decl)
        def handle_comment(self, data): self.faults.append("comment " + data)
        def handle_pi(self, data): self.faults.append("instruction " + data)
        def start(self, tag, attrs):
            if tag not in allowed: self.faults.append("element " + tag)
            names = [name for name, _ in attrs]
            if len(set(names)) != len(names): self.faults.append("attribute twice in " + tag)
            for name, value in attrs:
                if name.startswith("on") or name in ("src", "href", "style", "srcdoc", "action"):
                    self.faults.append("attribute " + name)
                if "url(" in (value or ""): self.faults.append("address in " + name)
                if name == "id":
                    if value in self.ids: self.faults.append("id twice: " + value)
                    self.ids.add(value)
                if name == "aria-labelledby": self.refs += value.split()
            attrs = dict(attrs)
            if tag == "html" and attrs.get("lang") != "en": self.faults.append("no language")
            if tag == "th" and "scope" not in attrs: self.faults.append("th without scope")
            if tag == "svg" and attrs.get("role") != "img" and attrs.get("aria-hidden") != "true":
                self.faults.append("svg that is neither named nor hidden")
            if attrs.get("http-equiv") == "Content-Security-Policy": self.policy = attrs["content"]
            return attrs
        def handle_starttag(self, tag, attrs):
            self.start(tag, attrs)
            if tag in void: self.faults.append(tag + " is not closed")
            self.open.append((tag, ""))
        def handle_startendtag(self, tag, attrs):
            self.start(tag, attrs)
            if tag not in void: self.faults.append(tag + " is closed at once")
        def handle_endtag(self, tag):
            if not self.open or self.open[-1][0] != tag:
                self.faults.append("end of " + tag + " out of place")
                return
            tag, content = self.open.pop()
            if tag in outlined and not (tag == "title" and self.open[-1][0] == "g"):
                self.outline.append(tag + " " + re.sub("[0-9]+", "N", content.strip()))
            if tag == "title" and self.open[-1][0] == "g": self.marks += 1
            if tag == "style": self.style = content
            elif self.open: self.open[-1] = (self.open[-1][0], self.open[-1][1] + content)
        def handle_data(self, data):
            if self.open:
                self.open[-1] = (self.open[-1][0], self.open[-1][1] + data)
                if self.open[-1][0] != "style": self.text.append(data)

    source = open(sys.argv[1], "rb").read().decode("utf-8")
    page = Page()
    page.feed(source)
    page.close()
    if page.open: page.faults.append("never closed: " + page.open[-1][0])
    for reference in page.refs:
        if reference not in page.ids: page.faults.append("no such id: " + reference)
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    wanted = ("default-src 'none'; style-src 'sha256-" + digest
              + "'; base-uri 'none'; form-action 'none'")
    if page.policy != wanted: page.faults.append("policy " + str(page.policy))
    if re.search("url\\\\(|@import|https?:", page.style): page.faults.append("style from outside")
    text = "".join(page.text)
    for character in text:
        if ord(character) < 32 and character != "\\n" or 127 <= ord(character) < 160 \\
           or character in "\\u202a\\u202b\\u202c\\u202d\\u202e\\u2066\\u2067\\u2068\\u2069\\u200e\\u200f":
            page.faults.append("character U+%04X" % ord(character))
    print(json.dumps({"faults": page.faults, "outline": page.outline, "text": text,
                      "marks": page.marks}))
    """
}
