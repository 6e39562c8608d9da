import KeyboardHost
import TestSupport
import Testing

@Suite("The host's folders")
struct StorePathsTests {
  @Test("a user's folders follow the XDG variables, and HOME where they are not set")
  func user() throws {
    let paths = try HostPaths(environment: ["HOME": "/home/u"], user: 1000)
    #expect(paths.settingsFile == "/home/u/.config/keyhost/settings.json")
    #expect(paths.apps == "/home/u/.local/share/keyhost/apps")
    #expect(paths.auditLog == "/home/u/.local/state/keyhost/audit.log")
    #expect(paths.runtime == "/home/u/.local/state/keyhost/run")
    let set = try HostPaths(
      environment: [
        "HOME": "/home/u", "XDG_CONFIG_HOME": "/c/", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s",
        "XDG_RUNTIME_DIR": "/r",
      ], user: 1000)
    #expect(set.configuration == "/c/keyhost")
    #expect(
      set.privateContainer("a.b") == "/d/keyhost/containers/keyboards/a.b")
    #expect(set.sharedContainer("a") == "/d/keyhost/containers/apps/a")
    #expect(set.runtime == "/r/keyhost")
  }

  @Test("a relative path in a variable counts as not set, as the specification says")
  func relative() throws {
    let paths = try HostPaths(
      environment: ["HOME": "/home/u", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": ""], user: 1000)
    #expect(paths.data == "/home/u/.local/share/keyhost")
    #expect(paths.configuration == "/home/u/.config/keyhost")
  }

  @Test("root's folders lie where a keyboard's own id can reach them")
  func root() throws {
    let paths = try HostPaths(environment: ["HOME": "/root"], user: 0)
    #expect(paths.data == "/var/lib/keyhost/data")
    #expect(paths.configuration == "/var/lib/keyhost/config")
    #expect(paths.state == "/var/lib/keyhost/state")
    #expect(paths.runtime == "/run/keyhost")
    let set = try HostPaths(environment: ["XDG_DATA_HOME": "/d"], user: 0)
    #expect(set.data == "/d/keyhost")
    #expect(set.state == "/var/lib/keyhost/state")
  }

  @Test("without HOME and the variables there is an error, not a folder somewhere")
  func nothing() {
    #expect(throws: StoreError.self) { try HostPaths(environment: [:], user: 1000) }
    #expect(throws: StoreError.self) { try HostPaths(environment: ["HOME": "u"], user: 1000) }
  }
}
