import GeoClue
import LinuxSystem
import SandboxLaunch
import SandboxPolicy
import Spelling
import TextInput

/// A host put together from what is on this machine for this user: settings, apps, policies, the
/// launcher and the audit log. Changes of the settings take effect while it runs.
///
/// Not `Sendable`: it belongs to the thread of its driver.
public final class LocalHost {
  public let driver: HostDriver
  public private(set) var choices: UserChoices
  /// Hears what the user should know: a damaged settings file, a log that cannot be written.
  public var onMessage: (String) -> Void = { _ in }

  private let paths: HostPaths
  /// Nil when keyboards cannot be started at all.
  private let starter: KeyboardStarter?
  private let startProblem: String?
  private let first: String?
  private let locale = HostPaths.processLocale()
  private let allowWeaker: Set<SandboxLayer>
  private let debugged: String?
  private let log: AuditLog?
  private let logProblem: String?
  private var watch: SettingsWatch?
  private let settings: SettingsStore
  /// The settings file that ``choices`` were made of.
  private var stamp: SettingsStamp?
  private var contacts: ContactNames
  private var contactReading: ContactReading?
  /// What the words are found out from.
  private var wordSource: (language: String, lexicon: [LexiconEntry])?
  /// Where keyboards are shown.
  private var environment = LayoutEnvironment()

  /// - Parameters:
  ///   - paths: where everything lies; the user's own places if not given.
  ///   - first: a keyboard to put before all others, for this run.
  ///   - allowWeaker: layers of the sandbox to do without where they cannot be had, for this run.
  ///   - debugged: a keyboard that waits for a debugger when it starts, in this run.
  /// - Throws: when the settings cannot be used. Without the launcher or the policies no keyboard
  ///   is started, and the system keyboard types.
  public init(
    paths: HostPaths? = nil, preferring first: String? = nil,
    allowWeaker: Set<SandboxLayer> = [], debugging debugged: String? = nil
  ) throws {
    let paths = try paths ?? HostPaths(environment: HostPaths.processEnvironment())
    settings = SettingsStore(paths: paths)
    stamp = settings.stamp()
    let choices = try UserChoices(paths: paths)
    self.paths = paths
    self.choices = choices
    // Before anybody waits for a key; later it is done beside the loop.
    contacts = ContactNames(folders: choices.settings.contactFolders)
    self.first = first
    self.allowWeaker = allowWeaker
    self.debugged = debugged
    do {
      let resources = try InstalledResources()
      starter = KeyboardStarter(
        paths: paths, choices: choices, launcher: try resources.trustedLauncher(),
        profile: try KeyboardStarter.making { try resources.profile() },
        hostEnvironment: ProcessControl.environment,
        allowWeaker: allowWeaker, debugged: debugged)
      startProblem = nil
    } catch {
      starter = nil
      startProblem = "\(error)"
    }
    do {
      log = try AuditLog(path: paths.auditLog)
      logProblem = nil
    } catch {
      log = nil
      logProblem = error.description
    }
    let core = HostCore(
      configuration: Self.configuration(
        choices, contacts, first: first, locale: locale, debugged: debugged, LayoutEnvironment()))
    let words = CommonWordCache()
    core.commonWords = { words.words(of: $0) }
    driver = HostDriver(
      core: core, starter: starter ?? NoStarter(problem: startProblem ?? ""), log: log)
    findWords(core.configuration)
    driver.beforeStart = { [unowned self] in if settings.stamp() != stamp { reload() } }
    let services = KeyboardServices(
      loop: driver.loop,
      bus: ProcessControl.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? GeoClue.systemBus)
    services.adopt(folders: choices.settings.contactFolders, place: choices.settings.place)
    driver.services = services
    contactReading = ContactReading(loop: driver.loop) { [unowned self] names in
      guard names != contacts else { return }
      contacts = names
      adoptConfiguration()
    }
  }

