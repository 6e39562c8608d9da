/// A value of a property list, read strictly.
///
/// The types are kept apart: only `<true/>` and `<false/>` are booleans. Foundation's reader is
/// not used, since it lets keys repeat (the last one wins in silence), gives no line numbers, and
/// would bring several megabytes into a host that stays in memory.
public indirect enum PropertyList: Sendable, Equatable {
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data([UInt8])
  case array([PropertyList])
  /// In the order of the file. Keys are unique.
  case dictionary([Entry])

  /// A key of a dictionary with its value.
  public struct Entry: Sendable, Equatable {
    public var key: String
    public var value: PropertyList

    public init(key: String, value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  /// The most bytes of a file that is read.
  public static let maximumBytes = 1 << 20
  /// How deep arrays and dictionaries may stand in each other.
  public static let maximumDepth = 32
  /// The most values in one file, each counted as often as a binary file refers to it.
  public static let maximumValues = 20_000

  /// Reads an XML or binary property list.
  public init(parsing bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count <= Self.maximumBytes else {
      throw PropertyListError("it is longer than \(Self.maximumBytes) bytes")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      self = try BinaryPropertyListReader(bytes: bytes).read()
    } else {
      var reader = XMLPropertyListReader(bytes: bytes)
      self = try reader.read()
    }
  }

  /// The value of a key, when this is a dictionary that has it.
  public subscript(_ key: String) -> PropertyList? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The name of the type, as messages put it.
  public var typeName: String {
    switch self {
    case .string: "a string"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}
