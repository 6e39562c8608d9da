import Glibc
import LinuxSystem
import PluginProtocol
import TerminalText
import TextInput

/// Runs the keyboards of a bundle against the guidelines, each in the sandbox that it would get, in a
/// throw-away home: nothing is installed, and no grant is given.
///
/// It blocks until it has ended. Not `Sendable`: the kernel ends keyboards with the thread that
/// started them.
public final class ConformanceRun {
  private let bundle: String
  private let home: TemporaryFolder
  /// Held for as long as the home is used: a home that nobody holds is what a killed run has left.
  private let lock: OpenFile
  private let paths: HostPaths
  private var host: LocalHost?
  private var presented: Presentation?
  private var refusedCalls: [String] = []
  private var failures: [String] = []
  private var opened = 0

  /// How long anything may take, in milliseconds; a keyboard that misses its deadlines is noticed
  /// by the host long before.
  private static let patience: UInt64 = 20_000

  /// - Parameter bundle: the path of the containing app.
  public init(bundle: String) throws {
    self.bundle = bundle
    Self.removeLeftovers()
    home = try TemporaryFolder(name: Self.homeName)
    lock = try DirectoryHandle(path: home.path).openFile(
      Self.lockName, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    _ = try lock.lock(waitingMilliseconds: 0)
    // As root the keyboard's own id has to walk through.
    guard unsafe chmod(home.path, geteuid() == 0 ? 0o711 : 0o700) == 0 else {
      throw Errno(rawValue: errno)
    }
    let path = home.path
    paths = try HostPaths(environment: [
      "HOME": path, "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data",
      "XDG_STATE_HOME": path + "/state", "XDG_RUNTIME_DIR": path + "/run",
    ])
  }

  private static let homeName = "keyhost-check"
  private static let lockName = FileName(".lock")

  /// Removes the homes of this user's runs that were killed.
  private static func removeLeftovers() {
    guard let place = try? DirectoryHandle(path: "/tmp") else { return }
    for name in (try? place.names()) ?? [] where name.description.hasPrefix(homeName + "-") {
      // Anybody can make a folder of such a name; a link is not followed.
      guard let folder = try? place.openDirectory(name),
        (try? folder.ownStatus())?.owner == geteuid(),
        let lock = try? folder.openFile(lockName, flags: O_RDWR),
        (try? lock.lock(waitingMilliseconds: 0)) == true
      else { continue }
      try? place.removeTree(name)
    }
  }

  deinit {
    host = nil
    guard let folder = try? DirectoryHandle(path: home.path) else { return }
    for name in (try? folder.names()) ?? [] { try? folder.removeTree(name) }
  }

  /// - Throws: when the bundle is refused as it would be when it is installed, or when no keyboard
  ///   can be started here at all.
  public func run() throws -> [ConformanceResult] {
    let log = try AuditLog(path: paths.auditLog)
    try keepOthersIdentities(log)
    let registry = AppRegistry(paths: paths)
    let app = try registry.install(from: bundle, log: log).app
    var results: [ConformanceResult] = []
    for keyboard in app.keyboards {
      let identifier = keyboard.manifest.identifier
      let choices = KeyboardChoices(paths: paths)
      try choices.add(identifier, log: log)
      results += try check(keyboard, app)
      try choices.remove(identifier, log: log)
    }
    return results
  }

  /// As root no keyboard may run under the id of one that is installed for good.
  private func keepOthersIdentities(_ log: AuditLog) throws(StoreError) {
    guard geteuid() == 0 else { return }
    let own = try HostPaths(environment: HostPaths.processEnvironment())
    guard let installed = try? SettingsStore(paths: own).load() else { return }
    try SettingsStore(paths: paths).update(log: log) { (settings) throws(StoreError) in
      settings.identities = installed.identities
      return PlannedChange(result: ())
    }
  }

  private func check(
    _ keyboard: InstalledKeyboard, _ app: InstalledApp
  ) throws -> [ConformanceResult] {
    let host = try LocalHost(paths: paths)
    self.host = host
    defer {
      host.driver.shutDown()
      self.host = nil
    }
    presented = nil
    refusedCalls = []
    failures = []
    host.driver.onEffect = { [unowned self] in hear($0) }
    host.driver.onAudit = { [unowned self] event in
      guard event.kind == .violation else { return }
      let detail = event.fields.first { $0.name == "detail" }?.value.plainText ?? ""
      if !refusedCalls.contains(detail) { refusedCalls.append(detail) }
    }
    host.begin()
    let identifier = keyboard.manifest.identifier
    var results: [ConformanceResult] = []
    func result(
      _ check: ConformanceCheck, _ verdict: ConformanceResult.Verdict, _ detail: String? = nil
    ) {
      results.append(
        ConformanceResult(
          keyboard: identifier, check: check, verdict: verdict,
          detail: detail.map { VisibleText.escape($0, limit: 4_000) }))
    }

    open(TextInputTraits())
    guard wait({ $0?.keyboard == identifier }) else {
      type(.event(.hardwareKey(HardwareKey(characters: "a"))))
      result(
        .startsWithoutAccess, .failed, failures.first ?? "it did not answer `initialize` in time")
      return results
    }
    result(.startsWithoutAccess, .passed)
    var labels: Set<String> = []
    let fields = checkFields(identifier, keyboard.manifest.isASCIICapable, &labels)
    result(.answersEveryField, fields == nil ? .passed : .failed, fields)
    let returned = checkReturn(identifier)
    result(.comesBack, returned == nil ? .passed : .failed, returned)
    let repeated = labels.intersection(Self.hostLabels).sorted()
    result(
      .repeatsNoHostKey, repeated.isEmpty ? .passed : .failed,
      repeated.isEmpty
        ? nil : "the host draws its own, and the keyboard draws \(repeated.joined(separator: " "))")
    result(
      .triesNothingRefused, refusedCalls.isEmpty ? .passed : .remark,
      refusedCalls.isEmpty
        ? nil : "without open access it tried " + refusedCalls.joined(separator: ", "))
    let howTo = HowTo(app: app)
    result(
      .hasHowTo, howTo.text == nil ? .remark : .passed,
      howTo.text == nil ? howTo.fault ?? "the app has no HowTo.txt" : nil)
    return results
  }

  /// What the host's own keys show: the globe, emoji and dictation.
  static let hostLabels: Set<String> = ["🌐", "🌎", "🌍", "🌏", "🎤", "🎙", "🎙️"]

  // MARK: Fields

  /// - Returns: what was not answered, the first of it.
  private func checkFields(
    _ identifier: String, _ isASCIICapable: Bool, _ labels: inout Set<String>
  ) -> String? {
    for type in KeyboardType.allCases {
      var traits = TextInputTraits()
      traits.keyboardType = .known(type)
      let document = open(traits)
      defer { host?.driver.feed(.close(document)) }
      let field = FieldDescription(traits: traits)
      let candidate = Eligibility.Candidate(
        identifier: identifier, isASCIICapable: isASCIICapable)
      guard Eligibility.decide(field: field, candidate: candidate).isEligible else { continue }
      guard wait({ $0?.keyboard == identifier }) else {
        return "\(type.rawValue): it does not serve the field: \(failures.last ?? "no reason told")"
      }
      if let fault = pressEverything(identifier, &labels) { return "\(type.rawValue): \(fault)" }
    }
    return nil
  }

  /// Presses every key that is shown, and every key that shows after one.
  private func pressEverything(_ identifier: String, _ labels: inout Set<String>) -> String? {
    var pressed: Set<String> = []
    while let key = presented?.layout.rows.joined().first(where: { !pressed.contains($0.id) }),
      pressed.count < 1_000
    {
      pressed.insert(key.id)
      for row in presented?.layout.rows ?? [] { labels.formUnion(row.map(\.label)) }
      failures = []
      type(.event(.tap(key: key.id)))
      if let failure = failures.first { return "the key \"\(key.label)\": \(failure)" }
      // A key that goes to the next keyboard did what it should.
      if presented?.keyboard != identifier { type(.selectKeyboard(identifier)) }
      guard wait({ $0?.keyboard == identifier }) else {
        return "after the key \"\(key.label)\" it serves the field no more"
      }
    }
    failures = []
    type(.event(.swipe(.left, count: 2)))
    type(.event(.hardwareKey(HardwareKey(characters: "é"))))
    return failures.first
  }

  private func checkReturn(_ identifier: String) -> String? {
    var secure = TextInputTraits()
    secure.isSecureTextEntry = .known(true)
    open(secure)
    type(.character("s"))
    open(TextInputTraits())
    guard wait({ $0?.keyboard == identifier }) else {
      return "after a secure field it serves no field more"
    }
    failures = []
    type(.event(.swipe(.right, count: 1)))
    return failures.first
  }

  // MARK: The host

  @discardableResult
  private func open(_ traits: TextInputTraits) -> DocumentID {
    opened += 1
    let document = DocumentID("field \(opened)")
    let text = "One two."
    host?.driver.feed(
      .open(document, app: nil, answer: .notImplemented, traits: traits, text: text))
    host?.driver.feed(.focus(document))
    return document
  }

  /// Does one thing, and waits until it was handled.
  private func type(_ input: UserInput) {
    host?.driver.feed(.user(input))
    turn { [unowned self] in host?.driver.core.pendingInputs == 0 }
  }

  /// Waits until what is shown is as it should be.
  private func wait(_ condition: (Presentation?) -> Bool) -> Bool {
    turn { [unowned self] in condition(presented) }
  }

  @discardableResult
  private func turn(until condition: () -> Bool) -> Bool {
    guard let host else { return false }
    let end = MonotonicClock.nanoseconds + Self.patience * 1_000_000
    while !condition() {
      let now = MonotonicClock.nanoseconds
      guard now < end, failures.count < 20 else { return false }
      guard (try? host.driver.turn(milliseconds: min((end - now) / 1_000_000 + 1, 200))) != nil
      else { return false }
    }
    return true
  }

  private func hear(_ effect: CoreEffect) {
    switch effect {
    case .present(let presentation): presented = presentation
    case .handled(let handled) where handled.handler == .system:
      switch handled.reason {
      case .keyboardSelected, .systemKeyboardSelected, .refused, .hardwareKeyNotTaken, .declined:
        break
      default: failures.append(handled.reason.description)
      }
    default: break
    }
  }
}