  /// Starts to follow the settings. Call it when ``onMessage`` and the driver's hearers are set.
  public func begin() {
    if let logProblem {
      onMessage("\(logProblem); no keyboard may run, the system keyboard types")
    }
    if let startProblem {
      onMessage("\(startProblem); no keyboard can be started, the system keyboard types")
    }
    driver.onAuditFailure = { [unowned self] problem in
      onMessage("\(problem); no keyboard may run any more, the system keyboard types")
    }
    if !allowWeaker.isEmpty {
      let names = allowWeaker.map(\.rawValue).sorted()
      driver.audit(
        AuditEvent(
          .weakened, [AuditField("allowWeaker", .list(names.map { .foreign($0) }))]))
    }
    if let debugged {
      driver.audit(
        AuditEvent(.weakened, keyboard: debugged, [AuditField("debugger", .boolean(true))]))
    }
    // The disk may be full by the time the user wants to take something away.
    SettingsStore(paths: paths).refillReserve()
    log?.refillReserve()
    do {
      // A folder that is not there yet could not be watched, and a first grant not be followed.
      _ = try DirectoryHandle.make(path: paths.configuration, mode: 0o700)
      watch = try SettingsWatch(paths: paths, loop: driver.loop) { [unowned self] in reload() }
      // What was revoked between the first reading and the watch would be followed by nobody.
      reload()
    } catch {
      onMessage(
        "changes of the settings are not followed (\(error)): what is revoked now holds from the "
          + "next start on")
    }
  }

  /// Follows the language and the lexicon. Without a thread or a dictionary nothing is corrected, which
  /// `keyhost doctor` tells.
  private func findWords(_ configuration: HostConfiguration) {
    let language = configuration.typingLanguage
    let lexicon = configuration.lexicon
    if let wordSource, wordSource == (language, lexicon) { return }
    wordSource = (language, lexicon)
    driver.words = WordService(
      loop: driver.loop, predictor: WordPredictor(lexicon: lexicon, language: language)
    ) { try? HunspellDictionary(language: language) }
  }

  /// The name a person knows a keyboard by, safe to show.
  public func displayName(_ keyboard: String) -> String {
    choices.keyboard(keyboard)?.installed.manifest.displayName ?? keyboard
  }

  /// Keyboards are shown elsewhere from now on.
  public func setEnvironment(_ new: LayoutEnvironment) {
    guard new != environment else { return }
    environment = new
    driver.feed(.configuration(configuration))
  }

  private var configuration: HostConfiguration {
    Self.configuration(
      choices, contacts, first: first, locale: locale, debugged: debugged, environment)
  }

  private static func configuration(
    _ choices: UserChoices, _ contacts: ContactNames, first: String?, locale: String?,
    debugged: String?, _ environment: LayoutEnvironment
  ) -> HostConfiguration {
    var made = choices.configuration(
      hostVersion: HostVersion.current, contacts: contacts, first: first, locale: locale)
    made.environment = environment
    for index in made.keyboards.indices where made.keyboards[index].identifier == debugged {
      made.keyboards[index].isDebugged = true
    }
    return made
  }

  /// Shows from now on what keyboards are told and what they say. That is what is typed: a trace is
  /// for the one who types, of a run of his own, and there is a line in the audit log before the
  /// first of it.
  ///
  /// - Parameters:
  ///   - place: where it goes, for the log.
  ///   - hear: takes each entry, in order.
  /// - Returns: false when the line could not be written, so that nothing is shown.
  public func trace(to place: String, hearing hear: @escaping (TraceEntry) -> Void) -> Bool {
    guard log != nil, driver.audit(AuditEvent(.traced, [AuditField("to", .foreign(place))])) else {
      return false
    }
    driver.tracing = (MonotonicClock.nanoseconds, hear)
    return true
  }

  /// Takes over the settings as they are now, as after every change of them.
  public func reload() {
    // First: what is changed while they are read is read again.
    stamp = settings.stamp()
    let folders = choices.settings.contactFolders
    do {
      choices = try UserChoices(paths: paths)
    } catch {
      // What the user granted cannot be read any more, so nothing is granted.
      choices = UserChoices.none
      onMessage("\(error). Until then no keyboard runs, and the system keyboard types")
    }
    starter?.adopt(choices)
    driver.services?.adopt(
      folders: choices.settings.contactFolders, place: choices.settings.place)
    let wanted = choices.settings.contactFolders
    // Names that are not to be told any more are not told until it is known which those are.
    if !Set(folders).isSubset(of: wanted) { contacts = .none }
    contactReading?.read(wanted)
    adoptConfiguration()
  }

  private func adoptConfiguration() {
    let configuration = configuration
    findWords(configuration)
    driver.feed(.configuration(configuration))
  }
}

/// Watches the settings file through its folder, since the file is replaced at each change.
private final class SettingsWatch {
  private let watch: DirectoryWatch
  private let loop: PollLoop
  private var token: PollLoop.Token?

  init(paths: HostPaths, loop: PollLoop, changed: @escaping () -> Void) throws(Errno) {
    watch = try DirectoryWatch(path: paths.configuration)
    self.loop = loop
    token = loop.watch(watch.rawValue, for: .input) { [unowned self] _ in
      watch.acknowledge()
      changed()
    }
  }

  deinit { if let token { loop.unwatch(token) } }
}
