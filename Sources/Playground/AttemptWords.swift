import KeyboardHost

/// What a keyboard tried, in a person's words, and how it ended.
struct AttemptWords {
  var outcome: Activity.Outcome
  var text: String

  /// - Parameter field: what a field of the event says; nothing where it has none of that name.
  init(_ kind: AuditKind, _ field: (String) -> String) {
    let target = Self.target(field)
    switch kind {
    case .violation: self = Self.violation(field)
    case .refusal where field("capability") == "network":
      outcome = .refused
      text = (target.isEmpty ? "connect" : "connect to \(target)") + Self.reason(field("reason"))
    case .refusal:
      outcome = .refused
      let wanted = ["capability", "action", "what"].map(field).first { !$0.isEmpty } ?? "something"
      text = (Self.services[wanted] ?? wanted) + Self.reason(field("reason"))
    case .connection where field("outcome") == "connected":
      outcome = .connected
      text = target
    case .connection:
      outcome = .failed
      text = "connect to \(target): it may, but no connection came (\(field("outcome")))"
    case .lookup where field("outcome") == "asked":
      outcome = .told
      text = "the address of \(field("name")) is looked up"
    case .lookup:
      outcome = .failed
      text = "the address of \(field("name")): \(field("outcome"))"
    default:
      outcome = .told
      let service = field("service")
      text = (Self.services[service] ?? service) + ": \(field("answers")) of them"
      if service == "location" { text = "where this machine is" }
      if field("answers") == "0" {
        outcome = .failed
        text = (Self.services[service] ?? service) + ": there is no answer"
      }
    }
  }

  private init(_ outcome: Activity.Outcome, _ text: String) {
    self.outcome = outcome
    self.text = text
  }

  private static let services = ["contacts": "your contacts", "location": "where this machine is"]

  private static func target(_ field: (String) -> String) -> String {
    guard !field("address").isEmpty else { return "" }
    let name = field("name").isEmpty ? field("address") : "\(field("name")) (\(field("address")))"
    return "\(name) port \(field("port"))"
  }

  /// Why not, for a person.
  private static func reason(_ told: String) -> String {
    switch told {
    case "": return ""
    case "no-open-access": return ": it has no open access"
    case "not-granted": return ": you did not grant it"
    case "not-requested": return ": its manifest does not ask for it"
    case "too-many": return ": too many connections at once"
    default:
      let range = "not globally reachable: "
      guard let found = told.firstRange(of: range) else { return ": \(told)" }
      return ": \(told[..<found.lowerBound])no public address, but \(told[found.upperBound...])"
    }
  }

  // MARK: Calls

  private static func violation(_ field: (String) -> String) -> AttemptWords {
    let call = field("systemCall")
    let detail = field("detail")
    let told = field("outcome")
    guard !call.isEmpty else { return AttemptWords(.killed, "go on while it is frozen") }
    let outcome: Activity.Outcome =
      switch told {
      case "killed": .killed
      case AuditEvent.decidedByFileRules.description: .undecided
      default: .refused
      }
    if outcome == .killed, let words = killers[call] {
      return AttemptWords(outcome, "\(words) (\(call))")
    }
    switch call {
    case "socket", "socketpair": return AttemptWords(outcome, socket(detail))
    case "connect", "bind":
      let place = detail.split(separator: " ").dropFirst(2)
      let words = call == "connect" ? "connect" : "wait for connections"
      guard place.count > 1 else { return AttemptWords(outcome, words) }
      let isLocal = place.first == "AF_UNIX"
      return AttemptWords(
        outcome,
        words + (isLocal ? ": the local service " : ": ")
          + place.dropFirst().joined(separator: " "))
    case "listen", "accept", "accept4": return AttemptWords(outcome, "wait for connections")
    case "sendto", "sendmsg", "sendmmsg":
      return AttemptWords(outcome, "send over the network (\(call))")
    case "execve", "execveat":
      return AttemptWords(outcome, "start a program" + inBrackets(path(detail, call)))
    case "open", "openat": return AttemptWords(outcome, open(path(detail, call), outcome))
    default:
      let isKnown = detail.isEmpty || detail == call
      return AttemptWords(outcome, isKnown ? "a call that no keyboard needs (\(call))" : detail)
    }
  }

  /// Of calls that are made in no good faith, those that people have heard of.
  private static let killers = [
    "ptrace": "watch or change another program",
    "process_vm_readv": "read another program's memory",
    "process_vm_writev": "change another program's memory",
    "mount": "mount a file system", "umount2": "take a file system away",
    "chroot": "change the root of its files", "bpf": "put a program into the kernel",
    "init_module": "put a driver into the kernel", "finit_module": "put a driver into the kernel",
    "kexec_load": "start another kernel", "kexec_file_load": "start another kernel",
    "reboot": "restart the machine", "perf_event_open": "watch what the processor does",
  ]

  private static func socket(_ detail: String) -> String {
    // `socket family AF_INET, type SOCK_STREAM|SOCK_CLOEXEC`
    let words = detail.split { $0 == " " || $0 == "," }
    let family = words.firstIndex(of: "family").map { words[$0 + 1] } ?? ""
    let type = words.firstIndex(of: "type").map { words[$0 + 1] } ?? ""
    switch family {
    case "AF_INET", "AF_INET6":
      let kind =
        type.hasPrefix("SOCK_STREAM")
        ? "TCP" : type.hasPrefix("SOCK_DGRAM") ? "UDP" : type.hasPrefix("SOCK_RAW") ? "raw" : ""
      return "use the network (\(kind.isEmpty ? "a socket" : "a \(kind) socket"))"
    case "AF_UNIX": return "reach another program of this machine (a local socket)"
    case "AF_BLUETOOTH": return "use Bluetooth (a Bluetooth socket)"
    case "AF_PACKET": return "read all that passes on the network (a packet socket)"
    case "AF_NETLINK": return "ask the kernel about the network (a netlink socket)"
    case "": return "use the network (a socket)"
    default: return "talk to others (a socket of the kind \(family))"
    }
  }

  /// The path in a detail such as `openat of /dev/… for writing`.
  private static func path(_ detail: String, _ call: String) -> String {
    var path = detail[...]
    guard path.hasPrefix("\(call) of ") else { return "" }
    path = path.dropFirst(call.count + 4)
    if path.hasSuffix(" for writing") { path = path.dropLast(12) }
    return String(path)
  }

  private static func open(_ path: String, _ outcome: Activity.Outcome) -> String {
    let kinds = [
      ("/dev/snd", "use a sound device, as a microphone"), ("/dev/video", "use a camera"),
      ("/dev/input", "use the input devices"), ("/dev", "use a device"),
    ]
    let isKnown = path.hasPrefix("/")
    let wanted =
      kinds.first { isKnown && (path == $0.0 || path.hasPrefix($0.0 + "/")) }?.1 ?? "write a file"
    let why =
      outcome == .undecided
      ? ": it gets that only if the file is its own"
      : path.hasPrefix("/dev") ? ": not in its sandbox" : ": none of its own"
    return wanted + inBrackets(path) + why
  }

  private static func inBrackets(_ text: String) -> String { text.isEmpty ? "" : " (\(text))" }
}
