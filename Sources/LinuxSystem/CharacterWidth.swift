import CLinux

/// How wide characters are on a terminal, as the C library of the programs there has it.
public enum CharacterWidth {
  /// The columns that a character takes: 0 for one that is drawn on another, -1 for one that cannot
  /// be drawn. By wcwidth(3) in the locale `C.UTF-8`, whatever the process's own is.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    Int(clinux_columns(scalar.value))
  }
}
