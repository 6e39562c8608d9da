import LinuxSystem

/// As much of an ELF file as tells which shared libraries it needs: ELF-64, little-endian
/// (https://gabi.xinuos.com, and elf(5)). Every number is checked before it is used.
struct ELFProgram {
  let place: String
  /// PT_INTERP; nil for a static program.
  private(set) var loader: String?
  /// DT_NEEDED.
  private(set) var libraries: [String] = []
  /// DT_RUNPATH or DT_RPATH, split at its colons.
  private(set) var searchPath: [String] = []

  private static let tableLimit = 1 << 20

  init(file: borrowing OpenFile, place: String) throws(BundleError) {
    self.place = place
    let header = try Self.bytes(of: file, at: 0, count: 64, place)
    #if arch(x86_64)
      let machine: UInt64 = 62
    #elseif arch(arm64)
      let machine: UInt64 = 183
    #endif
    guard header[4] == 2, header[5] == 1, Self.number(header, 18, 2) == machine else {
      throw BundleError(file: place, message: "it is an ELF program for another kind of machine")
    }
    let kind = Self.number(header, 16, 2)
    guard kind == 2 || kind == 3 else {
      throw BundleError(file: place, message: "it is an ELF file, but not a program")
    }
    let entrySize = Self.number(header, 54, 2)
    let count = Self.number(header, 56, 2)
    guard entrySize == 56, count > 0, count <= 128,
      let start = Int(exactly: Self.number(header, 32, 8)), start < 1 << 40
    else { throw Self.damaged(place) }
    let table = try Self.bytes(of: file, at: start, count: Int(count) * 56, place)
    var segments: [(address: UInt64, offset: UInt64, size: UInt64)] = []
    var dynamic: [UInt8] = []
    for index in 0..<Int(count) {
      let base = index * 56
      let offset = Self.number(table, base + 8, 8)
      let size = Self.number(table, base + 32, 8)
      switch Self.number(table, base, 4) {
      case 1: segments.append((Self.number(table, base + 16, 8), offset, size))
      case 2: dynamic = try Self.bytes(of: file, offset, size, place)
      case 3:
        loader = try Self.string(try Self.bytes(of: file, offset, size, place), at: 0, place)
      default: break
      }
    }
    try readDynamic(dynamic, segments, file)
  }

  private mutating func readDynamic(
    _ dynamic: [UInt8], _ segments: [(address: UInt64, offset: UInt64, size: UInt64)],
    _ file: borrowing OpenFile
  ) throws(BundleError) {
    var needed: [UInt64] = []
    var paths: [UInt64] = []
    var strings: (address: UInt64, size: UInt64)?
    var address: UInt64?
    var size: UInt64 = 0
    for base in stride(from: 0, to: dynamic.count - 15, by: 16) {
      let value = Self.number(dynamic, base + 8, 8)
      switch Self.number(dynamic, base, 8) {
      case 0: break
      case 1:
        needed.append(value)
        continue
      case 5: address = value
      case 10: size = value
      case 15, 29: paths.append(value)
      default: continue
      }
      if let address, size > 0 { strings = (address, size) }
      if Self.number(dynamic, base, 8) == 0 { break }
    }
    guard !needed.isEmpty || !paths.isEmpty else { return }
    guard let strings,
      let segment = segments.first(where: {
        strings.address >= $0.address && strings.address - $0.address < $0.size
      })
    else { throw Self.damaged(place) }
    let (offset, overflow) = segment.offset.addingReportingOverflow(
      strings.address - segment.address)
    guard !overflow else { throw Self.damaged(place) }
    let table = try Self.bytes(of: file, offset, strings.size, place)
    guard needed.count <= 256 else { throw Self.damaged(place) }
    for index in needed { libraries.append(try Self.string(table, at: index, place)) }
    for index in paths {
      searchPath += try Self.string(table, at: index, place).split(separator: ":").map(String.init)
    }
  }

  private static func bytes(
    of file: borrowing OpenFile, _ offset: UInt64, _ size: UInt64, _ place: String
  ) throws(BundleError) -> [UInt8] {
    guard offset < 1 << 40, size <= UInt64(tableLimit) else { throw damaged(place) }
    return try bytes(of: file, at: Int(offset), count: Int(size), place)
  }

  private static func bytes(
    of file: borrowing OpenFile, at offset: Int, count: Int, _ place: String
  ) throws(BundleError) -> [UInt8] {
    let found: [UInt8]
    do { found = try file.read(at: offset, upTo: count) } catch {
      throw BundleError(file: place, cause: error)
    }
    guard found.count == count else { throw damaged(place) }
    return found
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> UInt64 {
    bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func string(
    _ table: [UInt8], at index: UInt64, _ place: String
  ) throws(BundleError) -> String {
    guard index < UInt64(table.count),
      let end = table[Int(index)...].firstIndex(of: 0), end - Int(index) <= 4096,
      let text = String(validating: table[Int(index)..<end], as: UTF8.self)
    else { throw damaged(place) }
    return text
  }

  private static func damaged(_ place: String) -> BundleError {
    BundleError(file: place, message: "it is a damaged ELF program")
  }
}
