extension LaunchPlan {
  /// Counts up with every change of the format: a launcher of another version refuses the plan.
  public static let formatVersion: UInt32 = 3
  /// No plan is larger, in bytes.
  public static let maximumSize = 262_144

  static let magic: UInt32 = 0x504c_484b  // "KHLP"
  static let maximumEntries: UInt32 = 1024
  static let maximumString: UInt32 = 4096
  static let maximumFilter: UInt32 = 32_768

  /// The plan as bytes: little-endian numbers, strings and lists with their count in front, all in
  /// one fixed order. The header is "KHLP", the version and the length of the whole.
  ///
  /// - Throws: if a part is larger than the launcher will read.
  public func encoded() throws(LaunchPlanError) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(Self.magic)
    writer.put(Self.formatVersion)
    writer.put(UInt32(0))  // the length, put in at the end
    try writer.put(executable)
    try writer.put(arguments)
    try writer.put(environment)
    try writer.put(workingDirectory)
    try writer.putCount(limits.count)
    for limit in limits {
      writer.put(UInt32(bitPattern: limit.resource))
      writer.put(limit.value)
    }
    writer.put(processLimit)
    writer.put(identity != nil)
    writer.put(identity ?? 0)
    writer.put(layers)
    writer.put(allowWeaker)
    try writer.putCount(binds.count)
    for bind in binds {
      try writer.put(bind.source)
      try writer.put(bind.target)
      writer.put(bind.isWritable)
      writer.put(bind.isExecutable)
      writer.put(bind.isRequired)
    }
    try writer.putCount(links.count)
    for link in links {
      try writer.put(link.path)
      try writer.put(link.destination)
    }
    try writer.putCount(files.count)
    for file in files {
      try writer.put(file.path)
      try writer.put(file.contents)
    }
    try writer.putCount(memoryFolders.count)
    for folder in memoryFolders {
      try writer.put(folder.path)
      writer.put(folder.size)
      writer.put(folder.entries)
    }
    try writer.putCount(pathRules.count)
    for rule in pathRules {
      try writer.put(rule.path)
      writer.put(rule.rights)
      writer.put(rule.isRequired)
    }
    writer.put(emulatedLandlockABI != nil)
    writer.put(UInt32(bitPattern: emulatedLandlockABI ?? 0))
    guard filter.count <= Int(Self.maximumFilter) else {
      throw LaunchPlanError(message: "the filter has too many bytes", offset: writer.bytes.count)
    }
    writer.put(UInt32(filter.count))
    writer.bytes += filter
    writer.put(notifies)
    guard writer.bytes.count <= Self.maximumSize else {
      throw LaunchPlanError(message: "the plan is too large", offset: Self.maximumSize)
    }
    writer.replace(at: 8, with: UInt32(writer.bytes.count))
    return writer.bytes
  }

  /// Reads what `encoded()` wrote, and nothing else: every bound is checked, and a byte too many
  /// is as wrong as one too few.
  public init(decoding bytes: [UInt8]) throws(LaunchPlanError) {
    self.init()
    var reader = ByteReader(bytes)
    guard bytes.count <= Self.maximumSize else { throw reader.error("the plan is too large") }
    guard try reader.uint32() == Self.magic else { throw reader.error("this is no launch plan") }
    let version = try reader.uint32()
    guard version == Self.formatVersion else {
      throw reader.error(
        "the plan has format \(version), this launcher reads \(Self.formatVersion):"
          + " host and launcher are of different releases")
    }
    guard Int(try reader.uint32()) == bytes.count else {
      throw reader.error("the plan is cut off or has bytes too many")
    }
    executable = try reader.string()
    arguments = try reader.strings()
    environment = try reader.strings()
    workingDirectory = try reader.string()
    for _ in 0..<(try reader.count()) {
      limits.append(
        Limit(resource: Int32(bitPattern: try reader.uint32()), value: try reader.uint64()))
    }
    processLimit = try reader.uint64()
    let hasIdentity = try reader.bool()
    let number = try reader.uint32()
    if hasIdentity { identity = number } else if number != 0 { throw reader.error("no identity") }
    layers = try reader.layers()
    allowWeaker = try reader.layers()
    for _ in 0..<(try reader.count()) {
      binds.append(
        Bind(
          source: try reader.string(), target: try reader.string(),
          isWritable: try reader.bool(), isExecutable: try reader.bool(),
          isRequired: try reader.bool()))
    }
    for _ in 0..<(try reader.count()) {
      links.append(Link(path: try reader.string(), destination: try reader.string()))
    }
    for _ in 0..<(try reader.count()) {
      files.append(File(path: try reader.string(), contents: try reader.string()))
    }
    for _ in 0..<(try reader.count()) {
      memoryFolders.append(
        MemoryFolder(
          path: try reader.string(), size: try reader.uint64(), entries: try reader.uint64()))
    }
    for _ in 0..<(try reader.count()) {
      pathRules.append(
        PathRule(
          path: try reader.string(), rights: try reader.uint64(), isRequired: try reader.bool()))
    }
    let hasABI = try reader.bool()
    let abi = Int32(bitPattern: try reader.uint32())
    if hasABI { emulatedLandlockABI = abi } else if abi != 0 { throw reader.error("no ABI") }
    let length = try reader.uint32()
    guard length <= Self.maximumFilter else { throw reader.error("the filter is too long") }
    filter = try reader.bytes(Int(length))
    notifies = try reader.bool()
    guard reader.isAtEnd else { throw reader.error("the plan has bytes too many") }
  }
}
