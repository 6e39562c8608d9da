import LinuxSystem

/// Decides from outside whether an attack worked.
struct Judge {
  let attack: Attack
  let decoys: Decoys
  let attacker: Attacker
  /// The namespaces that the attacker was given.
  private let namespaces: [String: String]

  /// To be made before the attack begins.
  init(_ attack: Attack, _ decoys: Decoys, _ attacker: Attacker) {
    self.attack = attack
    self.decoys = decoys
    self.attacker = attacker
    namespaces =
      attack.evidence == .namespace ? Self.namespaces(of: attacker.process) : [:]
  }

  private static func namespaces(of process: Int32) -> [String: String] {
    var found: [String: String] = [:]
    let folder = "/proc/\(process)/ns"
    for name in Machine.names(folder) { found[name] = RealPath.link(at: "\(folder)/\(name)") }
    return found
  }

  /// The evidence can be a moment late, so a missing one is looked for again.
  func hasSucceeded() -> Bool {
    for _ in 0..<4 {
      if sees() { return true }
      if !isLate { return false }
      attacker.turn(5)
    }
    return false
  }

  /// Whether waiting can help: what is in a file or in a process is there at once.
  private var isLate: Bool {
    switch attack.evidence {
    case .secretArrived, .victimChanged, .process, .program: true
    default: false
    }
  }

  private var secret: [UInt8] { Array(decoys.secret.utf8) }

  /// Whether the evidence is there already.
  func sees() -> Bool {
    let process = attacker.process
    switch attack.evidence {
    case .secretTaken: return Machine.contains(attacker.output, secret)
    case .secretArrived: return decoys.hasReceived()
    case .sizeTaken: return attacker.hasSaid("size=\(decoys.size)")
    case .changed: return decoys.hasChanged
    case .victimChanged: return decoys.victim?.hasChanged == true
    case .tone: return decoys.tone.map { Microphone.hears($0, in: attacker.output) } ?? false
    case .descriptor(let kind):
      // What it was started with at 0 to 3 are sockets inside and pipes outside.
      let given = (0...3).compactMap { RealPath.link(at: "/proc/\(process)/fd/\($0)") }
      return descriptors(process).contains { $0.contains(kind) && !given.contains($0) }
    case .descriptors(let count): return descriptors(process).count >= count
    case .process: return family.contains { $0 != process }
    case .processes(let count): return family.count >= count
    case .program:
      return family.contains { process in
        let words = (Machine.contents("/proc/\(process)/cmdline") ?? []).split(separator: 0)
        return words.count > 1 && words[1].elementsEqual("idle".utf8)
      }
    case .executable(let path):
      return family.contains { RealPath.link(at: "/proc/\($0)/exe") == decoys.fill(path) }
    case .key:
      return Machine.contains(Machine.contents("/proc/keys") ?? [], secret)
    case .namespace:
      return family.contains { member in
        let now = Self.namespaces(of: member)
        return namespaces.contains { now[$0.key] != nil && now[$0.key] != $0.value }
      }
    case .state(let file, let line):
      let text = Machine.text("/proc/\(process)/\(file)") ?? ""
      return text.split(separator: "\n").contains { found in
        found.split { $0 == " " || $0 == "\t" }.joined(separator: " ") == line
      }
    case .memory(let bytes):
      let fields = (Machine.text("/proc/\(process)/statm") ?? "").split(separator: " ")
      return fields.count > 1 && (Int(fields[1]) ?? 0) * MemoryPage.size >= bytes
    case .fileSize(let bytes): return Machine.openFiles(process).contains { $0.size >= bytes }
    case .fileRoom(let bytes): return Machine.openFiles(process).contains { $0.room >= bytes }
    case .locked: return Machine.isLocked(decoys.file)
    case .listening:
      // The probe's own network, where the inode of the socket is in the "listening" state, 0A.
      let sockets = descriptors(process).filter { $0.hasPrefix("socket:[") }
        .map { $0.dropFirst(8).dropLast() }
      return (Machine.text("/proc/\(process)/net/tcp") ?? "").split(separator: "\n").contains {
        let fields = $0.split(separator: " ")
        return fields.count > 9 && fields[3] == "0A" && sockets.contains(fields[9])
      }
    case .survival: return attacker.status == nil && attacker.hasSaid("end")
    case .traced:
      let status = Machine.text("/proc/\(process)/status") ?? ""
      return status.split(separator: "\n").contains {
        $0.hasPrefix("TracerPid:") && !$0.hasSuffix("\t0")
      }
    }
  }

  private func descriptors(_ process: Int32) -> [String] {
    let folder = "/proc/\(process)/fd"
    return Machine.names(folder).compactMap { RealPath.link(at: "\(folder)/\($0)") }
  }

  /// The attacker and whatever came from it: they all have the secret on their command line.
  private var family: [Int32] { Machine.processes(with: decoys.secret) }

  /// Nothing of it stays.
  func cleanUp() {
    attacker.end()
    guard attack.arguments.contains(where: { $0.contains("{secret}") }) else { return }
    for process in family where process != ProcessControl.identifier {
      Machine.end(process, knownBy: decoys.secret)
    }
  }
}
