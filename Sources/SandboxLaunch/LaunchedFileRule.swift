import LaunchPlanFormat
import SandboxPolicy

/// What a keyboard was launched with for the files beneath one path, as Landlock was told it.
public struct LaunchedFileRule: Sendable, Hashable {
  /// As the keyboard sees it: inside the private root, where it has one.
  public var path: String
  /// In the order of Landlock's bits.
  public var rights: [FileRight]
}

extension SandboxedChild {
  /// The file rules of the launch, as far as a kernel with this Landlock ABI knows their rights; none
  /// without Landlock. Paths that may be missing are among them also where they are.
  ///
  /// - Parameter abi: the one of the report; 0 without Landlock.
  public func fileRules(knownTo abi: Int) -> [LaunchedFileRule] {
    guard abi > 0 else { return [] }
    let hasPrivateRoot = !request.leftOutLayers.contains(.privateRoot)
    return LaunchPlaces(request, hasPrivateRoot: hasPrivateRoot).pathRules(request.files).map {
      rule in
      LaunchedFileRule(
        path: rule.path,
        rights: FileRight.allCases.filter {
          rule.rights & $0.landlockBit != 0 && $0.landlockABI <= abi
        })
    }
  }
}
