import KeyboardHost
import PolicyAudit
import SandboxLaunch
import SandboxPolicy

/// What each keyboard may do, and what it did.
public struct KeyboardReport: Sendable {
  /// An installed app that cannot be used.
  public struct AppFault: Sendable, Equatable {
    /// Its id.
    public let app: String
    /// For people.
    public let message: String
  }

  public var made: AuditTime
  /// The kernel's release.
  public var kernel: String
  /// One for each state of the grants, from the least to the most.
  public var policies: [ProvenPolicy]
  /// What open access changes, by meaning.
  public var changes: [FilterDifference.Change]
  public var trial: SandboxTrial
  /// The installed ones in the user's order, then those that are in no list, then those that only
  /// the log knows.
  public var keyboards: [ReportedKeyboard]
  public var faults: [AppFault]
  public var history: AuditHistory

  /// - Throws: when the grants cannot be compared.
  public init(
    made: AuditTime, policies: [ProvenPolicy], trial: SandboxTrial, kernel: String,
    keyboards: [ReportedKeyboard], faults: [AppFault], history: AuditHistory
  ) throws {
    self.made = made
    self.kernel = kernel
    self.policies = policies
    self.trial = trial
    self.keyboards = keyboards
    self.faults = faults
    self.history = history
    changes = []
    if let first = policies.first, let last = policies.last, policies.count > 1 {
      changes = try last.changes(since: first)
    }
  }

  /// Puts a report together from what is installed, what the user chose, and the log.
  ///
  /// - Parameters:
  ///   - keyboard: the only one to report; nil for all.
  ///   - profile: the policy all keyboards are held to.
  ///   - claims: what is to be proven of it.
  /// - Throws: when settings, apps or policies cannot be used, or nobody knows the keyboard. A
  ///   damaged log is part of the report.
  public init(
    on paths: HostPaths, keyboard: String?, profile: SandboxProfile, claims: [Claim],
    trial: SandboxTrial, kernel: String, made: AuditTime = .now()
  ) throws {
    let settings = try SettingsStore(paths: paths).load()
    let listing = try AppRegistry(paths: paths).list()
    let history = AuditHistory(reading: paths.auditLog)
    var keyboards = Self.keyboards(settings, listing, history)
    if let keyboard {
      keyboards = keyboards.filter { $0.identifier == keyboard }
      if keyboards.isEmpty {
        throw StoreError(
          .refused,
          "no keyboard `\(keyboard)` is installed, and none is in the log: `keyhost keyboards "
            + "list` shows those that are")
      }
    }
    try self.init(
      made: made,
      policies: try SandboxGrants.allStates.map {
        try ProvenPolicy(profile, grants: $0, claims: claims)
      },
      trial: trial, kernel: kernel, keyboards: keyboards,
      faults: listing.faults.map { AppFault(app: $0.app, message: "\($0.error)") },
      history: history)
  }

  private static func keyboards(
    _ settings: HostSettings, _ listing: AppListing, _ history: AuditHistory
  ) -> [ReportedKeyboard] {
    func activity(_ identifier: String) -> KeyboardActivity {
      history.activities[identifier] ?? KeyboardActivity()
    }
    let installed = listing.keyboards.map {
      ReportedKeyboard($0, settings: settings, activity: activity($0.manifest.identifier))
    }
    let known = Set(installed.map(\.identifier)).union([HostSettings.systemKeyboard])
    let gone = Set(history.activities.keys).union(settings.enabledPlugins).subtracting(known)
    return installed.filter { $0.position != nil }.sorted {
      ($0.position ?? 0) < ($1.position ?? 0)
    } + installed.filter { $0.position == nil }
      + gone.sorted().map { ReportedKeyboard(removed: $0, activity: activity($0)) }
  }

  /// The policy of a state of the grants.
  public func policy(_ grants: SandboxGrants) -> ProvenPolicy? {
    policies.first { $0.grants == grants }
  }

  /// Whether a launch of the log was made with a program that is proven here.
  public func knowsProgram(_ digest: String) -> Bool {
    policies.contains { $0.digest == digest }
  }
}
