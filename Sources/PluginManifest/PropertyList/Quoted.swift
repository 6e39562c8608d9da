import TerminalText

/// A text from a bundle as messages show it: escaped, bounded, between backquotes.
func quoted(_ text: String) -> String { "`\(VisibleText.escape(text, limit: 100))`" }
